import {el, names, number, patch, svg, t, title} from "./dom.js";

const CELL = 64, GAP = 4, STEP = CELL + GAP;
const PIP = 6;
/** In pairs; an odd one is between them. */
const PIPS = [[46, 18], [18, 46], [18, 18], [46, 46], [18, 32], [46, 32], [32, 18], [32, 46]];
const CENTRE = [32, 32];
const SHAPES = {
  spades: "M12 1C9 6 2 10 2 15a5 5 0 0 0 8.6 3.3L9 23h6l-1.6-4.7A5 5 0 0 0 22 15C22 10 15 6 12 1z",
  hearts: "M12 22C8 17 1 13 1 7.5a5.5 5.5 0 0 1 11-1 5.5 5.5 0 0 1 11 1C23 13 16 17 12 22z",
  diamonds: "M12 1l8.5 11L12 23 3.5 12z",
  clubs: "M12 1.5a5 5 0 0 0-4.3 7.6A5 5 0 1 0 10.7 17L9 23h6l-1.7-6a5 5 0 1 0 3-7.9A5 5 0 0 0 12 1.5z",
};

const GAMES = {
  "dice-poker": [15, "M6 3h12v18H6zM9.5 8h5m-5 4h5m-5 4h3"],
  "poker-dice": [10, "M3.5 3.5h17v17h-17zM8 8h.1M16 16h.1M12 12h.1"],
  "roll-a-royal": [15, "M5 19h14l2-11-5 4-4-7-4 7-5-4z"],
  "texas-holdem-dice": [30, "M12 3C9 8 4 10.5 4 14.5a4 4 0 0 0 7 2.5L9.5 21h5L13 17a4 4 0 0 0 7-2.5C20 10.5 15 8 12 3z"],
  "yahtzee-deluxe": [15, "M12 3l2.8 6 6.2.8-4.6 4.4 1.2 6.3L12 17.5l-5.6 3 1.2-6.3L3 9.8 9.2 9z"],
};

export const minutes = (id) => GAMES[id]?.[0];

export function token(id) {
  return el("span", {class: "token", "data-game": id, "aria-hidden": true}, svg("svg", {viewBox: "0 0 24 24"}, svg("path", {d: GAMES[id]?.[1] ?? "M4 4h16v16H4z"})));
}

export const BLANK = "--";
const MOST_PIPS = 9;

/** @type {(face: Face, options: DieOptions) => Element} */
export function die(face, {dice, label = dieName(face, dice), onclick, pressed, data}) {
  const {suit} = parts(face, dice);
  const shown = {class: suit ? `die suit-${suit.id}` : "die", "aria-label": label || null, ...data};
  const picture = (attributes) => svg("svg", {viewBox: "0 0 64 64", ...attributes}, drawing(face, dice));
  if (onclick) return el("button", {"aria-pressed": pressed, onclick, ...shown}, picture({"aria-hidden": true}));
  return picture({...(label ? {role: "img"} : {"aria-hidden": true}), ...shown});
}

/** @type {(face: Face, dice: Dice) => string} */
export function dieName(face, dice) {
  if (face === null) return t("die.hidden");
  if (face === BLANK) return t("die.blank");
  const {number, suit} = parts(face, dice);
  const rank = t(`die.rank.${number}`, {}, number);
  if (!suit) return rank;
  return t(suit.id in SHAPES ? "die.card" : "die.suited", {rank, suit: suit.name});
}

/** By suit. @type {(dice: Dice, set?: string[][]) => any[][]} */
export function allFaces(dice, set) {
  if (set) {
    const cards = new Set(set.flat());
    return dice.suits.map(({letter}) => Array.from("AKQJT98765432", (rank) => rank + letter).filter((card) => cards.has(card)));
  }
  const numbers = dice.names.length ? dice.names : Array.from({length: dice.faces}, (_, at) => at + 1);
  if (!dice.suits.length) return [numbers];
  return dice.suits.map(({letter}) => numbers.map((number) => `${number}${letter}`));
}

function parts(face, dice) {
  if (face === null || face === BLANK) return {number: "", suit: null};
  const number = String(face);
  const suit = dice.suits.find(({letter}) => number.endsWith(letter));
  return {number: suit ? number.slice(0, -1) : number, suit};
}

function drawing(face, dice) {
  const cube = [
    svg("rect", {class: "edge", x: 2, y: 6, width: 60, height: 57, rx: 14}),
    svg("rect", {class: "body", x: 2, y: 2, width: 60, height: 56, rx: 14}),
    svg("rect", {class: "top", x: 5.5, y: 4.5, width: 53, height: 50, rx: 19}),
  ];
  if (face === BLANK) return cube;
  if (face === null) return [cube, letters("?", 32, 42, 36)];
  const {number, suit} = parts(face, dice);
  if (suit && suit.id in SHAPES) {
    const shape = svg("path", {class: "ink", d: SHAPES[suit.id], transform: "translate(22.1 32) scale(0.83)"});
    return [cube, letters(number === "T" ? "10" : number, 32, 25.5, 25), shape];
  }
  const at = dice.names.indexOf(number);
  const value = at < 0 ? Number(number) : at + 1;
  const colour = dice.colours[value - 1];
  const ink = colour ? `ink ink-${colour}` : "ink";
  const pips = dice.names.length || value > MOST_PIPS ? [] : value % 2 ? [CENTRE, ...PIPS.slice(0, value - 1)] : PIPS.slice(0, value);
  const d = pips.map(([x, y]) => `M${x - PIP} ${y}a${PIP} ${PIP} 0 1 0 ${2 * PIP} 0a${PIP} ${PIP} 0 1 0 ${-2 * PIP} 0`).join("");
  const shown = d ? [svg("path", {class: "lip", d, transform: "translate(0 1.4)"}), svg("path", {class: ink, d})] : letters(number, 32, 44, 34, ink);
  return [
    cube,
    svg("g", {transform: suit ? "translate(9 0) scale(0.72)" : "translate(0 -2.5)"}, shown),
    suit && letters(suit.letter.toUpperCase(), 32, 51, 15, "ink mark"),
  ];
}

function letters(text, x, y, size, classes = "ink") {
  return svg("text", {class: classes, x, y, "font-size": size, "text-anchor": "middle"}, text);
}

export function icon(name, attributes, ...shapes) {
  return el("button", {"aria-label": name, title: name, ...attributes}, svg("svg", {viewBox: "0 0 24 24", "aria-hidden": true}, shapes));
}

/** @type {(faces: Face[], options: DiceOptions) => Element} */
export function diceRow(faces, {dice, label, count = 0}) {
  return el("div", {class: "dice", role: "group", "aria-label": label},
    faces.map((face) => die(face, {dice})),
    Array.from({length: Math.max(count - faces.length, 0)}, (_, at) => el("span", {class: "die slot", "data-key": faces.length + at})));
}

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

export function pot(amount) {
  return el("strong", {class: "pot"}, t("play.pot", {amount: number(amount)}), amount > 0 && chips(amount));
}

export const counts = (rules) => ({house_rule: rule}) => !rule || rules?.[rule];

/** The last rank is none. */
export function ladder({ranks}, rules, own) {
  const all = ranks.slice(0, -1);
  const able = all.filter((rank) => rank.winning && counts(rules)(rank));
  const others = all.filter((rank) => !able.includes(rank)).map(({name}) => name);
  return el("ol", {class: "list ladder", "aria-label": t("play.ranks")}, able.map(({id, name}) => el("li", {class: id === own && "own"}, el("span", null, name))),
    others.length > 0 && el("li", {class: "muted"}, t("play.void", {names: names(others)})));
}

export function chips(amount) {
  const count = Math.min(1 + Math.round(Math.log2(1 + amount / 20)), 7);
  return svg("svg", {class: "chips", viewBox: "0 0 40 40", "aria-hidden": true},
    Array.from({length: count}, (_, at) => svg("g", {transform: `translate(0 ${-4 * at})`},
      svg("ellipse", {class: `chip chip-${at % 2}`, cx: 20, cy: 32, rx: 16, ry: 6}),
      svg("ellipse", {class: "chip rim", cx: 20, cy: 31, rx: 10, ry: 3.4}))));
}

export function crossword(hands, {game}) {
  const placed = hands.filter(({direction}) => direction);
  const names = new Map(game.hands.map((hand) => [hand.id, hand.name]));
  const list = () => el("ol", {class: "hands"}, hands.map((hand) => el("li", null,
    el("span", {class: "dice small"}, hand.cards.map((card) => die(card, {dice: game.dice}))),
    el("span", null, el("strong", null, names.get(hand.hand) ?? hand.hand), " ", number(hand.points),
      el("small", null, hand.reason)),
  )));
  return el("div", {class: "crossword"}, placed.length > 0 && grid(placed, names, game), hands.some(({points}) => points) && list());
}

function grid(hands, names, game) {
  const all = new Map(hands.flatMap(({row, column, direction, cards}) => cards
    .map((face, at) => (direction === "across" ? {face, row, column: column + at} : {face, row: row + at, column}))
    .map((place) => [`${place.row} ${place.column}`, place])));
  const [wide, high] = ["column", "row"].map((axis) => Math.max(...[...all.values()].map((place) => place[axis])) + 1);
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
  [...all.values()].map(({row, column, face}) =>
    die(face, {dice: game.dice, label: "", data: {x: column * STEP, y: row * STEP, width: CELL, height: CELL}}))));
}

/** @type {Drawing} */
export function sheet(cards, {game, caption, cell}) {
  return el("table", {class: "sheet"},
    el("caption", {class: "offscreen"}, caption),
    el("thead", null, el("tr", null, el("th", {scope: "col"}, t("sheet.box")),
      cards.map(({name, current}) => el("th", {scope: "col", class: current && "current"}, name)))),
    sections(game).map(([section, boxes]) => el("tbody", null, boxes.map((box) => row(box, cards, cell)), section === "upper" && sums(section, game, cards, "sheet.bonus"))),
    el("tfoot", null, sums("lower", game, cards)),
  );
}

const sections = ({boxes}) => [...Map.groupBy(boxes, ({section}) => section)];

function sums(section, {repeats, upper_bonus: tiers}, cards, bonus = "sheet.bonus_short") {
  const repeated = repeats && `${repeats.card_field}_points`;
  const line = (key, label) => el("tr", {class: `sum ${key}`}, el("th", {scope: "row"}, label),
    cards.map(({card, current}) => el("td", {class: current && "current"}, card[key] ?? 0)));
  if (section === "upper") return [line("upper", t("sheet.upper")), tiers && line("bonus", t(bonus, tiers))];
  return section === "lower" && [cards.some(({card}) => repeated in card) && line(repeated, title(repeats.bonus_rule)), line("total", t("sheet.total"))];
}

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
      return el("td", {class: `${current ? "current" : ""} ${written === 0 ? "crossed" : ""}`, "data-cell": `${name} ${box.id}`},
        cell(column, box, written) ?? written);
    }),
  );
}

/** @type {Halves} */
export function halves(one, {game, cell}) {
  return sections(game).map(([section, boxes]) => el("table", {
    class: "sheet half", "data-key": section,
    onclick: ({target}) => target.closest(".write") ?? target.closest("tr")?.querySelector(".write")?.click(), // the whole row is a target
  },
    el("caption", {class: "offscreen"}, t("play.sheet_of", {name: one.name})),
    el("tbody", null, boxes.map((box) => row(box, [one], (_, each, score) => cell(one.name, each, score)))),
    el("tfoot", null, sums(section, game, [one]))));
}

export function places({places, winners}, game) {
  const ranks = new Map(game.ranks?.map((rank) => [rank.id, rank.name]));
  return [
    (places.length > 1 || winners.length > 1) && el("h2", null, t("score.wins", {names: names(winners), count: winners.length})),
    el("ol", {class: "ranking"}, places.map(({place, players: tied, rank, reason, best, hands}) => el("li", null,
      el("span", {class: "place", "aria-hidden": true}, place),
      el("div", null,
        el("p", null, el("strong", null, names(tied)), rank && ` · ${ranks.get(rank)}`),
        (hands ?? (best ? [{id: names(tied), best}] : [])).map((hand) =>
          diceRow(hand.best, {dice: game.dice, label: t("score.hand_of", {name: hand.id})})),
        el("p", {class: "muted"}, reason))))),
  ];
}

export class DiceEntry extends HTMLElement {
  #game;
  #taken;
  #rows = [];
  #values = new Map();
  #at = {row: 0, place: 0};
  #before = [];
  #picked = false;
  #typed = "";
  #table = el("div", {class: "places felt"});
  #palette = el("div", {class: "palette", role: "group", "aria-label": t("enter.faces")});
  #faces;
  #blank;
  #signs;

  /** @param {Game} game @param {EntryOptions} options */
  constructor(game, {blank = false, taken = () => false, signal} = {}) {
    super();
    this.#game = game;
    this.#taken = taken;
    this.#faces = allFaces(game.dice, game.dice_set);
    this.#blank = blank;
    this.#signs = new Map([...this.#faces.flat(), ...(blank ? [BLANK] : [])].map((face) => [String(face).toLowerCase(), face]));
    this.className = "enter";
    this.append(this.#table, this.#palette);
    (signal ? globalThis : this).addEventListener("keydown", (event) => this.#key(event), {signal});
  }

  /** @param {Row[]} rows */
  set rows(rows) {
    this.#rows = rows;
    for (const {key, count} of rows) this.#values.set(key, (this.#values.get(key) ?? []).slice(0, count));
    this.#before = this.#before.filter(({key, place, all}) => all || rows.some((row) => row.key === key && place < row.count));
    const {row, place} = this.#at;
    const next = this.#next(row);
    if (!(place < rows[row]?.count) || (next && this.#face(this.#at) !== undefined)) {
      this.#at = next ?? this.#places().at(-1);
    }
    this.#show();
  }

  values(key, count) {
    const faces = this.#values.get(key) ?? [];
    return Array.from({length: count}, (_, at) => faces[at]);
  }

  put(face) {
    const {row, place} = this.#at;
    if (this.#taken(face, this.#all)) return;
    this.#picked = false;
    const {key} = this.#rows[row];
    const faces = this.#values.get(key);
    this.#before.push({key, place, face: faces[place]});
    faces[place] = face;
    this.#at = this.#next(row) ?? this.#at;
    this.#changed();
  }

  back() {
    const last = this.#before.pop();
    if (!last) return false;
    const {key, place, face, all} = last;
    if (all) return this.#replace(all, this.#before);
    this.#values.get(key)[place] = face;
    this.#at = {row: this.#rows.findIndex((row) => row.key === key), place};
    this.#changed();
    return true;
  }

  /** @param {Record<string, Face[] | undefined>} dice */
  enter(dice) {
    this.#replace(dice, []);
  }

  #replace(dice, before) {
    for (const {key} of this.#rows) this.#values.set(key, [...(dice[key] ?? [])]);
    this.#before = before;
    this.#at = {row: 0, place: 0};
    this.#changed();
    return true;
  }

  #clear() {
    this.#replace({}, this.#all.length ? [...this.#before, {all: Object.fromEntries(this.#values)}] : this.#before);
  }

  get #all() {
    return this.#rows.flatMap(({key}) => this.#values.get(key)).filter((face) => face !== undefined);
  }

  #places() {
    return this.#rows.flatMap(({count}, row) => Array.from({length: count}, (_, place) => ({row, place})));
  }

  #face({row, place}) {
    return this.#values.get(this.#rows[row].key)[place];
  }

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
    if (event.target.matches("input, select, pre") || event.ctrlKey || event.metaKey || event.altKey) return;
    const {key} = event;
    if (key === "Backspace") this.back();
    else if (key === "ArrowLeft") this.#move(-1);
    else if (key === "ArrowRight") this.#move(1);
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
    const begins = (text) => [...this.#signs.keys()].some((each) => each.startsWith(text));
    const tens = begins("t");
    const before = this.#typed;
    const typed = (before + key).toLowerCase();
    const sign = [tens ? typed.replace(/^10/, "t") : typed, key.toLowerCase()].find((text) => begins(text) || (tens && text === "1")) ?? "";
    this.#typed = sign;
    if (!this.#signs.has(sign)) return this.#show();
    if (sign === typed && this.#signs.has(before)) this.back(); // 12 takes the place of the 1
    this.put(this.#signs.get(sign));
    if ([...this.#signs.keys()].some((each) => each !== sign && each.startsWith(sign))) this.#typed = sign;
  }

  #choices() {
    const {dice} = this.#game;
    const all = this.#all;
    const button = (face) => die(face, {dice, onclick: () => (this.#picked || this.#next(0)) && this.put(face), data: {"aria-disabled": this.#taken(face, all) || null}});
    const sign = (text, name, drawn, off, pressed) => el("button", {
      class: "sign", "aria-label": name, "aria-disabled": off || null, "aria-pressed": pressed, onclick: () => off || this.#type(text),
    }, drawn);
    const [cards] = this.#faces;
    const known = (rank, letter) => this.#signs.has(`${rank}${letter}`) && !this.#taken(this.#signs.get(`${rank}${letter}`), all);
    return [
      !dice.suits.length || cards.length <= MOST_PIPS ? this.#faces.map((faces) => el("div", {class: "dice"}, faces.map(button))) : [
        el("div", {class: "signs"}, cards.map((card) => parts(card, dice).number).map((number) => sign(number, t(`die.rank.${number}`, {}, number), number === "T" ? 10 : number,
          !dice.suits.some(({letter}) => known(number.toLowerCase(), letter)), this.#typed === number.toLowerCase()))),
        el("div", {class: "signs"}, dice.suits.map(({id, letter, name}) => sign(letter, name, svg("svg", {viewBox: "0 0 24 24", class: `suit-${id}`}, svg("path", {class: "ink", d: SHAPES[id]})), !known(this.#typed, letter)))),
      ],
      el("div", {class: "row"}, this.#blank && button(BLANK),
        el("button", {class: "quiet", onclick: () => this.back() || this.dispatchEvent(new Event("undo"))}, t("enter.back")),
        el("button", {class: "quiet", onclick: () => this.#clear()}, t("enter.clear"))),
    ];
  }

  #focus() {
    this.#table.querySelector("[aria-current]")?.focus();
  }

  #show() {
    const inside = this.#table.contains(document.activeElement) && !document.activeElement?.matches("input, select");
    const {dice} = this.#game;
    patch(this.#table, this.#rows.map(({key, label, count, after}, row) => el("div", {class: "place-row", "data-key": key},
      el("span", {class: "label"}, label),
      el("div", {class: "dice", role: "group", "aria-label": label}, Array.from({length: count}, (_, place) => {
        const face = this.#values.get(key)[place];
        const onclick = () => {
          this.#typed = "";
          this.#picked = true;
          this.#at = {row, place};
          this.#show();
          this.#focus();
        };
        const name = t("enter.place", {label, place: place + 1, name: face === undefined ? t("enter.empty") : dieName(face, dice)});
        const data = {"data-key": `${place} ${face}`, "aria-current": (row === this.#at.row && place === this.#at.place) || null};
        return face === undefined ? el("button", {class: "die slot", "aria-label": name, onclick, ...data}) : die(face, {dice, label: name, onclick, data});
      })),
      after)));
    patch(this.#palette, this.#choices());
    if (inside) this.#focus();
  }
}

customElements.define("dice-entry", DiceEntry);
