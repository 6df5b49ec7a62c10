/** Dice of a turn that can be kept, on the felt. */

import {die, dieName} from "../draw.js";
import {el} from "../dom.js";
import {t} from "../texts.js";

/**
 * The dice of the turn; each is a switch that keeps it if the player can roll again.
 * @param {any} table
 * @param {(number | string)[]} faces
 */
export function keepable(table, faces) {
  const {entry, draft} = table;
  const roll = table.actions.find((action) => action.keep);
  draft.keep ??= new Set();
  const toggle = (at) => {
    if (!draft.keep.delete(at)) draft.keep.add(at);
    table.draw();
  };
  return [
    el("div", {class: "dice turn", role: "group", "aria-label": t("play.dice")}, faces.map((face, at) => die(face, {
      dice: entry.dice,
      class: table.fresh && !table.fresh.has(at) ? "rolled" : "",
      ...(roll && {
        onclick: () => toggle(at),
        pressed: draft.keep.has(at),
        label: t("play.keep", {face: dieName(face, entry.dice)}),
        data: {"data-key": `keep ${at}`},
      }),
    }))),
    roll && el("p", {class: "hint"}, t(draft.keep.size > roll.keep.maxItems ? "play.keep_all" : "play.keep_hint")),
    table.now.advice && table.actions.length > 0 && el("p", {class: "hint"}, t("advice.marked")),
  ];
}

/** Places without dice, before the first roll. */
export function empty(count) {
  return el("div", {class: "dice turn", "aria-hidden": true}, Array.from({length: count}, () => el("span", {class: "die slot"})));
}

/** Whether the dice of the turn are typed now, which needs places of its own. */
export function typed({actions}) {
  return actions.some((action) => "dice" in action);
}
