/** The first view: the games to play, and those that are going on. */

import {el, fill} from "./dom.js";
import {forget, seats} from "./seats.js";
import {names} from "./texts.js";

/** @param {Element} root */
export async function view(root, _params, {catalogue, t}) {
  const games = await catalogue.list();
  const named = Object.fromEntries(games.map(({id, name}) => [id, name]));
  fill(
    root,
    el("h1", null, t("home.title")),
    el("p", {class: "lead"}, t("home.lead")),
    el("ul", {class: "games"}, games.map((game) => card(game, t))),
    goingOn(named, t),
  );
}

function card({id, name, summary}, t) {
  return el(
    "li", {class: "game card"},
    el("h2", null, name),
    el("p", null, summary),
    el("p", {class: "row"},
      el("a", {class: "button primary", href: `#/new/${id}`, "aria-label": t("home.play_game", {name})}, t("home.play")),
      el("a", {class: "button", href: `#/score/${id}`, "aria-label": t("home.score_game", {name})}, t("home.score"))),
  );
}

function goingOn(named, t) {
  const mine = seats();
  if (!mine.length) return null;
  return el("section", null, el("h2", null, t("home.going_on")), el("ul", {class: "list"}, mine.map(([id, seat]) => {
    const item = el("li", {class: "row"},
      el("a", {href: `#/session/${id}`}, named[seat.variant] ?? seat.variant),
      el("span", {class: "muted"}, names(seat.players)),
      el("button", {type: "button", class: "quiet", onclick: () => {
        forget(id);
        item.remove();
      }}, t("home.forget")));
    return item;
  })));
}
