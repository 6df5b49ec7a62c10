/** What a player can do with dice, as advice and reviews name it: in words and drawn. */

import {el} from "./dom.js";
import {die, dieName} from "./draw/die.js";
import {named, names, number, t, words} from "./texts.js";

/**
 * A play with its dice, such as "keep 6 6".
 * @param {{action: string, keep?: number[], dice?: any[], box?: string, score?: number}} play
 * @param {any} game the entry of the catalogue
 * @returns {HTMLElement}
 */
export function play(play, game) {
  const keeps = play.action === "roll" && play.dice?.length > 0;
  return el("span", {class: "play"}, keeps ? t("plays.keeps") : playName(play, game),
    keeps && el("span", {class: "dice small"}, play.dice.map((face) => die(face, {dice: game.dice}))));
}

/** A play in words. */
export function playName({action, dice = [], box, score}, game) {
  if (action === "roll" && !dice.length) return t("plays.roll_all");
  if (action === "roll") return t("plays.keep", {dice: names(dice.map((face) => dieName(face, game.dice)))});
  const entry = box && game.boxes.find(({id}) => id === box);
  if (entry) return t(`plays.${action}`, {box: named(entry), score: score ?? 0});
  return t(`action.${action}`, {count: 0}, words(action));
}

/** Whether two plays are the same: which of several equal dice are kept makes no difference. */
export function samePlay(one, other) {
  const kept = ({dice = []}) => [...dice].map(String).sort().join();
  return one.action === other.action && one.box === other.box && kept(one) === kept(other);
}

/** How much a value is, as the game counts: a share of 1 as per cent, otherwise points. */
export function worth(value, game) {
  return game.kind === "ranking" || game.kind === "community"
    ? number(value, {style: "percent", maximumFractionDigits: 1})
    : t("plays.points", {count: rounded(value)});
}

/** A loss, with its sign; nothing worth mentioning is 0. */
export function loss(value, game) {
  return value < 0.0005 ? "" : `−${worth(value, game)}`;
}

/** To a tenth; what would be no tenth at all keeps more digits. */
function rounded(value) {
  const unit = Math.abs(value) < 0.1 ? 1000 : 10;
  return Math.round(value * unit) / unit;
}
