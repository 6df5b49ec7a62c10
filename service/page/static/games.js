/** What the page adds to the catalogue: an emblem of each game, and how long one takes. Its colour is in the style sheet. */

import {el, svg} from "./dom.js";

/**
 * By the id of a game: about how many minutes two players need, and the emblem, drawn by lines in a
 * square of 24. The minutes are from games of two computers, at 8 s for an action on a score card or
 * a roll of poker dice, 12 s for a layout, which one has to read, and 4 s for a bet.
 */
const GAMES = {
  "dice-poker": [15, "M6 3h12v18H6zM9.5 8h5m-5 4h5m-5 4h3"],
  "poker-dice": [10, "M3.5 3.5h17v17h-17zM8 7.4l.6.6-.6.6-.6-.6zM16 15.4l.6.6-.6.6-.6-.6zM12 11.4l.6.6-.6.6-.6-.6z"],
  "roll-a-royal": [15, "M5 19h14l2-11-5 4-4-7-4 7-5-4z"],
  "texas-holdem-dice": [30, "M12 3C9 8 4 10.5 4 14.5a4 4 0 0 0 7 2.5L9.5 21h5L13 17a4 4 0 0 0 7-2.5C20 10.5 15 8 12 3z"],
  "yahtzee-deluxe": [15, "M12 3l2.8 6 6.2.8-4.600 4.400 1.200 6.300L12 17.5l-5.600 3 1.200-6.300L3 9.800 9.200 9z"],
};
const PLAIN = "M4 4h16v16H4zM12 11l1 1-1 1-1-1z";

/** About how many minutes a game of two takes, or undefined for a game that was added. @param {string} id */
export const minutes = (id) => GAMES[id]?.[0];

/** The emblem of a game on a chip of its colour. @param {string} id */
export function token(id) {
  return el("span", {class: "token", "data-game": id, "aria-hidden": true}, svg("svg", {viewBox: "0 0 24 24"}, svg("path", {d: GAMES[id]?.[1] ?? PLAIN})));
}
