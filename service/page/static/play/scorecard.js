/** Score cards: the dice of the turn on the felt, and the sheet with what each box would get. */

import {sheet, standings} from "../draw/sheet.js";
import {el} from "../dom.js";
import {named, t} from "../texts.js";
import {empty, keepable, typed} from "./dice.js";

export function felt(table) {
  const {state, entry, actions} = table;
  const {turn} = state;
  if (state.over) return standings(state.places);
  if (!turn) return el("p", null, t("play.who_begins"));
  return [
    el("p", {class: "row between"}, el("strong", null, turn.player),
      el("span", null, t("play.round", {round: turn.round, rounds: entry.boxes.length})),
      el("span", null, t("play.rolls_left", {count: turn.rolls_left}))),
    turn.dice ? keepable(table, turn.dice) : typed(table) ? null : empty(entry.dice.count),
    turn.dice && actions.some((action) => "box" in action) && el("p", {class: "hint"}, t("play.write_hint")),
  ];
}

export function side(table) {
  const {state, entry, draft} = table;
  const order = state.order ?? Object.keys(state.cards);
  const {turn} = state;
  const score = table.actions.find(({action}) => action === "score");
  const cross = table.actions.find(({action}) => action === "cross_out");
  const cards = order.map((name) => ({name, card: state.cards[name], current: !state.over && name === turn?.player}));
  const cell = (column, box) => {
    if (order[column] !== turn?.player || !(score ?? cross)) return null;
    const worth = draft.crossing ? 0 : turn.scores?.[box.id];
    const action = [worth ? score : cross, score].find((each) => each?.box.enum.includes(box.id));
    if (worth === undefined || !action) return null;
    const best = !draft.crossing && turn.best?.box === box.id;
    return el("button", {
      type: "button", class: best ? "write best" : "write", "data-key": `box ${box.id}`, "data-action": action.action,
      "aria-label": t(worth ? "plays.score" : "plays.cross_out", {score: worth, box: named(box)}),
      onclick: () => table.act(action, {box: box.id}),
    }, worth);
  };
  return [
    el("div", {class: "pad", tabindex: "0", role: "group", "aria-label": t("play.sheet")}, sheet(cards, {game: entry, caption: t("play.sheet"), cell})),
    cross && el("label", {class: "check"}, el("input", {
      type: "checkbox", checked: draft.crossing, "data-key": "crossing", onchange: (event) => {
        draft.crossing = event.target.checked;
        table.draw();
      },
    }), t("play.crossing")),
  ];
}
