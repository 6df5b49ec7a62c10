/** Starts the page: what stays on screen, and the view that the fragment of the address names. */

import {Api, Catalogue, unloaded} from "./api.js";
import {el, fill} from "./dom.js";
import * as home from "./home.js";
import {Teach} from "./teach.js";
import {language, LANGUAGES, speak, t} from "./texts.js";

const VIEWS = {
  "": async () => home,
  review: () => import("./advice.js"),
  new: () => import("./setup.js"),
  session: () => import("./table.js"),
  score: () => import("./score.js"),
  verify: () => import("./verify.js"),
};

const SLOW = 500;

const api = new Api();
const catalogue = new Catalogue(api);
const root = document.getElementById("view");
const notice = document.getElementById("notice");
const foot = document.getElementById("teach");
const teach = new Teach(api);
let leave = new AbortController();
let first = true;
let note = "";

/** A sentence above the view until the next one. Its place stays, or screen readers would miss it. */
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

/** `context.signal` is aborted when another view is shown. */
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

/** The focus follows, unless the page was just opened. */
function shown(fresh) {
  fill(root, fresh);
  (root.querySelector(".teach-here") ?? foot).append(teach);
  entitle(note);
  if (!first) root.focus();
  first = false;
}

/** Names the page after its view, with what asks for attention before it. */
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
      el("a", {href: "docs"}, "API"),
      others.map(([code, name]) => el("button", {type: "button", class: "quiet", lang: code, onclick: () => speak(code)}, name))),
  ];
}

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
