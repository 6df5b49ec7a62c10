/** Score sheets, as tables: a row for each box, a column for each card; and the standings at the end. */

import {el} from "../dom.js";
import {named, number, t, words} from "../texts.js";

/**
 * @typedef {{scores: Record<string, number | null>, upper: number, bonus: number, lower: number,
 *   total: number}} Card As the service returns it.
 */

/**
 * The sheet of a game.
 * @param {{name: string | Node, card: Card, current?: boolean}[]} cards
 * @param {{game: any, caption: string, cell?: (column: number, box: any, score: number | null) => any}}
 *   options `game` is the entry of the catalogue. `cell` may return what stands in a box in place of
 *   its score, such as a button.
 * @returns {HTMLTableElement}
 */
export function sheet(cards, {game, caption, cell = () => null}) {
  const {card_field: counter, bonus_rule: bonus} = game.repeats ?? {};
  const repeated = counter && cards.some(({card}) => `${counter}_points` in card) && `${counter}_points`;
  const sections = Map.groupBy(game.boxes, (box) => box.section);
  const sum = (key, label, extra = "") =>
    el("tr", {class: `sum ${extra}`}, el("th", {scope: "row"}, label), cards.map(({card, current}) =>
      el("td", {class: current && "current"}, card[key] ?? 0)));
  return el("table", {class: "sheet"},
    el("caption", {class: "offscreen"}, caption),
    el("thead", null, el("tr", null, el("th", {scope: "col"}, t("sheet.box")),
      cards.map(({name, current}) => el("th", {scope: "col", class: current && "current"}, name)))),
    [...sections].map(([section, boxes]) => el("tbody", null,
      boxes.map((box) => row(box, cards, cell)),
      section === "upper" && [
        sum("upper", t("sheet.upper")),
        game.upper_bonus && sum("bonus", t("sheet.bonus", game.upper_bonus)),
      ],
    )),
    el("tfoot", null, repeated && sum(repeated, t(`rule.${bonus}`, {}, words(bonus))), sum("total", t("sheet.total"), "total")),
  );
}

function row(box, cards, cell) {
  const score = box.points === null ? box.scores : box.needs;
  return el("tr", null,
    el("th", {scope: "row", title: score}, named(box), box.points && el("small", null, ` ${box.points}`)),
    cards.map(({card, current}, column) => {
      const written = card.scores[box.id] ?? null;
      return el("td", {class: `${current ? "current" : ""} ${written === 0 ? "crossed" : ""}`},
        cell(column, box, written) ?? written);
    }),
  );
}

/**
 * What lies on the felt once a game is over: everybody's total, in the order of their places.
 * @param {{players: string[], total: number}[]} places
 */
export function standings(places) {
  return [
    el("h2", null, t("play.standings")),
    el("ol", {class: "list standings"}, places.map(({players, total}) => players.map((name) => el("li", {class: "row between"},
      el("span", null, name), el("strong", null, number(total)))))),
  ];
}
