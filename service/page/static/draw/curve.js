/** Lines over the course of a game, with the figures as a table. */

import {el, svg} from "../dom.js";
import {number, t} from "../texts.js";

const WIDE = 640, HIGH = 260, LEFT = 48, RIGHT = 18, TOP = 20, BOTTOM = 34;

/**
 * A curve for each player; each has a colour, a dash and a mark of its own.
 * @param {{name: string, points: {label: string, value: number}[]}[]} lines
 * @param {{caption: string, across: string}} options `across` names the steps.
 * @returns {HTMLElement}
 */
export function curve(lines, {caption, across}) {
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
