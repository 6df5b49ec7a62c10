/** The review of a finished game: luck and skill, the curve of expected totals, and the choices that cost most. */

import {diceRow} from "./draw.js";
import {el, fill, svg} from "./dom.js";
import {loss, play} from "./advice.js";
import {seatIn} from "./stored.js";
import {part} from "./api.js";
import {names, number, t} from "./texts.js";

const WORST = 3;
/** The size of the curve, and the space around its lines. */
const WIDE = 640, HIGH = 260, LEFT = 48, RIGHT = 18, TOP = 20, BOTTOM = 34;

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
      seatIn(id)?.proof && el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))));
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
      el("span", null, t("review.when", {turn, roll, count: roll})),
      diceRow(dice, {dice: game.dice, label: t("setup.dice")}),
      el("span", {class: "muted"}, t("review.roll_luck", {luck: signed(luck)}))),
    el("div", {class: "row"},
      el("span", {class: `badge ${word}`}, t(`review.word.${word}`)), play(played, game), el("span", {class: "loss"}, loss(cost, game))),
    cost >= 0.0005 && el("div", {class: "row muted"}, t("review.best"), play(best, game)))));
}

/**
 * A curve for each player; each has a colour, a dash and a mark of its own.
 * @param {{name: string, points: {label: string, value: number}[]}[]} lines
 * @param {{caption: string, across: string}} options `across` names the steps.
 * @returns {HTMLElement}
 */
function curve(lines, {caption, across}) {
  const values = lines.flatMap(({points}) => points.map(({value}) => value));
  const steps = Math.max(...lines.map(({points}) => points.length), 2);
  const [low, high, every] = scale(Math.min(...values), Math.max(...values));
  const x = (at) => LEFT + ((WIDE - LEFT - RIGHT) * at) / (steps - 1);
  const y = (value) => TOP + (HIGH - TOP - BOTTOM) * (1 - (value - low) / (high - low));
  const ticks = Array.from({length: Math.round((high - low) / every) + 1}, (_, at) => low + at * every);
  const labels = lines.reduce((all, {points}) => (points.length > all.length ? points : all), []);
  const apart = Math.ceil(labels.length / 14);
  return el("figure", {class: "curve"},
    el("figcaption", null, caption, el("span", {class: "legend"}, lines.map(({name}, at) => el("span", null,
      svg("svg", {viewBox: "0 0 28 12", class: `line-${at % 6}`, "aria-hidden": true},
        svg("path", {class: "line", d: "M0 6H28"}), mark(14, 6, at)), name)))),
    svg("svg", {viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${caption} ${ends(lines)}`},
      ticks.map((value) => [
        svg("path", {class: "grid", d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}`}),
        svg("text", {x: LEFT - 6, y: y(value) + 4, "text-anchor": "end"}, number(value)),
      ]),
      labels.map(({label}, at) => at % apart === 0 &&
        svg("text", {x: x(at), y: HIGH - 10, "text-anchor": "middle"}, label)),
      lines.map(({points}, line) => svg("g", {class: `line-${line % 6}`},
        svg("path", {class: "line", d: points.map(({value}, at) => `${at ? "L" : "M"}${x(at)} ${y(value)}`).join("")}),
        points.map(({value}, at) => mark(x(at), y(value), line))))),
    el("details", null, el("summary", null, t("curve.figures")), table(lines, labels, caption, across)),
  );
}

/** Round bounds around two values, and the distance of the lines between them. */
function scale(least, most) {
  const rough = Math.max(most - least, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const every = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  const low = Math.floor(least / every) * every;
  return [low, Math.max(Math.ceil(most / every) * every, low + every), every];
}

function mark(x, y, line) {
  if (line % 3 === 0) return svg("circle", {class: "mark", cx: x, cy: y, r: 3.5});
  const shape = line % 3 === 1 ? "h6v6h-6z" : "l3.5 6h-7z";
  return svg("path", {class: "mark", d: `M${line % 3 === 1 ? x - 3 : x} ${y - 3}${shape}`});
}

function ends(lines) {
  return lines.map(({name, points}) => t("curve.ends", {
    name, first: number(points[0].value), last: number(points.at(-1).value),
  })).join(" ");
}

function table(lines, labels, caption, across) {
  return el("table", null, el("caption", {class: "offscreen"}, caption),
    el("thead", null, el("tr", null, el("th", {scope: "col"}, across),
      lines.map(({name}) => el("th", {scope: "col"}, name)))),
    el("tbody", null, labels.map(({label}, at) => el("tr", null, el("th", {scope: "row"}, label),
      lines.map(({points}) => el("td", null, points[at] ? number(points[at].value) : ""))))));
}
