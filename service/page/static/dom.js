/** Builds elements. Text always becomes text nodes, so no name or answer is ever read as markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * An HTML element, for example `el("button", {type: "button", onclick: roll}, "Roll")`.
 *
 * A function is a listener. `true` sets an attribute without a value; `false`, null and undefined
 * leave it out, except `aria-…`, where `false` is written. `style` takes an object, since the
 * policy of the page refuses styles as text.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes, ...children) {
  return built(document.createElement(tag), attributes, children);
}

/**
 * An SVG element; everything else is as in `el`.
 * @param {string} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes, ...children) {
  return built(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Replaces everything in `root` by `children`, and returns `root`.
 * @param {Element} root
 * @param {...Child} children
 */
export function fill(root, ...children) {
  root.replaceChildren(...nodes(children));
  return root;
}

/** Puts `children` into `root`, which keeps them if it has just these: what is being clicked stays. */
export function arrange(root, children) {
  const same = root.childNodes.length === children.length && children.every((child, at) => child === root.childNodes[at]);
  if (!same) root.replaceChildren(...children);
}

function built(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "style") {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else if (value === null || value === undefined) continue;
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
