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

/** Not when the page was just opened. */
function shown(fresh) {
  fill(root, fresh);
  (root.querySelector(".teach-here") ?? foot).append(teach);
  entitle(note);
  if (!first) root.focus();
  first = false;
}

function entitle(before) {
  note = before;
  document.title = [note, root.querySelector("h1")?.textContent, t("main.title")].filter(Boolean).join(" · ");
}

function trouble(error) {
  return el("div", {class: "view trouble"},
    el("h1", null, t("main.trouble")),
    el("p", null, error.message),
    el("p", {class: "row"},
      el("button", {class: "primary", onclick: show}, t("main.again")),
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
      el("button", {class: "quiet developer", "aria-pressed": !teach.hidden, onclick: ({target}) => {
        target.ariaPressed = teach.hidden;
        write(DEVELOPER, teach.hidden);
        teach.hidden = !teach.hidden;
      }}, t("main.developer")),
      others.map(([code, name]) => el("button", {class: "quiet", lang: code, onclick: () => speak(code)}, name))),
  ];
}

class Teach extends HTMLElement {
  constructor(api) {
    super();
    const list = el("ol", {class: "exchanges"});
    const newest = el("span", {class: "muted"});
    this.append(el("details", {class: "teach", ontoggle: () => fill(list, api.log.map(exchange))},
      el("summary", null, t("teach.title"), newest), el("p", null, el("a", {href: "docs"}, "API")), list));
    api.addEventListener("exchange", () => {
      fill(newest, ": ", line(api.log[0]));
      list.prepend(exchange(api.log[0]));
      list.children[api.log.length]?.remove();
    });
  }
}

customElements.define("teach-panel", Teach);

function line({method, path, status}) {
  return [el("span", {class: status < 400 ? "badge good" : "badge bad"}, status), " ", el("code", null, `${method} ${path}`)];
}

function exchange(each) {
  return el("li", null, el("details", null,
    el("summary", null, line(each)),
    copyable("curl", asCurl(each, true), () => asCurl(each, false)),
    each.etag && el("p", null, el("code", null, `ETag: ${each.etag}`)),
    each.answer === null ? null : copyable(t("teach.answer"), pretty(hidden(each.answer)), () => pretty(each.answer)),
  ));
}

function copyable(title, shown, whole) {
  return [
    el("p", {class: "row between"}, el("span", {class: "label"}, title), copies(t("teach.copy"), whole, {class: "quiet"})),
    el("pre", {tabindex: "0", role: "group", "aria-label": title}, el("code", null, shown)),
  ];
}

function asCurl({method, path, headers, body}, short) {
  const parts = [`curl -s ${method === "GET" || body !== undefined ? "" : `-X ${method} `}${quoted(address(path))}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${shortened(name, value, short)}`)}`);
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

function address(path) {
  return new URL(path.slice(1), BASE).href;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function shortened(name, value, short) {
  return short && ["Authorization", "Idempotency-Key"].includes(name) ? cut(value) : value;
}

function cut(secret) {
  const at = secret.lastIndexOf(" ") + 1;
  return `${secret.slice(0, at + 6)}…`;
}

function hidden(answer) {
  if (!answer?.tokens) return answer;
  const players = Object.entries(answer.tokens.players).map(([name, token]) => [name, cut(token)]);
  return {...answer, tokens: {table: cut(answer.tokens.table), players: Object.fromEntries(players)}};
}

function pretty(answer) {
  return JSON.stringify(answer, null, 2);
}

const teach = new Teach(api);
teach.hidden = !read(DEVELOPER);
fill(head, header());
foot.append(teach);
api.addEventListener("lost", () => say(t("main.lost")));
api.addEventListener("busy", () => say(t("main.busy")));
api.addEventListener("making", () => {
  if (root.ariaBusy === "true") fill(root, el("p", {class: "view muted"}, t("main.making")));
});
api.addEventListener("found", ({before}) => say(t(before === "busy" ? "main.answers" : "main.found"), "good"));
addEventListener("hashchange", show);
await show();
import("./keeping.js").then(({install}) => install(api)).catch(() => {}); // the next time, then
