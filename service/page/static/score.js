import {NO_ANSWER, unloaded} from "./api.js";
import {copies, el, fill, number, patch, svg, t, title} from "./dom.js";
import {DiceEntry, inSight, token} from "./draw.js";
import {answer, cardOf, DICE, emptyDraft, joined, keep, kept, learn, parted, sum, written} from "./keeping.js";
import {houseRules, rulesOf} from "./setup.js";

const NARROW = matchMedia("(max-width: 46rem)");
const PICTURE = "image/svg+xml", CSV = "text/csv";
const SESSIONS = "/v1/sessions";

/** @type {View} */
export async function view(root, [variant], context) {
  const game = await context.catalogue.entry(variant, context.signal);
  const kind = await import(`./kinds/${game.kind}.js`).catch(unloaded);
  const keeper = new Keeper(game, kind, context);
  keeper.show(root);
  keeper.learn();
}

export class Keeper {
  root = el("div");
  draft = emptyDraft();
  /** @type {any} */
  found = null;
  fresh = false;
  /** @type {any} */
  own = null;
  /** @type {Map<number, any>} */
  sums = new Map();
  #asked = 0;
  #undone = false;
  #parts = {
    paper: el("section", {class: "paper"}), result: el("section", {class: "result", "aria-live": "polite", "aria-label": t("score.result")}),
    points: el("div", {class: "gains row"}), turns: el("section", {class: "turns"}), players: el("div"), files: el("p", {class: "row files"}),
    printed: el("section", {class: "printed"}),
  };

  /** @param {any} game @param {Kind} kind @param {Context} context */
  constructor(game, kind, context) {
    this.game = game;
    this.kind = kind;
    this.context = context;
    this.sheet = kept(game.id) ?? empty(game, kind);
    this.rules = houseRules(game, () => {
      this.set({rules: this.rules.chosen ?? {}});
      this.learn();
    }, this.sheet.rules);
    this.dice = new DiceEntry(game, {...kind.options?.(game, this.rules), signal: context.signal});
    this.dice.addEventListener("change", () => {
      if (this.#undone) this.draft.points = {};
      this.#undone = false;
      this.changed();
    });
    this.dice.addEventListener("undo", () => this.#undo());
  }

  /** @param {HTMLElement} root */
  show(root) {
    this.root = root;
    const {game, kind, rules, sheet} = this;
    const {paper, result, points, turns, players, files, printed} = this.#parts;
    root.dataset.game = game.id;
    fill(root,
      el("h1", null, token(game.id), t("score.title", {game: game.name})),
      el("div", {class: "keeping"}, paper, el("section", {class: "card entry"}, this.dice, result, points), kind.beside?.(this), turns),
      files,
      el("details", {class: "card", open: !sheet.turns.length}, el("summary", null, t("session.players")), players),
      rules.details, rulesOf(game), printed);
    NARROW.addEventListener("change", () => this.draw(), {signal: this.context.signal});
    this.changed();
  }

  get narrow() {
    return NARROW.matches;
  }

  name(key = this.sheet.current) {
    return this.sheet.seats.find((seat) => seat.key === key)?.name ?? "";
  }

  /** Without the turn that is edited. */
  card(key = this.sheet.current, turns = this.sheet.turns) {
    const {card_field: counter = "", bonus_rule: bonus} = this.game.repeats ?? {};
    const card = cardOf(turns.filter((turn) => turn !== this.draft.edited), key, counter);
    if (!this.rules.value(bonus)) delete card[counter];
    return card;
  }

  /** @param {number} key @returns {number | string} */
  total(key) {
    return this.kind.total?.(this, key) ?? sum(this.sheet.turns, key);
  }

  learn() {
    if (this.game.boxes) learn(this.game, this.rules.chosen, this.context.api).catch(() => {});
  }

  /** Score cards go on without an answer. */
  async ask(operation, body) {
    const {game, rules} = this;
    const {api, calm, say, signal} = this.context;
    const alone = Boolean(game.boxes);
    try {
      const sent = {...body, house_rules: rules.chosen};
      const answered = await api.request("POST", /** @type {string} */ (game.links[operation]), {body: sent, signal, once: alone});
      if (alone) calm();
      return answered.body;
    } catch (problem) {
      if (!alone || problem.code !== NO_ANSWER) throw problem;
      say(t("score.alone"), "good");
      return answer(game, rules, operation, body);
    }
  }

  /** @param {string} place */
  focus(place) {
    /** @type {HTMLElement | null} */ (this.root.querySelector(place))?.focus();
  }

  /** @param {Partial<Sheet>} change */
  set(change, named = false) {
    this.#keep(change);
    this.changed(named);
  }

  /** @param {Turn} turn */
  write(turn) {
    this.#next(written(this.sheet, turn, this.draft));
    this.focus("dice-entry [aria-current]");
  }

  /** @param {Turn} turn */
  edit(turn) {
    const {edited, back = this.sheet.current} = this.draft;
    if (edited === turn) return this.#next({current: back});
    const [key] = Object.keys(turn.points);
    this.#next({current: Number(key)}, {edited: turn, back, points: {...turn.points}}, turn.dice);
    this.focus("dice-entry [aria-current]");
  }

  #undo() {
    const turns = [...this.sheet.turns];
    const last = turns.pop();
    if (!last || this.draft.edited) return;
    const {points, dice} = last;
    this.#next({turns, current: Number(Object.keys(points)[0])}, {points: {...points}}, dice);
    this.#undone = true;
  }

  /** @param {Turn} turn */
  remove(turn) {
    this.#next({turns: this.sheet.turns.filter((each) => each !== turn), current: this.draft.back});
  }

  wipe() {
    if (confirm(t("score.wipe"))) this.#next({turns: [], current: this.sheet.seats[0].key});
  }

  /** @param {Partial<Sheet>} change @param {Partial<Draft>} draft @param {Face[]} [dice] */
  #next(change, draft = {}, dice) {
    this.draft = {...emptyDraft(), ...draft};
    this.#keep(change);
    this.dice.enter({[DICE]: dice});
  }

  /** @param {Partial<Sheet>} change */
  #keep(change) {
    this.sheet = {...this.sheet, ...change};
    const {draft: {edited, back}, sheet: {seats, turns}} = this;
    const there = seats.some(({key}) => key === back);
    if (edited && !(there && turns.includes(edited))) { // its turn, or who goes on after it, is gone
      if (there) this.sheet.current = Number(back);
      this.draft = emptyDraft();
      this.dice.enter({[DICE]: undefined});
    }
    keep(this.game.id, this.sheet);
  }

  async changed(fresh = false) {
    const mine = ++this.#asked;
    this.fresh &&= fresh;
    this.dice.rows = this.kind.rows(this);
    this.draw();
    let found;
    try {
      const all = this.sheet.seats.map(({name}) => name);
      if (new Set(all).size < all.length) throw new Error(t("setup.twice"));
      found = await this.kind.find(this);
    } catch (problem) {
      found = {problem};
    }
    if (this.context.signal.aborted) return;
    if (mine === this.#asked) Object.assign(this, {found, fresh: true});
    this.draw(); // an earlier question has found sums, too
  }

  draw() {
    const {kind, sheet, found} = this;
    const {paper, result, points, turns, players, files} = this.#parts;
    const last = sheet.turns.at(-1);
    patch(paper, totals(this), kind.paper?.(this));
    patch(result, found?.problem ? el("p", {class: "bad"}, found.problem.message) : [!found && last && el("p", {class: "label"}, lineOf(this, last)), kind.result(this)]);
    patch(points, !kind.paper && gains(this));
    patch(turns, sheet.turns.length > 0 && history(this));
    patch(players, seats(this));
    patch(files, outward(this));
    const pad = paper.querySelector(".pad");
    if (pad) inSight(pad, pad.scrollLeft);
  }

  async print() {
    const picture = new DOMParser().parseFromString(await paperOf(this, PICTURE), PICTURE);
    fill(this.#parts.printed, picture.documentElement);
    print();
  }
}

/** @param {any} game @param {Kind} kind */
function empty({players: {min}}, {alone}) {
  /** @type {Sheet} */
  let sheet = {seats: [], turns: [], current: 1, rules: {}};
  while (sheet.seats.length < Math.max(min, alone ? 1 : 2)) sheet = joined(sheet, named);
  return sheet;
}

const named = (place) => t("score.player", {number: place});

/** @param {Keeper} keeper */
function totals(keeper) {
  const {game, kind, sheet} = keeper;
  const tabs = kind.alone && sheet.seats.length > 1;
  const tab = ({key, name}) => {
    const total = keeper.total(key);
    return el(tabs ? "button" : "p", {
      type: tabs && "button", "data-key": `seat ${key}`, "aria-pressed": tabs ? key === sheet.current : null, onclick: () => keeper.set({current: key}),
    }, el("span", null, name), " ", el("strong", null, typeof total === "number" ? number(total) : total));
  };
  return el("div", {class: "totals", role: "group", "aria-label": t("play.totals")}, sheet.seats.map(tab),
    sheet.seats.length < (game.players.max ?? Infinity) && el("button", {"data-key": "add", "aria-label": t("score.add_player"), onclick: () => keeper.set(joined(sheet, named))}, "+"));
}

/** @param {Keeper} keeper */
function gains(keeper) {
  const {kind, sheet, draft, found, fresh} = keeper;
  const given = sheet.seats.filter(({key}) => !kind.alone || key === sheet.current)
    .map(({key, name}) => ({key, name, value: draft.points[key] ?? (fresh ? found?.gains?.[key] : null) ?? ""}));
  const whole = given.filter(({value}) => value !== "");
  return [
    given.map(({key, name, value}) => el("label", {"data-key": `gain ${key}`}, name, el("input", {type: "number", value, oninput: ({target}) => {
      draft.points[key] = target.value;
      keeper.draw();
    }}))),
    el("button", {class: "primary", disabled: !whole.length, onclick: () =>
      keeper.write({points: Object.fromEntries(whole.map(({key, value}) => [key, Number(value)]))})}, t("score.add")),
  ];
}

/** @param {Keeper} keeper */
function history(keeper) {
  const {sheet: {turns}, draft: {edited}} = keeper;
  return [el("h2", null, t("score.turns")), el("ol", {class: "list story"}, turns.toReversed().map((turn, at) => {
    const line = lineOf(keeper, turn);
    const button = (text, onclick, pressed) => el("button", {class: "quiet", "aria-label": `${text}: ${line}`, "aria-pressed": pressed || null, onclick}, text);
    return el("li", {class: "row between", "data-key": `turn ${turns.length - at}`}, el("span", null, line), el("span", null,
      turn === edited && button(t("setup.remove"), () => keeper.remove(turn), false), button(t("score.edit"), () => keeper.edit(turn), turn === edited)));
  }))];
}

/** @param {Keeper} keeper @param {Turn} turn */
function lineOf(keeper, {box, points}) {
  const {boxes, repeats} = keeper.game;
  const all = Object.entries(points).map(([key, value]) => ({name: keeper.name(Number(key)), value})).filter(({name}) => name);
  if (!box) return all.map(({name, value}) => `${name} ${number(value, {signDisplay: "exceptZero"})}`).join(" · ");
  const known = boxes.find(({id}) => id === box)?.name ?? title(repeats.bonus_rule);
  return t("session.about", {names: all[0].name, reason: `${known} ${number(all[0].value)}`});
}

/** @param {Keeper} keeper */
function seats(keeper) {
  const {sheet: {seats}, game: {players: {min}}} = keeper;
  return seats.map(({key, name}, at) => el("p", {class: "row", "data-key": `player ${key}`},
    el("input", {value: name, maxlength: 64, "aria-label": t("setup.player", {place: at + 1}), onchange: ({target}) =>
      keeper.set({seats: seats.map((seat) => (seat.key === key ? {key, name: target.value.trim() || named(key)} : seat))}, true)}),
    seats.length > Math.max(min, 1) && el("button", {class: "quiet", "aria-label": `${t("setup.remove")}: ${name}`, onclick: () => {
      keeper.set(parted(keeper.sheet, key));
      keeper.focus("[data-key=add]");
    }}, "×")));
}

/** @param {Keeper} keeper */
function outward(keeper) {
  const {game, sheet, context: {say, signal}} = keeper;
  const button = (text, act) => el("button", {"data-key": text, onclick: async ({detail: clicks}) => {
    if (clicks > 1) return; // or there would be two files
    try {
      await act();
    } catch (problem) {
      if (!signal.aborted) say(problem.message);
    }
  }}, text);
  const file = (blob, ending) => {
    const href = URL.createObjectURL(blob);
    el("a", {href, download: `${game.name}.${ending}`}).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000); // some browsers read it later
  };
  if (!sheet.turns.length) return null;
  const text = sheet.seats.map(({key, name}) => `${name} ${keeper.total(key)}`).join("\n");
  return [
    button(t("score.print"), () => keeper.print()),
    button(t("score.picture"), async () => file(await picture(await paperOf(keeper, PICTURE)), "png")),
    button("CSV", async () => file(new Blob([await paperOf(keeper, CSV)], {type: CSV}), "csv")),
    "share" in navigator ? button(t("score.share"), () => navigator.share({title: game.name, text}).catch(() => {})) // nobody was chosen
      : copies(t("score.share"), () => text, {"data-key": "share"}),
    button(t("score.new_sheet"), () => keeper.wipe()),
  ];
}

/** @param {string} sheet in SVG @returns {Promise<Blob>} a PNG */
async function picture(sheet) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([sheet], {type: PICTURE}));
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((/** @type {(blob: any) => void} */ resolve) => canvas.toBlob(resolve));
}

/** Of a game in chips: no session could begin with losses. @param {Keeper} keeper @param {string} accept */
function ledger(keeper, accept) {
  const {game: {name, kind}, sheet: {seats, turns}} = keeper;
  const line = (label, cell) => [label, ...seats.map(cell)];
  const lines = [
    line("", (seat) => seat.name),
    ...turns.map(({points}, at) => line(t(kind === "community" ? "play.hand" : "play.round_alone", {hand: at + 1, round: at + 1}), ({key}) => points[key] ?? "")),
    line(t("sheet.total"), ({key}) => keeper.total(key)),
  ];
  const safe = (cell) => (typeof cell === "number" ? cell : `"${cell.replace(/^[-=+@\uff0d\uff1d\uff0b\uff20]/, "'$&").replaceAll('"', '""')}"`); // no name is a formula
  if (accept === CSV) return lines.map((cells) => cells.map(safe).join()).join("\r\n");
  const [width, height] = [160 + 130 * seats.length, 24 * (lines.length + 2)];
  const rows = lines.map((cells) => cells.map((cell, at) => (at ? [...`${cell}`].slice(0, 14).join("").padStart(16) : cell.padEnd(12))).join(""));
  return new XMLSerializer().serializeToString(svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "monospace", "font-size": 13, "xml:space": "preserve"},
    svg("title", null, name), svg("rect", {width, height, fill: "#fff"}),
    [name, ...rows].map((row, y) => svg("text", {x: 16, y: 24 * (y + 1)}, row))));
}

/** By a session that begins with what is written, and is gone afterwards. @param {Keeper} keeper @param {string} accept @returns {Promise<string>} */
async function paperOf(keeper, accept) {
  if (keeper.game.paper === "stacks") return ledger(keeper, accept);
  const {game, sheet: {seats, turns}, rules, context: {api, signal}} = keeper;
  const filled = (key, some) => game.boxes?.filter(({id}) => id in keeper.card(key, some)).length;
  const full = seats.every(({key}) => filled(key, turns) === game.boxes?.length);
  const last = full ? turns.findLast(({box}) => box !== game.repeats?.card_field) : undefined;
  const before = turns.filter((turn) => turn !== last);
  const order = seats.toSorted((one, other) => filled(other.key, before) - filled(one.key, before));
  const paper = Object.fromEntries(order.map(({key, name}) => [name, game.boxes ? keeper.card(key, before) : keeper.total(key)]));
  const body = {variant: game.id, players: order.map(({name}) => name), dice: "client", house_rules: rules.chosen, [game.paper]: paper};
  const {body: {id, tokens: {table: token}}} = await api.request("POST", SESSIONS, {body, signal, once: true});
  const path = `${SESSIONS}/${id}`;
  try {
    if (last) {
      const [[key, points]] = Object.entries(last.points);
      const action = {action: "write", player: keeper.name(Number(key)), box: last.box, ...(last.dice ? {dice: last.dice} : {points})};
      await api.request("POST", `${path}/actions`, {body: action, token, ifMatch: "*", signal, once: true});
    }
    return (await api.request("GET", `${path}/sheet`, {token, accept, signal, once: true})).body;
  } finally {
    await api.request("DELETE", path, {token, ifMatch: "*", once: true}).catch(() => {}); // it expires
  }
}
