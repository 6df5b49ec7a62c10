/** The first view: the games to play, and those that are going on. */

import {el, fill} from "./dom.js";
import {forget, seats} from "./seats.js";
import {moment, names, t} from "./texts.js";

const MOST_DICE = 6;

/** @param {Element} root */
export async function view(root, _params, {catalogue}) {
  const games = await catalogue.list();
  const named = Object.fromEntries(games.map(({id, name}) => [id, name]));
  const pictures = new Map(games.map(({id}) => [id, el("div", {class: "dice picture", "aria-hidden": true})]));
  fill(
    root,
    el("h1", null, t("home.title")),
    el("p", {class: "lead"}, t("home.lead")),
    el("ul", {class: "games"}, games.map((game) => card(game, pictures.get(game.id)))),
    goingOn(named),
  );
  draw(pictures, catalogue).catch(() => {});  // they are only for show
}

/** Draws some dice of each game, once its buttons are there. */
async function draw(pictures, catalogue) {
  const {allFaces, die} = await import("./draw/dice.js");
  for (const [id, picture] of pictures) {
    const {dice, dice_set: set, ranks} = await catalogue.entry(id);
    const faces = allFaces(dice, set).flat();
    const count = Math.min(dice.count, MOST_DICE);
    const shown = ranks?.[0].example ?? Array.from({length: count}, (_, at) => faces[Math.floor((at * faces.length) / count)]);
    fill(picture, shown.map((face) => die(face, {dice})));
  }
}

function card({id, name, summary}, picture) {
  return el(
    "li", {class: "game card"},
    picture,
    el("h2", null, name),
    el("p", {lang: "en"}, summary),
    el("p", {class: "row"},
      el("a", {class: "button primary", href: `#/new/${id}`, "aria-label": t("home.play_game", {name})}, t("home.play")),
      el("a", {class: "button", href: `#/score/${id}`, "aria-label": t("home.score_game", {name})}, t("home.score"))),
  );
}

function goingOn(named) {
  const mine = seats();
  if (!mine.length) return null;
  return el("section", null, el("h2", null, t("home.going_on")), el("ul", {class: "list"}, mine.map(([id, seat]) => {
    const item = el("li", {class: "row"},
      el("a", {href: `#/session/${id}`}, named[seat.variant] ?? seat.variant),
      el("span", {class: "muted"}, names(seat.players), " · ", moment(seat.at)),
      el("button", {type: "button", class: "quiet", "aria-label": `${t("setup.remove")}: ${names(seat.players)}`, onclick: () => {
        if (!confirm(t("home.forget"))) return;
        forget(id);
        const next = item.nextSibling ?? item.previousSibling;
        (next?.querySelector("button") ?? item.closest("main")).focus();
        (next ? item : item.closest("section")).remove();
      }}, t("setup.remove")));
    return item;
  })));
}
