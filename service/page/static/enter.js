/** Dice that somebody rolled themselves: clicked from a palette of faces, or typed. */

import {BLANK, allFaces, die, dieName} from "./draw.js";
import {arrange, el} from "./dom.js";
import {t} from "./texts.js";

/**
 * @typedef {{key: string, label: string, count: number, before?: Element, after?: Element}} Row
 *   The places for `count` dice; `before` stands in place of the label, `after` behind the dice.
 */

/** What is drawn of a row. It stays as long as it can: a click that changes a name before counts. */
class DrawnRow {
  line = el("div", {class: "place-row"});
  label = el("span", {class: "label"});
  dice = el("div", {class: "dice", role: "group"});
  after = el("span", {class: "after"});
  #places = [];

  /** The button of a place, which is a new one if it shows another face. */
  place(at, face, dice) {
    const known = this.#places[at];
    if (known && known.face === face) return known.button;
    const button = face === undefined ? el("button", {type: "button", class: "die slot"}) : die(face, {dice, onclick() {}});
    this.#places[at] = {face, button};
    return button;
  }
}

/** Rows of places for dice and a palette. It sends the event `change` for each die. */
export class DiceEntry extends HTMLElement {
  #game;
  #taken;
  #rows = [];
  #values = new Map();
  #at = {row: 0, place: 0};
  /** What `back` takes back: where each die was put, and what was there before. */
  #before = [];
  /** The signs of a face that further signs may change. */
  #typed = "";
  #table = el("div", {class: "places felt"});
  #palette = [];
  #drawn = new Map();

  /**
   * @param {any} game the entry of the catalogue
   * @param {{blank?: boolean, taken?: (face: any, values: any[]) => boolean}} [options] `blank`:
   *   dice can show a blank; `taken`: whether no further die can show `face`.
   */
  constructor(game, {blank = false, taken = () => false} = {}) {
    super();
    this.#game = game;
    this.#taken = taken;
    const button = (face) => {
      const made = die(face, {dice: game.dice, onclick: () => this.put(face)});
      this.#palette.push([face, made]);
      return made;
    };
    const suits = allFaces(game.dice, game.dice_set);
    this.className = "enter";
    this.append(this.#table,
      el("div", {class: "palette", role: "group", "aria-label": t("enter.faces")},
        suits.map((faces) => el("div", {class: "dice small"}, faces.map(button))),
        el("div", {class: "row"}, blank && button(BLANK),
          el("button", {type: "button", class: "quiet", onclick: () => this.back()}, t("enter.back")),
          el("button", {type: "button", class: "quiet", onclick: () => this.clear()}, t("enter.clear")))),
      el("p", {class: "muted hint"}, hint(game, blank)));
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The rows; dice stay in rows with the same key. @param {Row[]} rows */
  set rows(rows) {
    this.#rows = rows;
    for (const {key, count} of rows) this.#values.set(key, (this.#values.get(key) ?? []).slice(0, count));
    this.#before = this.#before.filter(({key, place}) => rows.some((row) => row.key === key && place < row.count));
    const {row, place} = this.#at;
    const next = this.#next(row);
    if (!(place < rows[row]?.count) || (next && this.#face(this.#at) !== undefined)) {
      this.#at = next ?? this.#places().at(-1);
    }
    this.#show();
  }

  /** The `count` dice of a row, with undefined for each that is missing. */
  values(key, count) {
    const faces = this.#values.get(key) ?? [];
    return Array.from({length: count}, (_, at) => faces[at]);
  }

  /** Puts a die in the place that is next. */
  put(face) {
    const {row, place} = this.#at;
    if (this.#taken(face, this.#all)) return;
    const {key} = this.#rows[row];
    const faces = this.#values.get(key);
    this.#before.push({key, place, face: faces[place]});
    faces[place] = face;
    this.#at = this.#next(row) ?? this.#at;
    this.#changed();
  }

  /** Takes back the die that was put last; one that it replaced is there again. */
  back() {
    const last = this.#before.pop();
    if (!last) return;
    const {key, place, face} = last;
    this.#values.get(key)[place] = face;
    this.#at = {row: this.#rows.findIndex((row) => row.key === key), place};
    this.#changed();
  }

  /** Takes back all dice. */
  clear() {
    for (const {key} of this.#rows) this.#values.set(key, []);
    this.#before = [];
    this.#at = {row: 0, place: 0};
    this.#changed();
  }

  /** All dice that are there. */
  get #all() {
    return this.#rows.flatMap(({key}) => this.#values.get(key)).filter((face) => face !== undefined);
  }

  #places() {
    return this.#rows.flatMap(({count}, row) => Array.from({length: count}, (_, place) => ({row, place})));
  }

  #face({row, place}) {
    return this.#values.get(this.#rows[row].key)[place];
  }

  /** The first empty place from a row on, or before it. */
  #next(from) {
    const empty = this.#places().filter((at) => this.#face(at) === undefined);
    return empty.find(({row}) => row >= from) ?? empty[0];
  }

  #changed() {
    this.#typed = "";
    this.dispatchEvent(new Event("change"));
    this.#show();
  }

  #key(event) {
    if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const {key} = event;
    const step = {ArrowLeft: -1, ArrowRight: 1}[key];
    if (key === "Backspace") this.back();
    else if (step) this.#move(step);
    else if (key.length === 1 && key !== " ") this.#type(key);
    else return;
    event.preventDefault();
    this.#focus();
  }

  #move(step) {
    const order = this.#places();
    const here = order.findIndex(({row, place}) => row === this.#at.row && place === this.#at.place);
    this.#typed = "";
    this.#at = order[(here + step + order.length) % order.length];
    this.#show();
  }

  #type(key) {
    const texts = new Map(this.#palette.map(([face]) => [String(face).toLowerCase(), face]));
    const begins = (text) => [...texts.keys()].some((each) => each.startsWith(text));
    const tens = begins("t");
    const before = this.#typed;
    const typed = (before + key).toLowerCase();
    const sign = [tens ? typed.replace(/^10/, "t") : typed, key.toLowerCase()].find((text) => begins(text) || (tens && text === "1")) ?? "";
    this.#typed = sign;
    if (!texts.has(sign)) return;
    if (sign === typed && texts.has(before)) this.back(); // 12 takes the place of the 1
    this.put(texts.get(sign));
    if ([...texts.keys()].some((each) => each !== sign && each.startsWith(sign))) this.#typed = sign;
  }

  #focus() {
    this.#table.querySelector("[aria-current]")?.focus();
  }

  #show() {
    const inside = this.#table.contains(document.activeElement) && !document.activeElement.matches("input, select");
    const {dice} = this.#game;
    arrange(this.#table, this.#rows.map(({key, label, count, before, after}, row) => {
      if (!this.#drawn.has(key)) this.#drawn.set(key, new DrawnRow());
      const drawn = this.#drawn.get(key);
      drawn.label.textContent = label;
      drawn.dice.setAttribute("aria-label", label);
      arrange(drawn.after, after ? [after] : []);
      arrange(drawn.line, [before ?? drawn.label, drawn.dice, drawn.after]);
      arrange(drawn.dice, Array.from({length: count}, (_, place) => {
        const face = this.#values.get(key)[place];
        const current = row === this.#at.row && place === this.#at.place;
        const name = face === undefined ? t("enter.empty") : dieName(face, dice);
        const button = drawn.place(place, face, dice);
        button.onclick = () => {
          this.#typed = "";
          this.#at = {row, place};
          this.#show();
          this.#focus();
        };
        button.setAttribute("aria-label", t("enter.place", {label, place: place + 1, name}));
        if (current) button.setAttribute("aria-current", true);
        else button.removeAttribute("aria-current");
        return button;
      }));
      return drawn.line;
    }));
    // A face that is taken keeps the focus.
    for (const [face, button] of this.#palette) button.ariaDisabled = this.#taken(face, this.#all);
    if (inside) this.#focus();
  }
}

/** What to type, in words. */
function hint({dice}, blank) {
  const {faces, names: letters, suits} = dice;
  const signs = suits.map(({letter}) => letter).join(" ");
  const how = signs ? t("enter.type_suits", {signs}) : letters.length
    ? t("enter.type_letters", {signs: letters.join(" ")}) : t("enter.type_numbers", {faces});
  const comma = !signs && !letters.length && faces > 9;
  return [t("enter.click"), how, comma && t("enter.type_comma"), blank && t("enter.type_blank", {blank: BLANK}), t("enter.undo")].filter(Boolean).join(" ");
}

customElements.define("dice-entry", DiceEntry);
