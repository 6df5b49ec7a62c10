/** Starts the page: what stays on screen, the view that the fragment of the address names, and the first one, with all games. */

import {Api, Catalogue, unloaded} from "./api.js";
import {el, fill} from "./dom.js";
import {kept} from "./keeping.js";
import {forget, read, seats, write} from "./stored.js";
import {Teach} from "./teach.js";
import {language, LANGUAGES, moment, names, speak, t} from "./texts.js";

/** The module of each view, by the first word of the fragment. */
const VIEWS = {
  "": async () => ({view: home}),
  review: () => import("./advice.js"),
  new: () => import("./setup.js"),
  session: () => import("./table.js"),
  score: () => import("./score.js"),
  verify: () => import("./verify.js"),
};

/** After so many ms, a view that is not there yet is announced. */
const SLOW = 500;
/** Whether this device shows what the page sends. */
const DEVELOPER = "dice-table-developer";
const MOST_DICE = 6;

const api = new Api();
const catalogue = new Catalogue(api);
const root = document.getElementById("view");
const notice = document.getElementById("notice");
const foot = document.getElementById("teach");
const teach = new Teach(api);
let leave = new AbortController();
let first = true;
let note = "";

/** Shows a sentence above the view until the next one; without one, shows nothing. Its place stays, or screen readers would miss it. */
function say(sentence = "", kind = "bad") {
  if (notice.textContent !== sentence) notice.textContent = sentence; // or it would be read out again
  notice.dataset.kind = kind;
}

function calm() {
  if (notice.dataset.kind === "good") say();
}

function go(fragment) {
  if (location.hash === fragment) show();
  else location.hash = fragment;
}

/** Shows the view of the fragment. Its `context.signal` is aborted when another is shown. */
async function show() {
  leave.abort();
  leave = new AbortController();
  const {signal} = leave;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...params] = path.split("/").map(decoded);
  say();
  note = "";
  root.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => fill(root, el("p", {class: "view muted"}, t("main.loading"))), SLOW);
  try {
    if (!Object.hasOwn(VIEWS, name)) throw new Error(t("main.no_view"));
    const {view} = await VIEWS[name]().catch(unloaded);
    const fresh = el("div", {class: `view ${name || "home"}`});
    const context = {api, catalogue, calm, entitle, go, say, signal, query: new URLSearchParams(query)};
    await view(fresh, params, context);
    if (signal.aborted) return;
    shown(fresh);
  } catch (error) {
    if (signal.aborted) return;
    shown(trouble(error));
  } finally {
    clearTimeout(slow);
    if (!signal.aborted) root.removeAttribute("aria-busy");
  }
  scrollTo(0, 0);
}

/**
 * Puts a view on screen, with the panel of requests in its place there or at the foot. The focus
 * follows, unless the page was just opened.
 */
function shown(fresh) {
  fill(root, fresh);
  (root.querySelector(".teach-here") ?? foot).append(teach);
  entitle(note);
  if (!first) root.focus();
  first = false;
}

/** Names the page after its view, with something before it that asks for attention, or "". */
function entitle(before) {
  note = before;
  document.title = [note, root.querySelector("h1")?.textContent, t("main.title")].filter(Boolean).join(" · ");
}

function trouble(error) {
  return el("div", {class: "view trouble"},
    el("h1", null, t("main.trouble")),
    el("p", null, error.message),
    el("p", {class: "row"},
      el("button", {type: "button", class: "primary", onclick: show}, t("main.again")),
      el("a", {class: "button", href: "#/"}, t("main.home"))));
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function header() {
  const others = Object.entries(LANGUAGES).filter(([code]) => code !== language);
  return [
    el("a", {class: "skip", href: "#view", onclick: (event) => {
      event.preventDefault();
      root.focus();
    }}, t("main.skip")),
    el("a", {class: "brand", href: "#/"}, t("main.title")),
    el("nav", {"aria-label": t("main.menu")},
      el("button", {type: "button", class: "quiet", "aria-pressed": !teach.hidden, onclick: ({target}) => {
        target.ariaPressed = teach.hidden;
        write(DEVELOPER, teach.hidden);
        teach.hidden = !teach.hidden;
      }}, t("main.developer")),
      others.map(([code, name]) => el("button", {type: "button", class: "quiet", lang: code, onclick: () => speak(code)}, name))),
  ];
}

/** The first view: the games to play, and those that are going on. @param {Element} root */
async function home(root, _params, {catalogue}) {
  const games = await catalogue.list();
  const named = Object.fromEntries(games.map(({id, name}) => [id, name]));
  const pictures = new Map(games.map(({id}) => [id, el("div", {class: "dice picture", "aria-hidden": true})]));
  fill(
    root,
    el("h1", null, t("home.title")),
    el("p", {class: "lead"}, t("home.lead")),
    games.filter(({id}) => kept(id)?.turns.length).map(({id, name}) => el("a", {class: "button going", href: `#/score/${id}`}, t("home.continue"), ": ", name)),
    el("ul", {class: "games"}, games.map((game) => card(game, pictures.get(game.id)))),
    goingOn(named),
  );
  for (const [id, picture] of pictures) draw(id, picture, catalogue).catch(() => {}); // they are only for show
}

async function draw(id, picture, catalogue) {
  const {allFaces, die} = await import("./draw.js");
  const {dice, dice_set: set, ranks} = await catalogue.shown(id);
  const faces = allFaces(dice, set).flat();
  const count = Math.min(dice.count, MOST_DICE);
  const shown = ranks?.[0].example ?? Array.from({length: count}, (_, at) => faces[Math.floor((at * faces.length) / count)]);
  fill(picture, shown.map((face) => die(face, {dice})));
}

function card({id, name, summary, links}, picture) {
  return el(
    "li", {class: "game card"},
    picture,
    el("h2", null, name),
    el("p", null, summary),
    el("p", {class: "begin"},
      ["computer", "one", "own"].filter((play) => links.choose || play !== "computer").map((play, at) => el("button", {
        type: "button", class: at ? "" : "primary", "aria-label": `${t(`home.${play}`)}: ${name}`, onclick: () => go(`#/new/${id}?play=${play}`),
      }, t(`home.${play}`)))),
    el("p", {class: "row"},
      el("a", {href: `#/new/${id}`, "aria-label": `${t("setup.options")}: ${name}`}, t("setup.options")),
      el("a", {href: `#/score/${id}`, "aria-label": t("home.score_game", {name})}, t("home.score"))),
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

teach.hidden = !read(DEVELOPER);
fill(document.getElementById("top"), header());
foot.append(teach);
api.addEventListener("lost", () => say(t("main.lost")));
api.addEventListener("busy", () => say(t("main.busy")));
api.addEventListener("making", () => {
  if (root.ariaBusy === "true") fill(root, el("p", {class: "view muted"}, t("main.making")));
});
api.addEventListener("found", ({before}) => say(t(before === "busy" ? "main.answers" : "main.found"), "good"));
addEventListener("hashchange", show);
await show();
import("./offline.js").then(({keep}) => keep(api)).catch(() => {}); // what can't be kept now is kept the next time
