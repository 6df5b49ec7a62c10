/** As docs/fair-dice.md says. */

import {hex, part, POCKET, Problem, seatIn} from "./api.js";
import {el, fill, t} from "./dom.js";
import {BLANK, diceRow} from "./draw.js";

const ROLL = /^(roll|throw|risk$)/;
const encoder = new TextEncoder();

/** @type {View} */
export async function view(root, [id], context) {
  const result = el("section", {class: "result", "aria-live": "polite", "aria-label": t("score.result")});
  const text = el("textarea", {id: "history", rows: 6, spellcheck: "false"});

  let last = 0;
  async function verify(own) {
    const mine = ++last;
    fill(result, el("p", {class: "muted"}, t("main.loading")));
    const verdict = await shown(text.value, context, own);
    if (mine === last) fill(result, verdict);
  }

  fill(root,
    el("h1", null, t("verify.title")),
    el("p", {class: "lead"}, t("verify.lead")),
    result,
    el("details", {open: !id}, el("summary", null, t("verify.other")),
      el("form", {class: "card", onsubmit: (event) => {
        event.preventDefault();
        verify();
      }},
      el("p", null, el("label", {for: "history"}, t("verify.paste"))), text,
      el("p", {class: "row"}, el("button", {type: "submit", class: "primary"}, t("verify.verify"))))),
    el("p", {class: "row"}, id ? el("a", {class: "button", href: `#/session/${id}`}, t("review.back"))
      : el("a", {class: "button", href: "#/"}, t("main.home"))));
  if (id) {
    text.value = JSON.stringify(await part(id, "events", context));
    await verify(id);
  }
}

async function shown(text, {catalogue}, id) {
  const no = (key, values) => el("p", {class: "verdict"}, el("strong", null, t("verify.unknown")), t(key, values));
  try {
    const history = JSON.parse(text);
    if (history.dice === "client") return no("verify.typed");
    if (history.fairness.seed === null) return no("verify.running");
    const game = await catalogue.entry(history.variant);
    const seen = seatIn(id ?? history.id);
    const {digest, committed, rolls, wrong, missing} = drawnAgain(history, game, seen);
    const bad = !committed || wrong || missing;
    return [
      el("div", {class: `verdict ${bad ? "false" : "true"}`},
        el("strong", null, t(bad ? "verify.false" : "verify.true")),
        el("p", null, !committed ? t("verify.no_commitment") : wrong ? t("verify.wrong", {version: wrong.version})
          : missing ? t("verify.missing", {version: missing}) : t("verify.matches")),
        !bad && !seen?.proof && el("p", null, t("verify.unseen")),
        wrong && [compared(wrong.written ?? [], "verify.written", game), compared(wrong.dice, "verify.seed", game)]),
      el("dl", {class: "proof"}, [
        ["verify.seed", history.fairness.seed],
        ["verify.client_seed", history.fairness.client_seed],
        ["verify.digest", !committed && digest],
        ["verify.commitment", history.fairness.commitment],
        ["verify.at_start", !committed && seen?.proof],
      ].filter(([, value]) => value).map(([key, value]) => [el("dt", null, t(key)), el("dd", null, el("code", null, value))])),
    ];
  } catch (error) { // anything may be in a text
    return error instanceof Problem && error.status !== 404 ? el("p", {class: "bad"}, error.message) : no("verify.no_history");
  }
}

function compared(dice, key, game) {
  return el("div", {class: "row"}, el("span", {class: "label"}, t(key)), diceRow(dice, {dice: game.dice, label: t(key)}));
}

function drawer(key, clientSeed) {
  let counter = 0;
  return (n, at = counter++) => {
    for (let block = 0; ; block++) {
      const byte = hmac(key, encoder.encode(`${clientSeed}:${at}:${block}`)).find((each) => each < 256 - (256 % n));
      if (byte !== undefined) return byte % n;
    }
  };
}

/** @returns {Drawn} */
function drawnAgain(history, game, seen) {
  const {seed, commitment, client_seed: clientSeed} = history.fairness;
  const {proof = commitment, version: known = 0} = seen ?? {};
  const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
  const roll = ROLLS[game.kind](game, drawer(bytes, clientSeed), history.house_rules);
  const rolls = [];
  let before;
  for (const {version, then, ...event} of history.events) {
    for (const step of [event, ...then]) {
      const {player, action, dice: written, news} = step;
      if ("dice" in step || ROLL.test(action)) rolls.push({version, player, action, dice: roll(step, before), written});
      before = action;
      shownDown(rolls, news);
    }
  }
  const digest = hex(sha256(bytes));
  const committed = commitment === proof && digest === commitment;
  const missing = history.events.findIndex(({version}, at) => version !== at + 1) + 1
    || (history.events.length < Math.max(known, history.version) && history.events.length + 1);
  return {digest, committed, rolls, wrong: rolls.find(differs), missing};
}

function differs({action, dice, written}) {
  return !dice.length || (written === null ? action !== POCKET : JSON.stringify(dice) !== JSON.stringify(written));
}

function shownDown(rolls, news = []) {
  for (const {id, pocket} of news.flatMap(({places = []}) => places.flatMap(({hands = []}) => hands))) {
    const roll = rolls.findLast(({player, action}) => player === id && action === POCKET);
    if (roll && pocket && !differs(roll)) roll.written = pocket;
  }
}

const ROLLS = {ranking: numbered, scorecard: numbered, layout: cards, community: suited};

function numbered({dice}, draw, {starting_throw: thrown}) {
  const faces = dice.names.length ? dice.names : Array.from({length: dice.faces}, (_, at) => at + 1);
  let last = [];
  return ({action, keep = []}) => {
    const count = action === "throw" && thrown === "one_die" ? 1 : dice.count;
    return last = Array.from({length: count}, (_, place) => (keep.includes(place) ? last[place] : faces[draw(dice.faces)]));
  };
}

function cards({dice, dice_set: set, risk_faces: risk}, draw) {
  let lying = [];
  return ({action, dice: written}) => {
    if (action !== "roll") return [risk[draw(risk.length)]];
    if (written.length === dice.count) lying = Array(dice.count).fill(BLANK);
    return [...lying.keys()].filter((die) => lying[die] === BLANK).map((die) => lying[die] = set[die][draw(set[die].length)]);
  };
}

function suited({dice, pocket, community}, draw) {
  const full = dice.suits.flatMap(({letter}) => Array(dice.count / dice.suits.length).fill(letter));
  let bag = [...full];
  let shared = [];
  return ({action}, before) => {
    const deals = action === POCKET;
    if (deals && before !== POCKET) [bag, shared] = [[...full], []];
    const again = action === "roll_flop_again";
    const suits = again ? shared.map((die) => die.slice(-1)) : Array(deals ? pocket : community.find((count) => count > shared.length) - shared.length).fill(null);
    const now = suits.map((same) => {
      const suit = same ?? bag.splice(draw(bag.length), 1)[0];
      return `${1 + draw(dice.faces)}${suit}`;
    });
    if (again) shared = now;
    else if (!deals) shared = [...shared, ...now];
    return now;
  };
}

/** SHA-256 (FIPS 180-4), which browsers lack over plain HTTP. */
const BLOCK = 64;
/** Fractional parts of the roots of the first primes. */
const START = [], ROUNDS = [];

for (let number = 2; ROUNDS.length < 64; number++) {
  let factor = 2;
  while (number % factor) factor++;
  if (factor < number) continue;
  if (START.length < 8) START.push(fraction(Math.sqrt(number)));
  ROUNDS.push(fraction(Math.cbrt(number)));
}

function fraction(root) {
  return ((root % 1) * 2 ** 32) | 0;
}

function rotated(word, by) {
  return (word >>> by) | (word << (32 - by));
}

function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  const view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 128;
  view.setUint32(padded.length - 4, bytes.length * 8);
  let state = START;
  for (let start = 0; start < padded.length; start += BLOCK) {
    const words = [];
    let [a, b, c, d, e, f, g, h] = state;
    ROUNDS.forEach((constant, at) => {
      const [x, y] = [words[at - 15], words[at - 2]];
      words[at] = at < 16 ? view.getInt32(start + 4 * at)
        : (words[at - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)) + words[at - 7] + (rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10))) | 0;
      const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constant + words[at];
      const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    });
    state = [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
  }
  state.forEach((word, at) => view.setInt32(4 * at, word));
  return padded.slice(0, 32);
}

/** For a key of at most 64 bytes. */
function hmac(key, message) {
  const padded = (value, bytes) => sha256(Uint8Array.from([...Array.from({length: BLOCK}, (_, at) => key[at] ^ value), ...bytes]));
  return padded(0x5c, padded(0x36, message));
}
