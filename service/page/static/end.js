// @ts-check
/** How a game stands, and how it ended: the totals, the best roll, and the curve of the chances to win. */

import {part} from "./api.js";
import {el} from "./dom.js";
import {diceRow} from "./draw.js";
import {number, t} from "./texts.js";

/** The points or chips of each player, in the order of their places once there are some. @param {any} state @returns {[string, number][]} */
function totals({places, cards, totals, players, winners}) {
  if (places) return places.flatMap(({players, total}) => players.map((name) => [name, total]));
  if (cards) return Object.entries(cards).map(([name, {total}]) => [name, total]);
  const all = players ? players.map(({id, chips, stack = chips}) => [id, stack]) : Object.entries(totals);
  return winners.length ? all.toSorted(([one, less], [other, more]) => winners.includes(other) - winners.includes(one) || more - less) : all;
}

/** All players with their totals; those in front who have won, or are to act. @param {any} state */
export function standings(state) {
  const first = state.over ? state.winners : state.to_act;
  return el("ol", {class: "list standings", "aria-label": t(state.over ? "play.standings" : "play.totals")}, totals(state).map(([name, total]) => el("li", {class: first.includes(name) ? "first" : "", "data-key": name},
    el("span", null, name), " ", el("strong", null, number(total)))));
}

/**
 * What there is to remember of a game that is over: the best roll, and the curve of chances, each once it is known.
 * @param {any} session @param {any} game its entry in the catalogue @param {any} context of the view
 * @returns {Promise<any>[]}
 */
export function memories({id}, game, context) {
  const asked = (/** @type {string} */ name) => part(id, name, context, {quiet: true});
  const drawn = async () => {
    const [{curve: moves}, {curve}] = await Promise.all([asked("review"), import("./advice.js")]);
    return moves.length > 0 && el("div", {class: "card"}, curve(moves));
  };
  return [asked("events").then(({events}) => best(events, game)), ...(game.links.review ? [drawn()] : [])];
}

/** The best roll of all, with its dice. @param {any[]} events */
function best(events, game) {
  const all = news(events).flatMap((each) => roll(each, game));
  if (!all.length) return null;
  const {name, dice, what} = all.reduce((one, other) => (other.worth > one.worth ? other : one));
  return el("div", {class: "best-roll"}, el("p", null, t("end.best", {name, what})), dice && diceRow(dice, {dice: game.dice, label: t("play.best_dice")}));
}

/** The news of all events that were not taken back. @param {any[]} events @returns {any[]} */
export function news(events) {
  const all = [];
  for (let at = events.length; at > 0;) {
    const event = events[at - 1];
    if (event.action !== "take_back") all.push(event);
    at = event.action === "take_back" ? event.to : at - 1;
  }
  return all.reverse().flatMap((event) => [event, ...event.then]).flatMap(({news}) => news);
}

/** The roll that the news are about, if any: the dice that count, what they are, and a `worth` to compare with others of its game. */
function roll({what, player, dice, box, score, rank, strength, points, places}, {boxes, ranks}) {
  const named = (list, id) => list.find((each) => each.id === id).name;
  if (what === "written") return dice ? {name: player, dice, worth: score, what: t("end.score", {score, box: named(boxes, box)})} : [];
  if (what === "laid") return {name: player, worth: points, what: t("plays.points", {count: points})};
  if (what === "collects" && dice) return {name: player, dice, worth: strength, what: named(ranks, rank)};
  if (what !== "showdown") return [];
  const [{rank: shown, hands}] = places;
  return hands.map(({id, best}) => ({name: id, dice: best, worth: -ranks.findIndex((each) => each.id === shown), what: named(ranks, shown)}));
}
