/** What lies on the felt once a game is over: everybody's total, the greatest first. */

import {el} from "../dom.js";
import {number, t} from "../texts.js";

/** @param {Record<string, number>} totals */
export function standings(totals) {
  const order = Object.entries(totals).sort(([, one], [, other]) => other - one);
  return [
    el("h2", null, t("play.standings")),
    el("ol", {class: "list standings"}, order.map(([name, total]) => el("li", {class: "row between"},
      el("span", null, name), el("strong", null, number(total))))),
  ];
}
