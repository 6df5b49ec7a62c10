/** What can be done at a table, but for the boxes of its sheet: buttons, amounts of chips, and dice that somebody rolled. */

import {el, svg} from "./dom.js";
import {BLANK, DiceEntry, icon} from "./draw.js";
import {number, t, title} from "./texts.js";

/** The value of an action that has typed dice. */
const DICE = "dice";

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
        .sort((one, other) => Number(one.matches("form")) - Number(other.matches("form"))), more, actions.length > 0 && table.advice?.best && hint(table)));
}

/** The button that outlines the best play. */
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

/** Places for the dice that somebody rolled, and the button that sends them. */
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

/** All dice of a roll: those kept at their places, and the typed ones in order. */
function together(table, keep, typed) {
  const rest = [...typed];
  if (!keep.length) return rest;
  return table.state.turn.dice.map((face, at) => (keep.includes(at) ? face : rest.shift()));
}

/** The places of the dice to keep. */
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
