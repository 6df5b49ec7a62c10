/** Games that compare ranks. At the table: the turn, the hand to beat, the pot, and who is still in. Scored: everybody's dice. */

import {el} from "../dom.js";
import {chips, DiceEntry, diceRow} from "../draw.js";
import {places, players} from "../score.js";
import {number, t} from "../texts.js";
import {turnDice} from "../turn.js";

export {after, rolled} from "../turn.js";

export function felt(table) {
  const {state, entry} = table;
  const {turn, best} = state;
  const rank = (id) => entry.ranks.find((each) => each.id === id).name;
  return [
    el("p", {class: "row between"}, el("span", null, t(state.rounds ? "play.round" : "play.round_alone", state)),
      !state.over && el("strong", {class: "pot"}, state.pot > 0 && chips(state.pot), t("play.pot", {amount: number(state.pot)})),
      state.price !== null && el("span", null, t("play.price", {amount: state.price}))),
    best && el("div", {class: "to-beat"}, el("p", null, t("play.to_beat", {name: best.player, rank: rank(best.rank)})),
      diceRow(best.dice, {dice: entry.dice, label: t("play.best_dice")})),
    turn && el("p", {class: "row between"}, el("strong", null, turn.player),
      turn.rank && el("span", null, rank(turn.rank)), el("span", null, t("play.rolls_left", {count: turn.rolls_left}))),
    turn?.dice?.length > 0 && [turnDice(table, turn.dice), turn.reason && el("p", {class: "hint"}, turn.reason)],
    state.over && showdown(table, state.news),
  ];
}

/** The hand that took the pot, if one has just been shown. */
export function showdown({entry}, news) {
  const taken = news.findLast(({what, dice}) => what === "collects" && dice);
  if (!taken) return null;
  const {name} = entry.ranks.find(({id}) => id === taken.rank);
  return el("div", {class: "to-beat"}, el("h2", {class: "pot"}, t("play.took", {name: taken.player, amount: taken.amount, rank: name})),
    diceRow(taken.dice, {dice: entry.dice, label: t("play.best_dice")}));
}

export function side({state}) {
  return el("ul", {class: "list seats"}, state.players.map(({id, stack, standing, reason}) => el("li", {class: `card ${state.to_act.includes(id) ? "current" : ""}`, "data-key": `seat ${id}`},
    el("p", {class: "row between"}, el("strong", null, id), el("span", null, t("play.chips", {amount: number(stack)}))),
    !state.over && el("p", {class: "muted"}, t(`play.standing.${standing}`), reason && ` · ${reason}`))));
}

/** @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const dice = new DiceEntry(game);
  const seated = players(game.players, {start: 2, changed: () => {
    rows();
    changed();
  }});

  function rows() {
    dice.rows = seated.list.map((player) => ({
      key: player.key, label: player.name, count: game.hand_size, before: player.input, after: player.remove,
    }));
  }

  function changed() {
    const hands = seated.list.map(({key, name}) => ({id: name, dice: dice.values(key, game.hand_size)}))
      .filter((hand) => !hand.dice.includes(undefined));
    show(async () => {
      if (!hands.length) return el("p", {class: "muted"}, t("score.wait_hand", {count: game.hand_size}));
      return places(await ask("rank", {players: hands}), game);
    });
  }

  dice.addEventListener("change", changed);
  rows();
  changed();
  return {entry: el("section", {class: "card"}, dice, el("p", {class: "row"}, seated.add)), changed};
}
