/** Dice: as SVG, as the catalogue describes them, one, in a row, or laid out as a crossword; and those that somebody rolled themselves, clicked from a palette of faces or typed. And the pots and sheets beside them. */

import {arrange, el, svg} from "./dom.js";
import {names, number, t, title} from "./texts.js";

const CELL = 64, GAP = 4, STEP = CELL + GAP;
const LEFT = 18, MIDDLE = 32, RIGHT = 46;
const CORNERS = [[RIGHT, LEFT], [LEFT, RIGHT], [LEFT, LEFT], [RIGHT, RIGHT]];
const SIDES = [[LEFT, MIDDLE], [RIGHT, MIDDLE]];
const CENTRE = [[MIDDLE, MIDDLE]];
const ENDS = [[MIDDLE, LEFT], [MIDDLE, RIGHT]];
const PIPS = [
  CENTRE, CORNERS.slice(0, 2), [...CENTRE, ...CORNERS.slice(0, 2)], CORNERS, [...CENTRE, ...CORNERS],
  [...CORNERS, ...SIDES], [...CORNERS, ...SIDES, ...CENTRE], [...CORNERS, ...SIDES, ...ENDS],
  [...CORNERS, ...SIDES, ...ENDS, ...CENTRE],
];
/** The suits of playing cards, in a square of 24. Other suits have their letter. */
const SHAPES = {
  spades: "M12 1C9 6 2 10 2 15a5 5 0 0 0 8.6 3.3L9 23h6l-1.6-4.7A5 5 0 0 0 22 15C22 10 15 6 12 1z",
  hearts: "M12 22C8 17 1 13 1 7.5a5.5 5.5 0 0 1 11-1 5.5 5.5 0 0 1 11 1C23 13 16 17 12 22z",
  diamonds: "M12 1l8.5 11L12 23 3.5 12z",
  clubs: "M12 1.5a5 5 0 0 0-4.3 7.6A5 5 0 1 0 10.7 17L9 23h6l-1.7-6a5 5 0 1 0 3-7.9A5 5 0 0 0 12 1.5z",
};

export const BLANK = "--";

/**
 * @typedef {number | string | null} Face As the service writes it; null is a hidden die.
 * @typedef {{faces: number, suits: {id: string, letter: string, name: string}[], names: string[],
 *   colours: string[]}} Dice The field `dice` of a game in the catalogue.
 */

/**
 * One die. With `onclick` it is a button, which `pressed` makes a toggle.
 * @param {Face} face
 * @param {{dice: Dice, label?: string, onclick?: (event: Event) => void, pressed?: boolean,
 *   disabled?: boolean, class?: string, data?: Record<string, unknown>}} options `label` replaces
 *   the name of the face for screen readers; `data` has further attributes.
 */
export function die(face, {dice, label, onclick, pressed, disabled, class: extra = "", data = {}}) {
  const name = label ?? dieName(face, dice);
  const {suit} = parts(face, dice);
  const classes = `die ${suit ? `suit-${suit.id}` : ""} ${extra}`;
  const picture = (attributes) => svg("svg", {viewBox: "0 0 64 64", ...attributes}, drawing(face, dice));
  const read = name ? {role: "img", "aria-label": name} : {"aria-hidden": true};
  if (!onclick) return picture({...read, class: classes, ...data});
  return el(
    "button",
    {type: "button", class: classes, "aria-label": name, "aria-pressed": pressed, disabled, onclick, ...data},
    picture({"aria-hidden": true, focusable: "false"}),
  );
}

/**
 * The name of a face in words, such as "6, red" or "king of hearts".
 * @param {Face} face
 * @param {Dice} dice
 */
export function dieName(face, dice) {
  if (face === null) return t("die.hidden");
  if (face === BLANK) return t("die.blank");
  const {number, suit} = parts(face, dice);
  const rank = t(`die.rank.${number}`, {}, number);
  if (!suit) return rank;
  return t(suit.id in SHAPES ? "die.card" : "die.suited", {rank, suit: suit.name});
}

/**
 * Every face that a die can show, by suit; one list without suits.
 * @param {Dice & {notation?: string}} dice
 * @param {Face[][] | undefined} [set] the `dice_set` of the game, if its dice differ
 * @returns {Face[][]}
 */
export function allFaces(dice, set) {
  if (set) {
    const cards = new Set(set.flat().filter((face) => face !== BLANK));
    return dice.suits.map(({letter}) => [...cards].filter((card) => card.endsWith(letter)).sort(byRank));
  }
  const numbers = dice.names.length ? dice.names : Array.from({length: dice.faces}, (_, at) => at + 1);
  if (!dice.suits.length) return [numbers];
  return dice.suits.map(({letter}) => numbers.map((number) => `${number}${letter}`));
}

function byRank(one, other) {
  const order = "23456789TJQKA";
  return order.indexOf(other[0]) - order.indexOf(one[0]);
}

function parts(face, dice) {
  if (face === null || face === BLANK) return {number: "", suit: null};
  const text = String(face);
  const suit = dice.suits.find(({letter}) => text.endsWith(letter)) ?? null;
  return {number: suit ? text.slice(0, -1) : text, suit};
}

function drawing(face, dice) {
  const cube = [
    svg("rect", {class: "edge", x: 2, y: 4, width: 60, height: 59, rx: 13}),
    svg("rect", {class: "body", x: 2, y: 2, width: 60, height: 57, rx: 13}),
  ];
  if (face === BLANK) return cube;
  if (face === null) return [cube, letters("?", 32, 43, 36)];
  const {number, suit} = parts(face, dice);
  if (suit && suit.id in SHAPES) {
    const shape = svg("path", {class: "ink", d: SHAPES[suit.id], transform: "translate(21.5 31) scale(0.88)"});
    return [cube, letters(number === "T" ? "10" : number, 32, 27, 25), shape];
  }
  const at = dice.names.indexOf(number);
  const value = at < 0 ? Number(number) : at + 1;
  const colour = dice.colours[value - 1];
  const ink = colour ? `ink ink-${colour}` : "ink";
  const pips = dice.names.length ? undefined : PIPS[value - 1];
  const shown = pips ? pips.map(([x, y]) => svg("circle", {class: ink, cx: x, cy: y, r: 5.6})) : letters(number, 32, 44, 34, ink);
  return [
    cube,
    svg("g", {transform: suit ? "translate(8 2) scale(0.75)" : "translate(0 -1.5)"}, shown),
    suit && letters(suit.letter.toUpperCase(), 32, 53, 13, "ink mark"),
  ];
}

function letters(text, x, y, size, classes = "ink") {
  return svg("text", {class: classes, x, y, "font-size": size, "text-anchor": "middle"}, text);
}

/** A button with a picture in a square of 24. */
export function icon(name, attributes, ...shapes) {
  return el("button", {type: "button", "aria-label": name, title: name, ...attributes}, svg("svg", {viewBox: "0 0 24 24", "aria-hidden": true}, shapes));
}

/**
 * Dice in a row, with a place for each that is still to come.
 * @param {(number | string | null)[]} faces null is a hidden die.
 * @param {{dice: any, label: string, count?: number, best?: (number | string)[]}} options `best`
 *   are the dice that count: the others are drawn paler.
 */
export function diceRow(faces, {dice, label, count = faces.length, best}) {
  const left = best ? [...best] : null;
  const counts = (face) => {
    if (!left) return true;
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  return el("div", {class: "dice", role: "group", "aria-label": label},
    faces.map((face) => die(face, {dice, class: counts(face) ? "" : "idle"})),
    Array.from({length: Math.max(count - faces.length, 0)}, () => el("span", {class: "die slot"})),
  );
}

/**
 * Every pot with its chips, who can win it, and who does.
 * @param {{amount: number, eligible: string[], payouts?: Record<string, number>}[]} pots
 */
export function pots(pots) {
  return el("ul", {class: "pots"}, pots.map(({amount, eligible, payouts}, at) => el("li", null,
    chips(amount),
    el("span", null,
      el("strong", null, t(at ? "pots.side" : "pots.main", {at}), " ", number(amount)),
      el("small", null, t("pots.eligible", {names: names(eligible)})),
      payouts && Object.entries(payouts).map(([name, share]) =>
        el("span", {class: "share"}, t("pots.share", {name, amount: number(share)}))),
    ),
  )));
}

export function chips(amount) {
  const count = Math.min(1 + Math.round(Math.log2(1 + amount / 20)), 7);
  return svg("svg", {class: "chips", viewBox: "0 0 40 40", "aria-hidden": true, focusable: "false"},
    Array.from({length: count}, (_, at) => svg("g", {transform: `translate(0 ${-4 * at})`},
      svg("ellipse", {class: `chip chip-${at % 2}`, cx: 20, cy: 32, rx: 16, ry: 6}),
      svg("ellipse", {class: "chip rim", cx: 20, cy: 31, rx: 10, ry: 3.4}))));
}

/**
 * @typedef {{hand: string, cards: string[], dice: number[], points: number, reason: string,
 *   direction?: "across" | "down", row?: number, column?: number}} Hand As the service returns it.
 */

/**
 * A layout on felt, and the list of its hands.
 * @param {Hand[]} hands Without places, as if a die counts in three hands, only the list is drawn.
 * @param {{game: any}} options `game` is the entry of the catalogue.
 */
export function crossword(hands, {game}) {
  const placed = hands.filter((hand) => hand.direction === "across" || hand.direction === "down");
  const names = new Map(game.hands.map((hand) => [hand.id, hand.name]));
  const list = el("ol", {class: "hands"}, hands.map((hand) => el("li", null,
    el("span", {class: "dice small"}, hand.cards.map((card) => die(card, {dice: game.dice}))),
    el("span", null, el("strong", null, names.get(hand.hand) ?? hand.hand), " ", number(hand.points),
      el("small", null, hand.reason)),
  )));
  return el("div", {class: "crossword"}, placed.length > 0 && grid(placed, names, game), list);
}

function grid(hands, names, game) {
  const cells = new Map(hands.flatMap((hand) => places(hand).map(([row, column], at) =>
    [`${row} ${column}`, {row, column, face: hand.cards[at]}])));
  const wide = Math.max(...[...cells.values()].map(({column}) => column)) + 1;
  const high = Math.max(...[...cells.values()].map(({row}) => row)) + 1;
  const words = hands.map((hand) => t("crossword.hand", {
    hand: names.get(hand.hand) ?? hand.hand,
    cards: hand.cards.map((card) => dieName(card, game.dice)).join(", "),
    direction: t(`crossword.${hand.direction}`),
    row: hand.row + 1,
    column: hand.column + 1,
  }));
  return el("div", {class: "felt"}, svg("svg", {
    class: "grid",
    viewBox: `${-GAP} ${-GAP} ${wide * STEP + GAP} ${high * STEP + GAP}`,
    style: {"max-width": `${wide * 4}rem`},
    role: "img",
    "aria-label": words.join(" "),
  },
  hands.map((hand) => {
    const across = hand.direction === "across";
    const length = hand.cards.length * STEP;
    return svg("rect", {
      class: "line", x: hand.column * STEP - GAP / 2, y: hand.row * STEP - GAP / 2, rx: 14,
      width: across ? length : STEP, height: across ? STEP : length,
    });
  }),
  [...cells.values()].map(({row, column, face}) => {
    const picture = die(face, {dice: game.dice, label: ""});
    for (const [name, value] of [["x", column * STEP], ["y", row * STEP], ["width", CELL], ["height", CELL]]) {
      picture.setAttribute(name, value);
    }
    return picture;
  })));
}

function places({row, column, direction, cards}) {
  return cards.map((_, at) => (direction === "across" ? [row, column + at] : [row + at, column]));
}

/**
 * @typedef {{scores: Record<string, number | null>, upper: number, bonus: number, lower: number,
 *   total: number}} Card As the service returns it.
 */

/**
 * The sheet of a game.
 * @param {{name: string | Node, card: Card, current?: boolean}[]} cards
 * @param {{game: any, caption: string, cell?: (column: number, box: any, score: number | null) => any}}
 *   options `game` is the entry of the catalogue. `cell` may return what stands in a box in place of
 *   its score, such as a button.
 */
export function sheet(cards, {game, caption, cell = () => null}) {
  const {card_field: counter, bonus_rule: bonus} = game.repeats ?? {};
  const repeated = counter && cards.some(({card}) => `${counter}_points` in card) && `${counter}_points`;
  const sections = Map.groupBy(game.boxes, (box) => box.section);
  const sum = (key, label, extra = "") =>
    el("tr", {class: `sum ${extra}`}, el("th", {scope: "row"}, label), cards.map(({card, current}) =>
      el("td", {class: current && "current"}, card[key] ?? 0)));
  return el("table", {class: "sheet"},
    el("caption", {class: "offscreen"}, caption),
    el("thead", null, el("tr", null, el("th", {scope: "col"}, t("sheet.box")),
      cards.map(({name, current}) => el("th", {scope: "col", class: current && "current"}, name)))),
    [...sections].map(([section, boxes]) => el("tbody", null,
      boxes.map((box) => row(box, cards, cell)),
      section === "upper" && [
        sum("upper", t("sheet.upper")),
        game.upper_bonus && sum("bonus", t("sheet.bonus", game.upper_bonus)),
      ],
    )),
    el("tfoot", null, repeated && sum(repeated, title(bonus)), sum("total", t("sheet.total"), "total")),
  );
}

/** Scrolls a sheet to where it was, or to the column of the player whose turn it is, which the names of the boxes don't cover then. */
export function inSight(pad, left) {
  if (!pad) return;
  const boxes = pad.querySelector("th").offsetWidth;
  const {offsetLeft = left + boxes, offsetWidth = 0} = pad.querySelector(".current") ?? {};
  pad.scrollLeft = Math.max(Math.min(left, offsetLeft - boxes), offsetLeft + offsetWidth - pad.clientWidth);
}

function row(box, cards, cell) {
  return el("tr", {"data-key": `row ${box.id}`},
    el("th", {scope: "row"}, box.name, box.points && el("small", null, ` ${box.points}`)),
    cards.map(({name, card, current}, column) => {
      const written = card.scores[box.id] ?? null;
      return el("td", {class: `${current ? "current" : ""} ${written === 0 ? "crossed" : ""}`, "data-cell": typeof name === "string" && `${name} ${box.id}`},
        cell(column, box, written) ?? written);
    }),
  );
}

/**
 * The card of one player, a table for each section of the sheet.
 * @param {{name: string, card: Card}} one
 * @param {{game: any, cell: (name: string, box: any) => any}} options as for `sheet`
 */
export function halves(one, {game, cell}) {
  const {card_field: counter, bonus_rule: bonus} = game.repeats ?? {};
  const repeated = counter && `${counter}_points` in one.card && [title(bonus), one.card[`${counter}_points`]];
  const sums = {
    upper: [[t("sheet.upper"), one.card.upper], game.upper_bonus && [t("sheet.bonus_short", game.upper_bonus), one.card.bonus]],
    lower: [repeated, [t("sheet.total"), one.card.total]],
  };
  return [...Map.groupBy(game.boxes, (box) => box.section)].map(([section, boxes]) => el("table", {class: "sheet half", "data-key": section},
    el("caption", {class: "offscreen"}, t("play.sheet_of", {name: one.name})),
    el("tbody", null, boxes.map((box) => row(box, [one], (_, each) => cell(one.name, each)))),
    el("tfoot", null, (sums[section] ?? []).filter(Boolean).map(([label, sum]) =>
      el("tr", {class: "sum"}, el("th", {scope: "row"}, label), el("td", null, sum))))));
}

/**
 * What lies on the felt once a game is over: everybody's total, in the order of their places.
 * @param {{players: string[], total: number}[]} places
 */
export function standings(places) {
  return [
    el("h2", null, t("play.standings")),
    el("ol", {class: "list standings"}, places.map(({players, total}) => players.map((name) => el("li", {class: "row between"},
      el("span", null, name), el("strong", null, number(total)))))),
  ];
}

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

function hint({dice}, blank) {
  const {faces, names: letters, suits} = dice;
  const signs = suits.map(({letter}) => letter).join(" ");
  const how = signs ? t("enter.type_suits", {signs}) : letters.length
    ? t("enter.type_letters", {signs: letters.join(" ")}) : t("enter.type_numbers", {faces});
  const comma = !signs && !letters.length && faces > 9;
  return [t("enter.click"), how, comma && t("enter.type_comma"), blank && t("enter.type_blank", {blank: BLANK}), t("enter.undo")].filter(Boolean).join(" ");
}

customElements.define("dice-entry", DiceEntry);
