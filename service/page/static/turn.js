/** The dice of a turn: each at its place, and those that are held below it in a tray; and the keys of the table. */

import {el} from "./dom.js";
import {die, dieName} from "./draw.js";
import {t} from "./texts.js";

/**
 * The dice of the turn, with an empty place for each before the first roll. Each is a switch that
 * holds it if the player can roll again. A die never leaves its column, so nothing else moves.
 * @param {any} table
 * @param {(number | string)[] | null} faces
 */
export function turnDice(table, faces) {
  const {entry, held} = table;
  const roll = faces && table.actions.find((action) => action.keep);
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
 * @param {any} before the state before
 * @param {any} now
 * @param {{action: string, keep?: number[]}} action
 */
export function rolled(before, now, {keep = []}) {
  if (!now.turn?.dice || now.turn.rolls_left === before.turn?.rolls_left) return [];
  return now.turn.dice.map((_, at) => at).filter((at) => !keep.includes(at));
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
