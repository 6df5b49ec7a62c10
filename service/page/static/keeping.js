// @ts-check
/** The score of a game with real dice: who plays, and what they wrote, turn by turn. Each change makes a new sheet; nothing here draws or asks. */

import {read, write} from "./stored.js";

const STORED = "dice-table-sheet-";

/** @param {string} game its id @returns {Sheet | null} */
export const kept = (game) => read(STORED + game);

/** @param {string} game its id @param {Sheet} sheet */
export const keep = (game, sheet) => write(STORED + game, sheet);

/** @returns {Draft} */
export const emptyDraft = () => ({points: {}, stakes: {}, risk: ""});

/**
 * The sheet with a further player.
 * @param {Sheet} sheet
 * @param {(number: number) => string} named their name, by the number of players before them and one
 * @returns {Sheet}
 */
export function joined({seats, ...sheet}, named) {
  return {...sheet, seats: [...seats, {key: Math.max(0, ...seats.map(({key}) => key)) + 1, name: named(seats.length + 1)}]};
}

/** The sheet without a player. @param {Sheet} sheet @param {number} gone @returns {Sheet} */
export function parted({turns, ...sheet}, gone) {
  const seats = sheet.seats.filter(({key}) => key !== gone);
  const current = seats.some(({key}) => key === sheet.current) ? sheet.current : seats[0].key;
  return {...sheet, seats, current, turns: turns.filter(({points}) => seats.some(({key}) => key in points))};
}

/** The sheet after a turn, which takes the place of the one that is edited. @param {Sheet} sheet @param {Turn} turn @param {Draft} draft @returns {Sheet} */
export function written(sheet, turn, {edited, back}) {
  const {seats, turns, current} = sheet;
  const next = seats[(seats.findIndex(({key}) => key === current) + 1) % seats.length].key;
  return {...sheet, current: back ?? next, turns: edited ? turns.map((each) => (each === edited ? turn : each)) : [...turns, turn]};
}

/**
 * The sheet with other points in a box, or with null an open one. If it `counts` how often a player had
 * the bonus for repeats, further ones are added from there on.
 * @param {Sheet} sheet @param {number} key @param {string} box @param {number | null} score @param {boolean} [counts]
 * @returns {Sheet}
 */
export function corrected(sheet, key, box, score, counts = false) {
  const same = (/** @type {Turn} */ turn) => turn.box === box && key in turn.points;
  const before = sheet.turns.find(same);
  const others = sheet.turns.filter((each) => each !== before);
  if (score === null) return {...sheet, turns: others};
  const turn = {...before, box, points: {[key]: score}, dice: undefined};
  return {...sheet, turns: before && !counts ? sheet.turns.map((each) => (each === before ? turn : each)) : [...others, turn]};
}

/** What is written on the card of a player. @param {Turn[]} turns @param {number} key @param {string} [counter] */
export function cardOf(turns, key, counter = "") {
  /** @type {Record<string, number>} */
  const card = {};
  for (const {points, box, further} of turns) {
    if (box === undefined || !(key in points)) continue;
    card[box] = points[key];
    if (further) card[counter] = (card[counter] ?? 0) + 1;
  }
  return card;
}

/** All points of a player. @param {Turn[]} turns @param {number} key */
export const sum = (turns, key) => turns.reduce((all, {points}) => all + (points[key] ?? 0), 0);
