/** The dice of a session, drawn again from its seed, as docs/fair-dice.md describes. */

import {BLANK} from "./draw/die.js";

export const POCKET = "roll_pocket";
/** The actions that roll dice; their dice are in the history, even if only as null. */
const ROLL = /^(roll|throw|risk$)/;
const encoder = new TextEncoder();

/** Draws numbers as the service did, one after another. */
class Draws {
  #key;
  #clientSeed;
  #counter = 0;

  constructor(key, clientSeed) {
    this.#key = key;
    this.#clientSeed = clientSeed;
  }

  /** A number from 0 to `n` - 1. */
  async below(n) {
    const counter = this.#counter++;
    const beyond = 256 - (256 % n);
    for (let block = 0; ; block++) {
      const message = encoder.encode(`${this.#clientSeed}:${counter}:${block}`);
      const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", this.#key, message));
      const byte = bytes.find((each) => each < beyond);
      if (byte !== undefined) return byte % n;
    }
  }
}

/**
 * @typedef {{version: number, player: string, action: string, dice: any[], written: any[] | null}} Roll
 *   `dice` follow from the seed; `written` are those of the history, null if hidden there.
 */

/**
 * Draws every die of a session again.
 * @param {any} history the response of `GET /v1/sessions/{id}/events`
 * @param {any} game the entry of the catalogue
 * @param {{proof?: string, version?: number}} [seen] the commitment that was published at the
 *   start, and a version that there must be, as far as they are known
 * @returns {Promise<{committed: boolean, rolls: Roll[], wrong: Roll | undefined,
 *   missing: number}>} `committed`: whether the seed belongs to both commitments; `wrong` is the first
 *   roll that differs; `missing` the first version that isn't where it belongs, or 0.
 */
export async function drawnAgain(history, game, seen) {
  const {seed, commitment, client_seed: clientSeed} = history.fairness;
  const {proof = commitment, version: known = 0} = seen ?? {};
  const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", bytes, {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
  const roll = ROLLS[game.kind](game, new Draws(key, clientSeed));
  const rolls = [];
  for (const event of history.events) {
    for (const step of [event, ...event.then]) {
      if ("dice" in step || ROLL.test(step.action)) {
        const dice = await roll.of(step);
        rolls.push({version: event.version, player: step.player, action: step.action, dice, written: step.dice});
      } else roll.pause?.();
      shownDown(rolls, step.news);
    }
  }
  const committed = commitment === proof && hex(await crypto.subtle.digest("SHA-256", bytes)) === commitment;
  const missing = history.events.findIndex(({version}, at) => version !== at + 1) + 1
    || (history.events.length < Math.max(known, history.version) && history.events.length + 1);
  return {committed, rolls, wrong: rolls.find(differs), missing};
}

/** A roll has dice, and only pockets may be hidden. */
function differs({action, dice, written}) {
  return !dice.length || (written === null ? action !== POCKET : JSON.stringify(dice) !== JSON.stringify(written));
}

/** A pocket that `news` show was as it is there. */
function shownDown(rolls, news = []) {
  for (const {id, pocket} of news.flatMap(({places = []}) => places.flatMap(({hands = []}) => hands))) {
    const roll = rolls.findLast(({player, action}) => player === id && action === POCKET);
    if (roll && pocket && !differs(roll)) roll.written = pocket;
  }
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How each kind of game rolls. `of` returns the dice of a step of the history. */
const ROLLS = {ranking: numbered, scorecard: numbered, layout: cards, community: suited};

/** All dice from left to right, except those that were kept. */
function numbered({dice}, draws) {
  const faces = dice.names.length ? dice.names : Array.from({length: dice.faces}, (_, at) => at + 1);
  let last = [];
  return {
    async of({keep = []}) {
      const now = [];
      for (let place = 0; place < dice.count; place++) {
        now.push(keep.includes(place) ? last[place] : faces[await draws.below(dice.faces)]);
      }
      last = now;
      return now;
    },
  };
}

/** Each die of the set has faces of its own; after the first roll, those that show blanks. */
function cards({dice, dice_set: set, risk_faces: risk}, draws) {
  let lying = [];
  return {
    async of({action, dice: written}) {
      if (action !== "roll") return [risk[await draws.below(risk.length)]];
      if (written.length === dice.count) lying = Array(dice.count).fill(BLANK);
      const rolled = [...lying.keys()].filter((die) => lying[die] === BLANK);
      const now = [];
      for (const die of rolled) now.push(lying[die] = set[die][await draws.below(set[die].length)]);
      return now;
    },
  };
}

/** Dice are drawn from a bag in the order of the suits; a new hand begins with a full one. */
function suited({dice, pocket, community}, draws) {
  const full = dice.suits.flatMap(({letter}) => Array(dice.count / dice.suits.length).fill(letter));
  let bag = [...full];
  let dealing = false;
  let shared = [];
  return {
    pause() {
      dealing = false;
    },
    async of({action}) {
      if (action === POCKET && !dealing) {
        bag = [...full];
        shared = [];
      }
      dealing = action === POCKET;
      const again = action === "roll_flop_again";
      const suits = again ? shared.map((die) => die.slice(-1)) : Array(dealing ? pocket : community.find((count) => count > shared.length) - shared.length).fill(null);
      const now = [];
      for (const same of suits) {
        const suit = same ?? bag.splice(await draws.below(bag.length), 1)[0];
        now.push(`${1 + await draws.below(dice.faces)}${suit}`);
      }
      if (again) shared = now;
      else if (!dealing) shared = [...shared, ...now];
      return now;
    },
  };
}
