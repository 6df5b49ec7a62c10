const SVG = "http://www.w3.org/2000/svg";

/** By name, for `patch`. */
const listeners = new WeakMap();

/** @type {Build} */
export function el(tag, attributes, ...children) {
  return built(document.createElement(tag), tag === "button" ? {type: tag, ...attributes} : attributes, children);
}

export function svg(tag, attributes, ...children) {
  return built(document.createElementNS(SVG, tag), attributes, children);
}

export function fill(root, ...children) {
  root.replaceChildren(...nodes(children));
  return root;
}

/** What is alike stays, with the focus and with what moves in it. @type {Change} */
export function patch(root, ...children) {
  const keyed = new Map([...root.children].filter(keyOf).map((child) => [keyOf(child), child]));
  let at = root.firstChild;
  for (const child of nodes(children)) {
    const node = child instanceof Node ? child : document.createTextNode(child);
    const known = [node.parentNode === root && node, keyed.get(keyOf(node)), next(at, node)].find((each) => each && alike(each, node));
    if (known?.parentNode === root) {
      while (at !== known) at = gone(at);
      at = at.nextSibling;
    } else root.insertBefore(known ?? node, at);
    if (known && known !== node && !own(node)) merge(known, node);
  }
  while (at) at = gone(at);
}

function gone(node) {
  const {nextSibling} = node;
  node.remove();
  return nextSibling;
}

function next(at, node) {
  for (let each = at; each; each = each.nextSibling) if (alike(each, node)) return each;
  return null;
}

const keyOf = (node) => node.dataset?.key;

const own = (node) => node.nodeName.includes("-") || node.dataset?.own !== undefined;

function alike(one, other) {
  return one === other || (one.nodeName === other.nodeName && one.data === other.data && keyOf(one) === keyOf(other) && own(one) === own(other) && (!own(other) || Boolean(keyOf(one))));
}

function merge(known, node) {
  if (known.nodeType === Node.TEXT_NODE) return;
  for (const name of [...known.getAttributeNames(), ...node.getAttributeNames()]) {
    const value = node.getAttribute(name);
    if (name === "open" || name === "style" || value === known.getAttribute(name)) continue;
    if (value === null) known.removeAttribute(name);
    else known.setAttribute(name, value);
  }
  if (known.style.cssText !== node.style.cssText) known.style.cssText = node.style.cssText;
  for (const name of listeners.get(known)) known[name] = null;
  for (const name of listeners.get(node)) known[name] = node[name];
  listeners.set(known, listeners.get(node));
  patch(known, ...node.childNodes);
  if (known === document.activeElement) return; // somebody is typing there
  for (const name of ["value", "checked"]) if (name in node && known[name] !== node[name]) known[name] = node[name];
}

function built(element, attributes, children) {
  const heard = [];
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") {
      element[name] = value;
      heard.push(name);
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (given(value)) element.setAttribute(name, value === true ? "" : value);
  }
  listeners.set(element, heard);
  element.append(...nodes(children));
  return element;
}

const nodes = (children) => children.flat(Infinity).filter(given);

const given = (value) => (value ?? false) !== false;

export function copies(label, whole, attributes) {
  return el("button", {...attributes, onclick: async ({currentTarget: button}) => {
    if (await copy(whole())) button.ariaLabel = button.textContent = t("teach.copied");
    button.focus();
  }, onblur: ({currentTarget: button}) => {
    button.textContent = label;
    button.ariaLabel = attributes["aria-label"] ?? null;
  }}, label);
}

/** Over plain HTTP browsers only allow this through a selection. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", {class: "offscreen", "aria-hidden": true}, text);
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Until the page is closed. */
const refused = new Map();

export function read(key, storage = "localStorage") {
  try {
    return refused.get(storage + key) ?? JSON.parse(globalThis[storage].getItem(key));
  } catch {
    return null;
  }
}

export function write(key, value, storage = "localStorage") {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
    refused.delete(storage + key);
  } catch {
    refused.set(storage + key, value);
  }
}

export const LANGUAGES = Object.fromEntries(Array.from(document.querySelectorAll("link[hreflang]"), ({hreflang, title}) => [hreflang, title]));

const STORED = "dice-table-language";
/** Hebrew and Arabic names must not turn the text around them. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufefc]/;

export const language = [read(STORED), ...navigator.languages].map((each) => String(each).slice(0, 2)).find((each) => each in LANGUAGES) ?? "en";

const groups = await (await fetch(new URL(`texts/${language}.json`, import.meta.url))).json();
const texts = Object.fromEntries(Object.entries(groups).flatMap(([group, all]) => [...all.matchAll(/([^ |]+) ([^|]*)/g)].map(([, key, text]) => [`${group}.${key}`, text])));
const plurals = new Intl.PluralRules(language);

document.documentElement.lang = language;

/** @type {Say} */
export function t(key, values = {}, otherwise = key) {
  const {count} = values;
  const plural = typeof count === "number" && (texts[`${key}.${count}`] ?? texts[`${key}.${plurals.select(count)}`]);
  const text = plural || texts[key] || texts[`${key}.other`] || otherwise;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (typeof value === "number") return number(value);
    return value === undefined ? whole : LEFTWARD.test(value) ? `\u2068${value}\u2069` : value;
  });
}

const formats = new Map();

/** @type {Format} */
export function number(value, options = {}) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.NumberFormat(language, options));
  return formats.get(name).format(value).replace("-", "−");
}

export function moment(at) {
  return new Intl.DateTimeFormat(language, {dateStyle: "short", timeStyle: "short"}).format(at);
}

/** @type {Listing} */
export function names(list, type) {
  return new Intl.ListFormat(language, {type}).format(list);
}

/** For what the catalogue doesn't name. */
export function title(id) {
  const text = t(`id.${id}`, {}, id.replaceAll("_", " "));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function speak(code) {
  write(STORED, code);
  location.reload(); // if that was kept
}
