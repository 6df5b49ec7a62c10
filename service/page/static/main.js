import {Api, BASE, Catalogue, unloaded} from "./api.js";
import {copies, el, fill, language, LANGUAGES, read, speak, t, write} from "./dom.js";
import * as home from "./home.js";

const VIEWS = {
  "": async () => home,
  review: () => import("./advice.js"),
  new: () => import("./setup.js"),
  session: () => import("./table.js"),
  score: () => import("./score.js"),
  verify: () => import("./verify.js"),
};

const SLOW = 500;
const DEVELOPER = "dice-table-developer";

const api = new Api();
const catalogue = new Catalogue(api);
const [head, notice, root, foot] = ["top", "notice", "view", "teach"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
let leave = new AbortController();
let first = true;
let note = "";

/** Its place stays, or screen readers would miss it. */
function say(sentence = "", kind = "bad") {
  if (notice.textContent !== sentence) notice.textContent = sentence;
  notice.dataset.kind = kind;
}

function calm() {
  if (notice.dataset.kind === "good") say();
}

function go(fragment) {
  if (location.hash === fragment) show();
  else location.hash = fragment;
}

async function show() {
  leave.abort();
  leave = new AbortController();
  const {signal} = leave;
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...params] = path.split("/").map(decoded);
  say();
  note = "";
  root.ariaBusy = "true";
  const slow = setTimeout(() => wait("main.loading"), SLOW);
  let fresh = el("div", {class: `view ${name || "home"}`});
  try {
    if (!Object.hasOwn(VIEWS, name)) throw new Error(t("main.no_view"));
    const {view} = await VIEWS[name]().catch(unloaded);
    await view(fresh, params, {api, catalogue, calm, entitle, go, say, signal, query: new URLSearchParams(query)});
  } catch (error) {
    fresh = el("div", {class: "view trouble"},
      el("h1", null, t("main.trouble")),
      el("p", null, error.message),
      el("p", {class: "row"},
        el("button", {class: "primary", onclick: show}, t("main.again")),
        el("a", {class: "button", href: "#/"}, t("main.home"))));
  }
  clearTimeout(slow);
  if (signal.aborted) return;
  fill(root, fresh);
  (root.querySelector(".teach-here") ?? foot).append(teach);
  entitle(note);
  if (!first) root.focus(); // not when the page was just opened
  first = false;
  root.ariaBusy = null;
  scrollTo(0, 0);
}

function wait(key) {
  fill(root, el("p", {class: "view muted"}, t(key)));
}

function entitle(before) {
  note = before;
  document.title = [note, root.querySelector("h1")?.textContent, t("main.title")].filter(Boolean).join(" · ");
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function line({method, path, status}) {
  return [el("span", {class: status < 400 ? "badge good" : "badge bad"}, status), " ", el("code", null, `${method} ${path}`)];
}

function exchange(each) {
  return el("li", null, el("details", null,
    el("summary", null, line(each)),
    copyable("curl", asCurl(each, true), () => asCurl(each, false)),
    each.answer !== null && copyable(t("teach.answer"), pretty(hidden(each.answer)), () => pretty(each.answer)),
  ));
}

function copyable(title, shown, whole) {
  return [
    el("p", {class: "row between"}, el("span", {class: "label"}, title), copies(t("teach.copy"), whole, {class: "quiet"})),
    el("pre", {tabindex: "0", role: "group", "aria-label": title}, el("code", null, shown)),
  ];
}

function asCurl({method, path, headers, body}, short) {
  const parts = [`curl -s ${method === "GET" || body ? "" : `-X ${method} `}${quoted(new URL(path.slice(1), BASE).href)}`];
  for (const [name, value] of Object.entries(headers)) {
    const secret = short && ["Authorization", "Idempotency-Key"].includes(name);
    parts.push(`-H ${quoted(`${name}: ${secret ? cut(value) : value}`)}`);
  }
  if (body) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const cut = (secret) => secret.replace(/(\S{6})\S*$/, "$1…");

function hidden(answer) {
  if (!answer?.tokens) return answer;
  const {table, players} = answer.tokens;
  return {...answer, tokens: {table: cut(table), players: Object.fromEntries(Object.entries(players).map(([name, token]) => [name, cut(token)]))}};
}

function pretty(answer) {
  return JSON.stringify(answer, null, 2);
}

const exchanges = el("ol", {class: "exchanges"});
const newest = el("span", {class: "muted"});
const teach = el("teach-panel", {hidden: !read(DEVELOPER)}, el("details", {class: "teach", ontoggle: () => fill(exchanges, api.log.map(exchange))},
  el("summary", null, t("teach.title"), newest), el("p", null, el("a", {href: "docs"}, "API")), exchanges));
api.addEventListener("exchange", () => {
  fill(newest, ": ", line(api.log[0]));
  exchanges.prepend(exchange(api.log[0]));
  exchanges.children[api.log.length]?.remove();
});
foot.append(teach);
fill(head,
  el("a", {class: "skip", href: "#view", onclick: (event) => {
    event.preventDefault();
    root.focus();
  }}, t("main.skip")),
  el("a", {class: "brand", href: "#/"}, t("main.title")),
  el("nav", {"aria-label": t("main.menu")},
    el("button", {class: "quiet developer", "aria-pressed": !teach.hidden, onclick: ({target}) => {
      target.ariaPressed = teach.hidden;
      write(DEVELOPER, teach.hidden);
      teach.hidden = !teach.hidden;
    }}, t("main.developer")),
    Object.entries(LANGUAGES).map(([code, name]) => code !== language && el("button", {class: "quiet", lang: code, onclick: () => speak(code)}, name))));
api.addEventListener("lost", () => say(t("main.lost")));
api.addEventListener("busy", () => say(t("main.busy")));
api.addEventListener("making", () => {
  if (root.ariaBusy === "true") wait("main.making");
});
api.addEventListener("found", () => say(t("main.found"), "good"));
addEventListener("hashchange", show);
await show();
import("./keeping.js").then(({install}) => install(api)).catch(() => {}); // the next time, then
