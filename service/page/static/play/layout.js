/** Games that lay dice out as a crossword: the dice, the layout once it lies, and the totals. */

import {BLANK, crossword, diceRow} from "../draw/dice.js";
import {standings} from "../draw/sheet.js";
import {el} from "../dom.js";
import {names, number, t} from "../texts.js";
import {empty, typed} from "./dice.js";

export function felt(table) {
  const {state, entry} = table;
  const {turn} = state;
  if (turn) table.laid = turn.laid;
  if (state.over) return [standings(state.places), table.laid && crossword(table.laid.hands, {game: entry})];
  if (!turn) return el("p", null, t("play.who_begins"));
  const dice = !turn.dice.length && typed(table) ? null : turn.dice.length ? diceRow(turn.dice, {dice: entry.dice, label: t("play.dice")}) : empty(entry.dice.count);
  return [
    el("p", {class: "row between"}, el("strong", null, turn.player),
      el("span", null, t("play.rolls_left", {count: turn.rolls_left}))),
    !turn.rolls.length && passed(state, entry),
    turn.laid?.hands.length ? crossword(turn.laid.hands, {game: entry}) : dice,
    turn.laid && el("p", {class: "points"}, el("strong", null, t("plays.points", {count: turn.laid.points})),
      turn.laid.all_dice_bonus > 0 && t("play.all_dice", {amount: turn.laid.all_dice_bonus})),
    table.actions.some(({action}) => action === "risk") && el("p", {class: "hint"},
      t("play.risk", {faces: names([...new Set(entry.risk_faces)].filter(Boolean).map(String))})),
    !turn.laid && turn.dice.includes(BLANK) && el("p", {class: "hint"}, t("play.blanks", {count: turn.blanks.length})),
  ];
}

/** The first roll of the player before, if it didn't open. */
function passed({news}, entry) {
  const before = news.find(({what, dice}) => what === "passed" && dice);
  if (!before) return null;
  return el("div", {class: "to-beat"}, el("p", null, t("play.passed", {name: before.player})),
    diceRow(before.dice, {dice: entry.dice, label: t("play.dice")}));
}

export function side({state}) {
  const order = state.order ?? Object.keys(state.totals);
  return el("ul", {class: "list seats"}, order.map((name) => el("li", {class: `card ${state.to_act.includes(name) ? "current" : ""}`},
    el("p", {class: "row between"}, el("strong", null, name), el("strong", null, number(state.totals[name]))),
    el("p", {class: "muted"}, t("play.turns_played", {count: state.turns_played[name] ?? 0})))));
}
