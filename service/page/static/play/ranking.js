/** Games that compare ranks: the turn, the hand to beat, the pot, and who is still in. */

import {diceRow} from "../draw/dice.js";
import {el} from "../dom.js";
import {named, number, t} from "../texts.js";
import {keepable} from "./dice.js";

export function felt(table) {
  const {state, entry} = table;
  const {turn, best} = state;
  const rank = (id) => named(entry.ranks.find((each) => each.id === id) ?? {id, name: id});
  return [
    el("p", {class: "row between"}, el("span", null, t(state.rounds ? "play.round" : "play.round_alone", state)),
      !state.over && el("strong", null, t("play.pot", {amount: state.pot})),
      state.price !== null && el("span", null, t("play.price", {amount: state.price}))),
    best && el("div", {class: "to-beat"}, el("p", null, t("play.to_beat", {name: best.player, rank: rank(best.rank)})),
      diceRow(best.dice, {dice: entry.dice, label: t("play.best_dice")})),
    turn && el("p", {class: "row between"}, el("strong", null, turn.player),
      turn.rank && el("span", null, rank(turn.rank)), el("span", null, t("play.rolls_left", {count: turn.rolls_left}))),
    turn?.dice?.length > 0 && [keepable(table, turn.dice), turn.reason && el("p", {class: "hint", lang: "en"}, turn.reason)],
    lastHand(table, rank),
  ];
}

/** The hand that took the last pot, until the next one is rolled. */
function lastHand({state, entry}, rank) {
  const taken = state.news.findLast(({what, dice}) => what === "collects" && dice);
  if (!taken || state.turn || state.best) return null;
  return el("div", {class: "to-beat"}, el("p", null, t("play.took", {name: taken.player, amount: taken.amount, rank: rank(taken.rank)})),
    diceRow(taken.dice, {dice: entry.dice, label: t("play.best_dice")}));
}

export function side({state}) {
  return el("ul", {class: "list seats"}, state.players.map(({id, stack, standing, reason}) => el("li", {class: `card ${state.to_act.includes(id) ? "current" : ""}`},
    el("p", {class: "row between"}, el("strong", null, id), el("span", null, t("play.chips", {amount: number(stack)}))),
    !state.over && el("p", {class: "muted"}, t(`play.standing.${standing}`, {}, standing), reason && el("span", {lang: "en"}, ` · ${reason}`)))));
}
