/** The hands of a layout as they lie on the table, crossing each other, and as a list. */

import {el, svg} from "../dom.js";
import {named, number, t} from "../texts.js";
import {die, dieName} from "./die.js";

const CELL = 64, GAP = 4, STEP = CELL + GAP;

/**
 * @typedef {{hand: string, cards: string[], dice: number[], points: number, reason: string,
 *   direction?: "across" | "down", row?: number, column?: number}} Hand As the service returns it.
 */

/**
 * A layout on felt, and the list of its hands.
 * @param {Hand[]} hands Without places, as if a die counts in three hands, only the list is drawn.
 * @param {{game: any}} options `game` is the entry of the catalogue.
 * @returns {HTMLElement}
 */
export function crossword(hands, {game}) {
  const placed = hands.filter((hand) => hand.direction === "across" || hand.direction === "down");
  const names = new Map(game.hands.map((hand) => [hand.id, named(hand)]));
  const list = el("ol", {class: "hands"}, hands.map((hand) => el("li", null,
    el("span", {class: "dice small"}, hand.cards.map((card) => die(card, {dice: game.dice}))),
    el("span", null, el("strong", null, names.get(hand.hand) ?? hand.hand), " ", number(hand.points),
      el("small", {lang: "en"}, hand.reason)),
  )));
  return el("div", {class: "crossword"}, placed.length > 0 && grid(placed, names, game), list);
}

function grid(hands, names, game) {
  const cells = new Map(hands.flatMap((hand) => places(hand).map(([row, column], at) =>
    [`${row} ${column}`, {row, column, face: hand.cards[at]}])));
  const wide = Math.max(...[...cells.values()].map(({column}) => column)) + 1;
  const high = Math.max(...[...cells.values()].map(({row}) => row)) + 1;
  const words = hands.map((hand) => t("crossword.hand", {
    hand: names.get(hand.hand) ?? hand.hand,
    cards: hand.cards.map((card) => dieName(card, game.dice)).join(", "),
    direction: t(`crossword.${hand.direction}`),
    row: hand.row + 1,
    column: hand.column + 1,
  }));
  return el("div", {class: "felt"}, svg("svg", {
    class: "grid",
    viewBox: `${-GAP} ${-GAP} ${wide * STEP + GAP} ${high * STEP + GAP}`,
    style: {"max-width": `${wide * 4}rem`},
    role: "img",
    "aria-label": words.join(" "),
  },
  hands.map((hand) => {
    const across = hand.direction === "across";
    const length = hand.cards.length * STEP;
    return svg("rect", {
      class: "line", x: hand.column * STEP - GAP / 2, y: hand.row * STEP - GAP / 2, rx: 14,
      width: across ? length : STEP, height: across ? STEP : length,
    });
  }),
  [...cells.values()].map(({row, column, face}) => {
    const picture = die(face, {dice: game.dice, label: ""});
    for (const [name, value] of [["x", column * STEP], ["y", row * STEP], ["width", CELL], ["height", CELL]]) {
      picture.setAttribute(name, value);
    }
    return picture;
  })));
}

function places({row, column, direction, cards}) {
  return cards.map((_, at) => (direction === "across" ? [row, column + at] : [row + at, column]));
}
