/** The texts of the page in the reader's language, and numbers as that language writes them. */

import {read, write} from "./stored.js";

export const LANGUAGES = Object.fromEntries(Array.from(document.querySelectorAll("link[hreflang]"), ({hreflang, title}) => [hreflang, title]));

const STORED = "dice-table-language";
/** Hebrew, Arabic and their like: such a name must not turn the text around it. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufefc]/;

export const language = chosen();

const texts = await (await fetch(new URL(`texts/${language}.json`, import.meta.url))).json();
const plurals = new Intl.PluralRules(language);
const formats = new Map();

document.documentElement.lang = language;

/**
 * The text of `key` with `values` in place of their names in braces; without one `otherwise`, or the key. For a number `count`,
 * `key.0`, `key.one` or `key.other` come first.
 * @param {string} key @param {Record<string, any>} [values]
 */
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

/** With a true minus sign. @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options = {}) {
  const name = JSON.stringify(options);
  if (!formats.has(name)) formats.set(name, new Intl.NumberFormat(language, options));
  return formats.get(name).format(value).replace("-", "−");
}

export function moment(at) {
  return new Intl.DateTimeFormat(language, {dateStyle: "short", timeStyle: "short"}).format(at);
}

/** Such as "Ann, Ben and Cid", or with "or" as a "disjunction". @param {string[]} list @param {"disjunction"} [type] */
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
  location.reload(); // a browser that keeps nothing has its own language again
}

function chosen() {
  const known = [read(STORED), ...navigator.languages].map((each) => String(each).slice(0, 2));
  return known.find((each) => each in LANGUAGES) ?? "en";
}
