/** Entering the hands of several players. */

import {el} from "../dom.js";
import {DiceEntry} from "../enter.js";
import {places, players} from "../score.js";
import {t} from "../texts.js";

/** @param {any} game @param {import("../score.js").Asking} asking */
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
