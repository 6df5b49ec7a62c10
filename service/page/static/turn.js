/** A turn: its dice, those that are held in a tray, what can be done, by buttons and by keys, and the clock. Boxes are chosen on the sheet. */

import {el, fill, svg} from "./dom.js";
import {BLANK, DiceEntry, die, dieName, icon} from "./draw.js";
import {number, t, title} from "./texts.js";

const DICE = "dice";
const LOW = 10;

/**
 * The dice of the turn, with an empty place for each before the first roll. Each is a switch that
 * holds it if the player can roll again. A die never leaves its column, so nothing else moves.
 * @param {(number | string)[] | null} faces
 */
export function turnDice(table, faces) {
  const {entry, held} = table;
  const roll = faces && table.actions.find(({keep}) => keep && !keep.const);
  const count = entry.hand_size ?? entry.dice.count;
  const all = held.size > (roll?.keep.maxItems ?? count);
  const hint = roll && (all ? "play.keep_all" : held.size === 0 && "play.keep_hint");
  return [el("div", {class: "dice turn", role: "group", "aria-label": t("play.dice"), style: {"--count": count}},
    Array.from({length: count}, (_, at) => el("div", {class: held.has(at) ? "spot held" : "spot", "data-key": `spot ${at}`},
      faces ? die(faces[at], {
        dice: entry.dice,
        ...(roll && {
          onclick: () => table.hold(at),
          pressed: held.has(at),
          label: t("play.keep", {face: dieName(faces[at], entry.dice)}),
          data: {"data-key": `keep ${at}`},
        }),
      }) : el("span", {class: "die slot"}))),
    el("p", {class: all ? "tray all" : "tray"}, hint ? t(hint) : ""))];
}

/** Whether the dice of the turn are typed now, which needs places of its own. */
export function typed({actions}) {
  return actions.some((action) => "dice" in action);
}

/**
 * The places of the dice that have just been rolled, by the action that did it.
 * @param {{action: string, keep?: number[]}} action
 */
export function rolled(before, now, {keep = []}) {
  if (!now.turn?.dice || now.turn.rolls_left === before.turn?.rolls_left) return [];
  return now.turn.dice.map((_, at) => at).filter((at) => !keep.includes(at));
}

/** The state after a move: the dice of a roll lie there; all else stays. */
export function after(state, {action, player, dice}, game) {
  if (action !== "roll") return state;
  const own = state.turn?.player === player && state.turn.dice?.length;
  return {...state, to_act: [player], turn: {...state.turn, player, dice, rolls_left: (own ? state.turn.rolls_left : game.rolls) - 1, scores: null, rank: null, reason: null}};
}

/** Whether both states are of the same turn, in which dice stay held. */
export function goesOn({turn: before}, {turn: now}) {
  return Boolean(before?.dice?.length && now?.dice) && before.player === now.player && now.rolls_left <= before.rolls_left;
}

/**
 * What a key does at a table: a number holds that die, R rolls, arrows go from box to box. Enter
 * presses what has the focus, as everywhere.
 * @param {Element} root
 * @param {KeyboardEvent} event
 */
export function press(root, event) {
  const {key, target} = event;
  const taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey; // such as by dice that are typed
  if (taken || target.closest("input, select, textarea, pre")) return;
  const found = /^\d$/.test(key) ? root.querySelector(`[data-key="keep ${key - 1}"]`)
    : key.toLowerCase() === "r" && root.querySelector("[data-action^=roll]:enabled, [data-action=throw]:enabled");
  if (found && !event.repeat) found.click();
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
  const box = step && (target.closest(".felt, .pad") || target.contains(root)) && beside(root, target, step);
  if (!box) return;
  box.focus();
  event.preventDefault();
}

/** The open box that is next in a direction; from elsewhere, the first one. */
function beside(root, from, [right, down]) {
  const boxes = [...root.querySelectorAll("button.write")];
  if (!boxes.includes(from)) return boxes[0];
  const place = (box) => {
    const {x, y, width} = box.getBoundingClientRect();
    return [x + width, y];
  };
  const [x, y] = place(from);
  const far = (box) => {
    const [dx, dy] = [place(box)[0] - x, place(box)[1] - y];
    const [ahead, aside] = right ? [dx * right, Math.abs(dy)] : [dy * down, Math.abs(dx)];
    return ahead > 1 ? ahead + 4 * aside : Infinity;
  };
  const nearest = boxes.reduce((one, other) => (far(other) < far(one) ? other : one));
  return far(nearest) < Infinity ? nearest : null;
}

/** The bar of actions of a table, which the kind of game may add to. Boxes of a score card are chosen on the sheet. */
export function actionBar(table, more) {
  const {actions} = table;
  const here = actions.filter((action) => !("box" in action));
  const several = new Set(here.map(({player}) => player)).size > 1;
  const typed = here.find((action) => DICE in action);
  return el("div", {class: "actions"},
    typed && typedDice(table, typed, several),
    el("div", {class: "row"},
      here.filter((action) => !(DICE in action)).map((action, at) => control(table, action, several, at === 0 && !typed))
        .sort((one, other) => Number(one.matches("form")) - Number(other.matches("form"))), more, actions.some(({action}) => action === table.advice?.best?.action) && hint(table)));
}

function hint(table) {
  const {draft} = table;
  return icon(t("advice.hint"), {class: "icon", "aria-pressed": Boolean(draft.hint), "data-key": "hint", onclick: () => {
    draft.hint = draft.hint ? null : table.advice.best;
    table.draw();
  }}, svg("path", {d: "M9 17c0-3-4-4-4-8a7 7 0 0 1 14 0c0 4-4 5-4 8zM9 20h6M10 23h4"}));
}

function control(table, action, several, first) {
  const name = label(table, action, several);
  const key = `${action.action} ${action.player}`;
  const send = (values) => table.act(action, values);
  if (!action.amount) {
    const values = "keep" in action ? {keep: kept(table)} : {};
    return el("button", {type: "button", class: first ? "primary" : "", disabled: values.keep?.length > action.keep?.maxItems, "data-key": key, "data-action": action.action, onclick: () => send(values)}, name);
  }
  const {minimum: min, maximum: max, multipleOf: step = 1} = action.amount;
  const go = {class: first ? "primary" : "", "data-key": key, "data-action": action.action};
  if (min === max) return el("button", {type: "button", ...go, onclick: () => send({amount: min})}, `${name} ${number(min)}`);
  const value = table.draft[key] ?? min;
  const set = ({target: {form, value}}) => {
    table.draft[key] = value;
    for (const each of [form.elements.amount, form.elements.slide]) if (each.value !== value) each.value = value;
  };
  const about = {min, max, step, "aria-label": t("actions.amount", {name, minimum: min, maximum: max}), oninput: set};
  return el("form", {class: "amount", "data-key": `form ${key}`, onsubmit: (event) => {
    event.preventDefault();
    send({amount: event.target.elements.amount.valueAsNumber});
  }},
  el("div", {class: "row quick"}, shares(table, action).map(([what, amount]) => el("button", {type: "button", value: amount, "data-key": `${key} ${what}`, onclick: set}, t(what)))),
  el("input", {type: "range", name: "slide", ...about, "data-key": `${key} slide`, value}),
  el("input", {type: "number", name: "amount", ...about, required: true, inputmode: "numeric", "data-key": `${key} amount`, value}),
  el("button", {type: "submit", ...go}, name));
}

/**
 * The usual amounts of a bet, or of a raise beyond the call, as far as they are allowed.
 * @returns {[string, number][]} the key of the text of each, and the amount
 */
function shares({state}, {player, amount: {minimum, maximum, multipleOf: step = 1}}) {
  const {pot, to_call: owed = 0} = state;
  const {chips, stack = chips} = state.players.find(({id}) => id === player);
  return [["actions.half", (pot + owed) / 2], ["actions.pot", pot + owed], ["action.all_in", stack - owed]]
    .map(([what, amount]) => [what, Math.floor(amount / step) * step])
    .filter(([, amount]) => amount >= minimum && amount <= maximum);
}

function typedDice(table, action, several) {
  const {items, minItems} = action[DICE];
  const name = label(table, action, several);
  const keep = "keep" in action ? kept(table) : [];
  const button = (values, text, disabled) => el("button", {
    type: "button", class: "primary", disabled, "data-key": `${action.action} ${text}`, "data-action": action.action, onclick: () => table.act(action, values()),
  }, text);
  if (items.enum?.every(Number.isInteger)) {
    return el("div", {class: "typed"}, el("p", null, name, ": ", t("actions.risk_die")),
      el("p", {class: "row"}, items.enum.map((face) => button(() => ({[DICE]: [face]}), face ? String(face) : t("actions.blank")))));
  }
  const count = minItems - keep.length;
  const draft = table.draft;
  draft.entry ??= new DiceEntry(table.entry, {blank: Boolean(items.enum?.includes(BLANK))});
  const typed = () => draft.entry.values("typed", count);
  draft.entry.rows = [{key: "typed", label: t("actions.typed"), count}];
  draft.entry.onchange = () => table.draw();
  const missing = !count || typed().includes(undefined);
  return el("div", {class: "typed card"}, draft.entry, button(() => ({...("keep" in action ? {keep} : {}), [DICE]: together(table, keep, typed())}), name, missing));
}

function together(table, keep, typed) {
  const rest = [...typed];
  if (!keep.length) return rest;
  return table.state.turn.dice.map((face, at) => (keep.includes(at) ? face : rest.shift()));
}

function kept({held}) {
  return [...held].sort((one, other) => one - other);
}

function label(table, action, several) {
  const rolls = "keep" in action && table.state.turn.dice ? {count: table.state.turn.dice.length - kept(table).length} : {};
  const amount = table.state.to_call ?? table.state.price ?? 0;
  const otherwise = t(`action.${action.action}`, {...rolls, amount}, title(action.action));
  const text = t(`action.${table.entry.kind}.${action.action}`, {...rolls, amount}, otherwise);
  return several ? t("session.about", {names: action.player, reason: text}) : text;
}

/** `<turn-clock>`, which sends `low` once little time is left, and `up` once it is up. It is read out only when it gets low. */
export class Clock extends HTMLElement {
  #timer;
  #ends = null;
  #ahead = 0;
  #said = el("span", {class: "offscreen", role: "status"});
  #shown = el("span", {class: "clock", role: "timer"});

  connectedCallback() {
    if (!this.firstChild) this.append(this.#shown, this.#said);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** @param {number | null | undefined} ends in ms since 1970, by a clock that is `ahead` ms ahead */
  show(ends, ahead) {
    clearInterval(this.#timer);
    this.#ahead = ahead;
    if (ends !== this.#ends) fill(this.#said);
    this.#ends = ends ?? null;
    this.hidden = this.#ends === null;
    if (this.hidden) return;
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  #tick() {
    const left = Math.ceil((this.#ends - Date.now() - this.#ahead) / 1000);
    const [minutes, seconds] = [Math.floor(Math.max(left, 0) / 60), Math.max(left, 0) % 60];
    this.#shown.textContent = `${minutes}:${String(seconds).padStart(2, "0")}`;
    this.#shown.classList.toggle("low", left <= LOW);
    if (left <= LOW && !this.#said.textContent) {
      this.#said.textContent = t("clock.low", {count: Math.max(left, 0)});
      this.dispatchEvent(new Event("low"));
    }
    if (left < 0) {
      clearInterval(this.#timer);
      this.dispatchEvent(new Event("up"));
    }
  }
}

customElements.define("turn-clock", Clock);
