/** Entering the rolls of a turn, and the best crossword of its dice. */

import {el} from "../dom.js";
import {BLANK, crossword} from "../draw/dice.js";
import {DiceEntry} from "../enter.js";
import {t} from "../texts.js";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show, rules}) {
  const dice = new DiceEntry(game, {blank: true, taken: (face, all) => face !== BLANK && !rules.value("repeated_cards") && all.includes(face)});
  const risk = el("select", {onchange: changed}, el("option", {value: ""}, t("score.no_risk")),
    [...new Set(game.risk_faces)].sort().map((face) => el("option", {value: face}, face || t("die.blank"))));
  let rolls = [];

  /** A row for each roll that was made: a further one for as many dice as showed blanks. */
  function rows() {
    rolls = [];
    const all = [];
    for (let count = game.dice.count; count && all.length < game.rolls;) {
      all.push({key: `roll ${all.length}`, label: t("score.roll", {number: all.length + 1}), count});
      const faces = dice.values(all.at(-1).key, count);
      if (faces.includes(undefined)) break;
      rolls.push(faces);
      count = faces.filter((face) => face === BLANK).length;
    }
    dice.rows = all;
  }

  function changed() {
    rows();
    show(async () => {
      if (!rolls.length) return el("p", {class: "muted"}, t("score.wait_dice", {count: game.dice.count}));
      return layout(await ask("evaluate", {rolls, ...(risk.value !== "" && {risk: Number(risk.value)})}));
    });
  }

  function layout({opened, missing, hands, all_dice_bonus: bonus, score, wins_game: wins}) {
    return [
      el("h2", null, opened ? t("plays.points", {count: score}) : t("score.closed")),
      !opened && el("p", {class: "muted", lang: "en"}, missing),
      wins && el("p", {class: "good"}, t("score.wins_game")),
      hands.length > 0 && crossword(hands, {game}),
      bonus > 0 && el("p", null, t("score.all_dice", {points: bonus})),
    ];
  }

  dice.addEventListener("change", changed);
  changed();
  return {entry: el("section", {class: "card"}, dice, el("p", null, el("label", null, t("score.risk"), " ", risk))), changed};
}
