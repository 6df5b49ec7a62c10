/** Entering the shared dice and the pockets: every hand, and at the end the showdown with its pots. */

import {el} from "../dom.js";
import {diceRow, pots} from "../draw/dice.js";
import {DiceEntry} from "../enter.js";
import {places, players} from "../score.js";
import {named, names, t} from "../texts.js";

const SHARED = "community";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const perSuit = game.dice.count / game.dice.suits.length;
  const suitOf = (face) => face.slice(-1);
  const taken = (face, all) => all.filter((other) => suitOf(other) === suitOf(face)).length >= perSuit;
  const most = Math.max(...game.community);
  const dice = new DiceEntry(game, {taken});
  const stakes = new Map();
  const seated = players(game.players, {start: 2, changed: () => {
    rows();
    changed();
  }});

  /** What a player has paid, and the button that removes them. */
  function stake({key, name, remove}) {
    if (!stakes.has(key)) {
      const paid = el("input", {type: "number", min: 0, inputmode: "numeric", onchange: changed});
      const folded = el("input", {type: "checkbox", onchange: changed});
      const group = el("div", {class: "stake", role: "group"},
        el("label", null, t("score.paid"), paid), el("label", null, folded, t("score.folded")));
      stakes.set(key, {paid, folded, group, row: el("div", {class: "row"}, group, remove)});
    }
    stakes.get(key).group.ariaLabel = name;
    return stakes.get(key);
  }

  function rows() {
    dice.rows = [
      {key: SHARED, label: t("play.community"), count: most},
      ...seated.list.map((player) => ({
        key: player.key, label: player.name, count: game.pocket, before: player.input,
        after: stake(player).row,
      })),
    ];
  }

  function changed() {
    const community = dice.values(SHARED, most).filter((face) => face !== undefined);
    const hands = seated.list.map((player) => {
      const pocket = dice.values(player.key, game.pocket);
      return {player, pocket: pocket.includes(undefined) ? undefined : pocket, ...stake(player)};
    });
    // Nobody sees the pocket of a player who has folded, but what they paid is in the pots.
    const known = hands.filter(({pocket, folded}) => pocket || folded.checked);
    const missing = hands.filter((hand) => !known.includes(hand) && Number(hand.paid.value) > 0);
    show(() => shown(community, known, missing.map(({player}) => player.name)));
  }

  /** What the known hands are worth. There are no pots while players who have paid are `missing`. */
  async function shown(community, hands, missing) {
    if (!hands.some(({pocket}) => pocket) || !game.community.includes(community.length)) {
      return el("p", {class: "muted"}, t("score.wait_pocket"));
    }
    if (community.length < most || hands.length < 2) {
      return Promise.all(hands.filter(({pocket}) => pocket).map(({player, pocket}) => alone(player.name, pocket, community)));
    }
    const bets = !missing.length && hands.some(({paid}) => paid.value !== "");
    const answer = await ask("rank", {community, players: hands.map(({player, pocket, paid, folded}) => ({
      id: player.name, pocket, folded: folded.checked, ...(bets && {paid: Number(paid.value)}),
    }))});
    return [
      places(answer, game),
      missing.length > 0 && el("p", {class: "muted"}, t("score.wait_paid", {names: names(missing)})),
      answer.pots && [el("h2", null, t("score.pots")), pots(answer.pots)],
    ];
  }

  async function alone(name, pocket, community) {
    const {rank, best, holds} = await ask("evaluate", {pocket, community});
    const entry = game.ranks.find(({id}) => id === rank);
    const held = holds && (holds.pair ? "score.pocket_pair" : holds.suited ? "score.pocket_suited" : "score.pocket_mixed");
    return el("div", {class: "alone"},
      el("p", null, el("strong", null, name), " · ", entry ? named(entry) : t(held)),
      diceRow(best.length ? best : pocket, {dice: game.dice, label: t("score.hand_of", {name})}),
      entry && !entry.winning && el("p", {class: "muted"}, t("score.cannot_win")));
  }

  dice.addEventListener("change", changed);
  rows();
  changed();
  return {entry: el("section", {class: "card"}, dice, el("p", {class: "row"}, seated.add)), changed};
}
