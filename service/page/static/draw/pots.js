/** What lies on a table where players bet: the shared dice, the pockets, the pots and who gets them. */

import {el, svg} from "../dom.js";
import {names, number, t} from "../texts.js";
import {die} from "./die.js";

/**
 * Dice in a row, with a place for each that is still to come.
 * @param {(number | string | null)[]} faces null is a hidden die.
 * @param {{dice: any, label: string, count?: number, best?: (number | string)[]}} options `best`
 *   are the dice that count: the others are drawn paler.
 * @returns {HTMLElement}
 */
export function diceRow(faces, {dice, label, count = faces.length, best}) {
  const left = best ? [...best] : null;
  const counts = (face) => {
    if (!left) return true;
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  return el("div", {class: "dice", role: "group", "aria-label": label},
    faces.map((face) => die(face, {dice, class: counts(face) ? "" : "idle"})),
    Array.from({length: Math.max(count - faces.length, 0)}, () => el("span", {class: "die slot"})),
  );
}

/**
 * Every pot with its chips, who can win it, and who does.
 * @param {{amount: number, eligible: string[], payouts?: Record<string, number>}[]} pots
 * @returns {HTMLElement}
 */
export function pots(pots) {
  return el("ul", {class: "pots"}, pots.map(({amount, eligible, payouts}, at) => el("li", null,
    chips(amount),
    el("span", null,
      el("strong", null, t(at ? "pots.side" : "pots.main", {at}), " ", number(amount)),
      el("small", null, t("pots.eligible", {names: names(eligible)})),
      payouts && Object.entries(payouts).map(([name, share]) =>
        el("span", {class: "share"}, t("pots.share", {name, amount: number(share)}))),
    ),
  )));
}

/** A pile whose height grows slowly with the amount. */
function chips(amount) {
  const count = Math.min(1 + Math.round(Math.log2(1 + amount / 20)), 7);
  return svg("svg", {class: "chips", viewBox: "0 0 40 40", "aria-hidden": true, focusable: "false"},
    Array.from({length: count}, (_, at) => svg("g", {transform: `translate(0 ${-4 * at})`},
      svg("ellipse", {class: `chip chip-${at % 2}`, cx: 20, cy: 32, rx: 16, ry: 6}),
      svg("ellipse", {class: "chip rim", cx: 20, cy: 31, rx: 10, ry: 3.4}))));
}
