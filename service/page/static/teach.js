/** The panel that shows each request and its answer as sent, to copy as curl or JavaScript. */

import {BASE} from "./api.js";
import {el, fill} from "./dom.js";
import {t} from "./texts.js";

const FORMS = {curl: asCurl, JavaScript: asJavaScript};

/** `<teach-panel>`: closed at first, so that the game comes first; its summary has the newest request. */
export class Teach extends HTMLElement {
  /** @param {import("./api.js").Api} api */
  constructor(api) {
    super();
    const list = el("ol", {class: "exchanges"});
    const newest = el("span", {class: "muted"});
    this.append(el("details", {class: "teach", ontoggle: () => fill(list, api.log.map(exchange))},
      el("summary", null, t("teach.title"), newest), el("p", {class: "muted"}, t("teach.lead"), " ", el("a", {href: "docs"}, "API")), list));
    api.addEventListener("exchange", () => { // what is open stays open
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
    Object.entries(FORMS).map(([form, write]) => copyable(form, write(each, true), () => write(each, false))),
    each.etag && el("p", null, el("code", null, `ETag: ${each.etag}`)),
    each.answer === null ? null : copyable(t("teach.answer"), pretty(hidden(each.answer)), () => pretty(each.answer)),
  ));
}

/** A text with a button that copies it. Tokens are short on screen, and whole in what is copied. */
function copyable(title, shown, whole) {
  return [
    el("p", {class: "row between"}, el("span", {class: "label"}, title), copies(t("teach.copy"), whole, {class: "quiet"})),
    el("pre", {tabindex: "0", role: "group", "aria-label": title}, el("code", null, shown)),
  ];
}

export function copies(label, whole, attributes) {
  const button = el("button", {type: "button", ...attributes, onclick: async () => {
    if (await copy(whole())) button.ariaLabel = button.textContent = t("teach.copied");
    button.focus();
  }, onblur: () => {
    button.textContent = label;
    button.ariaLabel = attributes["aria-label"] ?? null;
  }}, label);
  return button;
}

/** Puts a text on the clipboard, and returns whether it is there. Over plain HTTP browsers only allow this through a selection. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // through a selection, then
  }
  const area = el("textarea", {class: "offscreen", "aria-hidden": true}, text);
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

function asCurl({method, path, headers, body}, short) {
  const parts = [`curl -s ${method === "GET" || body !== undefined ? "" : `-X ${method} `}${quoted(address(path))}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${shortened(name, value, short)}`)}`);
  if (body !== undefined) parts.push(`-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

function asJavaScript({method, path, headers, body}, short) {
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shortened(name, value, short)]));
  const options = [`  method: ${JSON.stringify(method)},`, `  headers: ${JSON.stringify(shown, null, 2).replaceAll("\n", "\n  ")},`];
  if (body !== undefined) options.push(`  body: JSON.stringify(${JSON.stringify(body)}),`);
  return `const reply = await fetch(${JSON.stringify(address(path))}, {\n${options.join("\n")}\n});\nconst answer = await reply.json();`;
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
