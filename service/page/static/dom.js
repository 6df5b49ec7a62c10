/** Builds elements, and changes what is on screen. Text becomes text nodes, so no name is ever read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** The names of each element's listeners, by which `patch` replaces them. */
const listeners = new WeakMap();

/**
 * An element, for example `el("button", {type: "button", onclick: roll}, "Roll")`. `true` sets an attribute without a value; `false`,
 * null and undefined leave it out, except `aria-…`, where `false` is written. `style` is an object, as the policy refuses text.
 */
export function el(tag, attributes, ...children) {
  return built(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return built(document.createElementNS(SVG, tag), attributes, children);
}

export function fill(root, ...children) {
  root.replaceChildren(...nodes(children));
  return root;
}

/**
 * Makes the content of `root` look like `children`. What has the same tag and `data-key` stays, with the focus and with what moves in
 * it, and takes over the rest. Custom elements and those with `data-own` are left as they are. Listeners should read their element
 * from the event: the one that they were made with may be gone.
 */
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
  return one === other || (one.nodeName === other.nodeName && keyOf(one) === keyOf(other) && (!own(other) || Boolean(keyOf(one))));
}

function merge(known, node) {
  if (known.nodeType === Node.TEXT_NODE) {
    if (known.data !== node.data) known.data = node.data;
    return;
  }
  const kept = (name) => name === "open" || name === "style";
  for (const {name} of [...known.attributes]) if (!node.hasAttribute(name) && !kept(name)) known.removeAttribute(name);
  for (const {name, value} of node.attributes) if (known.getAttribute(name) !== value && !kept(name)) known.setAttribute(name, value);
  if (known.style.cssText !== node.style.cssText) known.style.cssText = node.style.cssText;
  const [before, after] = [known, node].map((each) => listeners.get(each) ?? []);
  for (const name of before) known[name] = null;
  for (const name of after) known[name] = node[name];
  listeners.set(known, after);
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
    } else if (value === null || value === undefined) continue;
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  if (heard.length) listeners.set(element, heard);
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
