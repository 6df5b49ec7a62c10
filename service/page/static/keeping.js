// @ts-check
/** The score of a game with real dice, turn by turn. Each change makes a new sheet; nothing here draws or asks. */

import {read, write} from "./stored.js";

const STORED = "dice-table-sheet-";

/** @returns {Sheet | null} */
export const kept = (game) => read(STORED + game);

/** @param {string} game @param {Sheet} sheet */
export const keep = (game, sheet) => write(STORED + game, sheet);

/** @returns {Draft} */
export const emptyDraft = () => ({points: {}, stakes: {}, risk: ""});

/** @param {Sheet} sheet @param {(number: number) => string} named @returns {Sheet} */
export function joined({seats, ...sheet}, named) {
  return {...sheet, seats: [...seats, {key: Math.max(0, ...seats.map(({key}) => key)) + 1, name: named(seats.length + 1)}]};
}

/** @param {Sheet} sheet @param {number} gone @returns {Sheet} */
export function parted({turns, ...sheet}, gone) {
  const seats = sheet.seats.filter(({key}) => key !== gone);
  const current = seats.some(({key}) => key === sheet.current) ? sheet.current : seats[0].key;
  return {...sheet, seats, current, turns: turns.filter(({points}) => seats.some(({key}) => key in points))};
}

/** The turn takes the place of the one that is edited. @param {Sheet} sheet @param {Turn} turn @param {Draft} draft @returns {Sheet} */
export function written(sheet, turn, {edited, back}) {
  const {seats, turns, current} = sheet;
  const next = seats[(seats.findIndex(({key}) => key === current) + 1) % seats.length].key;
  return {...sheet, current: back ?? next, turns: edited ? turns.map((each) => (each === edited ? turn : each)) : [...turns, turn]};
}

/**
 * With null the box is open again. If it `counts` how often a player had the bonus for repeats, further ones are added from there on.
 * @param {Sheet} sheet @param {number} key @param {string} box @param {number | null} score @returns {Sheet}
 */
export function corrected(sheet, key, box, score, counts = false) {
  const same = (/** @type {Turn} */ turn) => turn.box === box && key in turn.points;
  const before = sheet.turns.find(same);
  const others = sheet.turns.filter((each) => each !== before);
  if (score === null) return {...sheet, turns: others};
  const turn = {...before, box, points: {[key]: score}, dice: undefined};
  return {...sheet, turns: before && !counts ? sheet.turns.map((each) => (each === before ? turn : each)) : [...others, turn]};
}

/** @param {Turn[]} turns @param {number} key */
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

/** @param {Turn[]} turns @param {number} key */
export const sum = (turns, key) => turns.reduce((all, {points}) => all + (points[key] ?? 0), 0);
