/** The players at a real table: their names, and buttons to add and remove them. */

import {el} from "../dom.js";
import {t} from "../texts.js";

/**
 * A list of players that can be edited.
 * @param {{min: number, max: number | null}} bounds how many the game takes
 * @param {{start: number, changed: () => void}} options `changed` is called after every edit.
 */
export function players(bounds, {start, changed}) {
  const most = bounds.max ?? Infinity;
  let made = 0;
  let all = Array.from({length: Math.max(start, bounds.min)}, made_up);

  function made_up() {
    const label = t("score.player", {number: ++made});
    const input = el("input", {value: label, maxlength: 64, "aria-label": t("score.name"), onchange: changed});
    return {key: `player ${made}`, input, get name() { return input.value.trim() || label; }};
  }

  const add = el("button", {type: "button", onclick: () => {
    all.push(made_up());
    edited();
  }}, t("score.add_player"));

  function edited() {
    add.disabled = all.length >= most;
    changed();
  }

  return {
    add,
    get list() { return all; },
    /** A button that removes a player, or nothing while no fewer can play. */
    remove: (player) => all.length > Math.max(bounds.min, 1) && el("button", {
      type: "button", class: "quiet", "aria-label": t("score.remove_player", {name: player.name}), onclick: () => {
        all = all.filter((each) => each !== player);
        edited();
        add.focus();
      },
    }, "×"),
  };
}
