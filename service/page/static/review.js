/** The review of a finished game: luck and skill of each player, and the choices that cost most. */

import {curve} from "./draw/curve.js";
import {diceRow} from "./draw/pots.js";
import {el, fill} from "./dom.js";
import {loss, play} from "./plays.js";
import {part} from "./session.js";
import {names, number, t} from "./texts.js";

const WORST = 3;

/** @param {Element} root @param {string[]} params the id of the session */
export async function view(root, [id], context) {
  const reviews = Object.entries((await part(id, "review", context)).players);
  const game = await context.catalogue.entry(reviews[0][1].variant);
  fill(root,
    el("h1", null, t("review.title", {game: game.name})),
    el("p", {class: "lead"}, t("review.lead")),
    why(reviews),
    curve(reviews.map(([name, review]) => ({name, points: course(review)})),
      {caption: t("review.curve"), across: t("review.turn")}),
    summary(reviews),
    reviews.map(([name, review]) => choices(name, review, game)),
    el("p", {class: "row"},
      el("a", {class: "button", href: `#/session/${id}`}, t("review.back")),
      el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))));
}

/** The expected total at the start and after each turn; after the last one it is the total. */
function course({start, decisions}) {
  const after = new Map(decisions.map(({turn, played}) => [turn, played.expected_total]));
  return [{label: "0", value: start}, ...[...after].map(([turn, value]) => ({label: String(turn), value}))];
}

/** Why the first beats the second, as a sentence. */
function why(reviews) {
  const [[name, best], second] = [...reviews].sort(([, one], [, other]) => other.total - one.total);
  if (!second || best.total === second[1].total) return null;
  return el("p", {class: "verdict true"}, t("review.why", {
    name,
    other: second[0],
    ahead: Math.round(best.total - second[1].total),
    luck: signed(best.luck - second[1].luck),
    skill: signed(second[1].loss - best.loss),
  }));
}

function signed(value) {
  return number(value, {signDisplay: "exceptZero", maximumFractionDigits: 1});
}

function summary(reviews) {
  const rows = [
    ["review.start", ({start}) => one(start)],
    ["review.luck", ({luck}) => signed(luck)],
    ["review.loss", (review) => signed(-review.loss)],
    ["sheet.total", ({total}) => one(total)],
    ["review.accuracy", ({accuracy}) => number(accuracy / 100, {style: "percent"})],
  ];
  return el("div", {class: "pad", tabindex: "0", role: "group", "aria-label": t("review.summary")}, el("table", {class: "sheet"},
    el("caption", {class: "offscreen"}, t("review.summary")),
    el("thead", null, el("tr", null, el("td"), reviews.map(([name]) => el("th", {scope: "col"}, name)))),
    el("tbody", null, rows.map(([key, value]) => el("tr", {class: key === "sheet.total" && "sum"},
      el("th", {scope: "row"}, t(key)), reviews.map(([, review]) => el("td", null, value(review))))))));
}

function one(value) {
  return number(value, {maximumFractionDigits: 1});
}

function choices(name, {decisions}, game) {
  const costly = decisions.filter(({word}) => word !== "good").sort((a, b) => b.loss - a.loss);
  return el("section", null,
    el("h2", null, t("review.choices", {name})),
    costly.length ? list(costly.slice(0, WORST), game) : el("p", null, t("review.perfect")),
    el("details", null, el("summary", null, t("review.all", {count: decisions.length, names: names([name])})), list(decisions, game)));
}

function list(decisions, game) {
  return el("ol", {class: "choices"}, decisions.map(({turn, roll, dice, luck, played, best, loss: cost, word}) => el("li", null,
    el("div", {class: "row"},
      el("span", null, t("review.when", {turn, roll})),
      diceRow(dice, {dice: game.dice, label: t("setup.dice")}),
      el("span", {class: "muted"}, t("review.roll_luck", {luck: signed(luck)}))),
    el("div", {class: "row"},
      el("span", {class: `badge ${word}`}, t(`review.word.${word}`)), play(played, game), el("span", {class: "loss"}, loss(cost, game))),
    cost >= 0.0005 && el("div", {class: "row muted"}, t("review.best"), play(best, game)))));
}
