/** Entering the hands of several players, and the order of these hands. */

import {el} from "../dom.js";
import {diceRow} from "../draw/pots.js";
import {DiceEntry} from "../enter.js";
import {named, names, t} from "../texts.js";
import {players} from "./players.js";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const dice = new DiceEntry(game);
  const seated = players(game.players, {start: 2, changed: () => {
    rows();
    changed();
  }});

  function rows() {
    dice.rows = seated.list.map((player) => ({
      key: player.key, label: player.name, count: game.hand_size, before: player.input, after: seated.remove(player),
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
  return {entry: el("section", {class: "card"}, dice, el("p", {class: "row"}, seated.add))};
}

/**
 * The players in order, each with the hand and what separates it from the next.
 * @param {any} answer of the operation `rank`
 * @param {any} game the entry of the catalogue
 */
export function places({places, winners}, game) {
  const ranks = new Map(game.ranks?.map((rank) => [rank.id, named(rank)]));
  return [
    el("h2", null, t("score.wins", {names: names(winners), count: winners.length})),
    el("ol", {class: "ranking"}, places.map(({place, players: tied, rank, reason, best, hands}) => el("li", null,
      el("span", {class: "place", "aria-hidden": true}, place),
      el("div", null,
        el("p", null, el("strong", null, names(tied)), rank && ` · ${ranks.get(rank)}`),
        (hands ?? (best ? [{id: names(tied), best}] : [])).map((hand) =>
          diceRow(hand.best, {dice: game.dice, label: t("score.hand_of", {name: hand.id})})),
        el("p", {class: "muted", lang: "en"}, reason))))),
  ];
}
