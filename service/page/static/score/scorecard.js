/** Entering the cards of a game on paper: dice show what they score, and every box can be written. */

import {el, fill} from "../dom.js";
import {sheet} from "../draw/sheet.js";
import {DiceEntry} from "../enter.js";
import {named, names, number, t} from "../texts.js";
import {players} from "./players.js";

const DICE = "dice";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const dice = new DiceEntry(game);
  const pad = el("div", {class: "pad"});
  const cards = new Map();
  let turn = null;
  let current = 0;
  const seated = players(game.players, {start: 1, changed});
  dice.rows = [{key: DICE, label: t("setup.dice"), count: game.dice.count}];

  const card = ({key}) => cards.get(key) ?? {scores: {}, upper: 0, bonus: 0, total: 0};

  function changed() {
    current = Math.min(current, seated.list.length - 1);
    const rolled = dice.values(DICE, game.dice.count);
    show(async () => {
      await Promise.all(seated.list.map(async ({key}) => {
        const written = await ask("score", {card: card({key}).scores});
        cards.set(key, {...written, scores: written.card});
      }));
      const open = Object.entries(card(seated.list[current]).scores).filter(([, score]) => score === null);
      turn = rolled.includes(undefined) || !open.length
        ? null : await ask("evaluate", {dice: rolled, open_boxes: open.map(([box]) => box)});
      draw();
      return [best(), await leader()];
    });
  }

  function best() {
    if (!turn) return el("p", {class: "muted"}, t("score.wait_dice", {count: game.dice.count}));
    const box = game.boxes.find(({id}) => id === turn.best.box);
    return [
      el("h2", null, t("score.best_box", {box: named(box), score: turn.best.score})),
      el("p", {class: "muted"}, t("score.write", {name: seated.list[current].name})),
    ];
  }

  async function leader() {
    if (seated.list.length < 2) return null;
    const ranked = await ask("rank", {players: seated.list.map((player) => ({id: player.name, card: card(player).scores}))});
    return [
      el("h2", null, t("score.leads", {names: names(ranked.winners), count: ranked.winners.length})),
      el("ol", null, ranked.places.map(({players: tied, total, reason}) => el("li", null,
        el("strong", null, names(tied)), ` ${number(total)} `, el("span", {class: "muted", lang: "en"}, reason)))),
    ];
  }

  function draw() {
    const focused = pad.contains(document.activeElement) ? document.activeElement : null;
    fill(pad,
      sheet(seated.list.map((player, at) => ({name: player.name, card: card(player), current: seated.list.length > 1 && at === current})),
        {game, caption: t("play.sheet"), cell}),
      el("div", {class: "row"},
        seated.list.map((player, at) => el("span", {class: "row"}, player.input,
          seated.list.length > 1 && el("button", {type: "button", "aria-pressed": at === current, onclick: () => {
            current = at;
            changed();
          }}, t("score.turn_of")), seated.remove(player))),
        seated.add));
    if (!focused) return;
    const same = [...pad.querySelectorAll("[aria-label]")].find((each) => each.ariaLabel === focused.ariaLabel);
    (focused.isConnected ? focused : same)?.focus();
  }

  function cell(column, box, written) {
    const player = seated.list[column];
    if (turn && column === current && written === null) {
      const score = turn.scores[box.id];
      return el("button", {
        type: "button", class: `write ${turn.best.box === box.id ? "best" : ""}`,
        "aria-label": t("plays.score", {score, box: named(box)}),
        onclick: () => {
          card(player).scores[box.id] = score;
          current = (column + 1) % seated.list.length;
          dice.clear();
          dice.querySelector("[aria-current]").focus();
        },
      }, score);
    }
    const label = t("score.cell", {name: player.name, box: named(box)});
    return el("select", {"aria-label": label, onchange: (event) => {
      card(player).scores[box.id] = event.target.value === "" ? null : Number(event.target.value);
      changed();
    }}, el("option", {value: "", selected: written === null}, "–"),
    box.possible.map((score) => el("option", {value: score, selected: written === score}, score)));
  }

  dice.addEventListener("change", changed);
  changed();
  return {entry: el("section", {class: "card"}, dice), aside: pad};
}
