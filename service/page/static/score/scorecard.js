/** Entering the cards of a game on paper: dice show what they score, and every box can be written. */

import {el, fill} from "../dom.js";
import {sheet} from "../draw/sheet.js";
import {DiceEntry} from "../enter.js";
import {players} from "../score.js";
import {named, names, number, t} from "../texts.js";

const DICE = "dice";
/** The sheet is kept in the tab, over a reload or another language. */
const STORED = "dice-table-sheet-";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const dice = new DiceEntry(game);
  const pad = el("div", {class: "pad"});
  const kept = stored(game);
  const seated = players(game.players, {start: 1, names: kept.map(({name}) => name), changed});
  /** What is written on each card; the sums that belong to it come from the newest answer. */
  const written = new Map(seated.list.map(({key}, at) => [key, kept[at]?.scores ?? {}]));
  let sums = new Map();
  let turn = null;
  let current = 0;
  let asked = 0;
  dice.rows = [{key: DICE, label: t("setup.dice"), count: game.dice.count}];

  function scores({key}) {
    if (!written.has(key)) written.set(key, {});
    return written.get(key);
  }

  const card = (player) => ({upper: 0, bonus: 0, total: 0, ...sums.get(player.key), scores: scores(player)});

  function changed() {
    const mine = ++asked;
    current = Math.min(current, seated.list.length - 1);
    store(game, seated.list.map((player) => ({name: player.name, scores: scores(player)})));
    const rolled = dice.values(DICE, game.dice.count);
    const mark = scores(seated.list[current]);
    const open = game.boxes.map(({id}) => id).filter((box) => (mark[box] ?? null) === null);
    const complete = !rolled.includes(undefined) && open.length > 0;
    turn = null;
    if (sums.size) draw();
    show(async () => {
      const answers = await Promise.all(seated.list.map(async (player) => [player.key, await ask("score", {card: scores(player)})]));
      const used = game.repeats && mark[game.repeats.box];
      const rated = complete
        ? await ask("evaluate", {dice: rolled, open_boxes: open, ...((used ?? null) !== null && {[game.repeats.box]: used})}) : null;
      if (mine !== asked) return null;
      sums = new Map(answers);
      turn = rated;
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
    const ranked = await ask("rank", {players: seated.list.map((player) => ({id: player.name, card: scores(player)}))});
    return [
      el("h2", null, t("score.leads", {names: names(ranked.winners), count: ranked.winners.length})),
      el("ol", null, ranked.places.map(({players: tied, total, reason}) => el("li", null,
        el("strong", null, names(tied)), ` ${number(total)} `, el("span", {class: "muted", lang: "en"}, reason)))),
    ];
  }

  function draw() {
    const focused = pad.contains(document.activeElement) ? document.activeElement : null;
    if (focused?.matches("input")) focused.blur(); // or a name that was typed would change while it is moved
    fill(pad,
      sheet(seated.list.map((player, at) => ({name: player.name, card: card(player), current: seated.list.length > 1 && at === current})),
        {game, caption: t("play.sheet"), cell}),
      el("div", {class: "row"},
        seated.list.map((player, at) => el("span", {class: "row"}, player.input,
          seated.list.length > 1 && el("button", {type: "button", "aria-pressed": at === current, "aria-label": t("score.turn_of", {name: player.name}), onclick: () => {
            current = at;
            changed();
          }}, t("score.turn")), seated.remove(player))),
        seated.add, el("button", {type: "button", class: "quiet", onclick: () => {
          written.clear();
          dice.clear();
        }}, t("score.new_sheet"))));
    if (!focused || focused === document.activeElement) return;
    const same = [...pad.querySelectorAll("[aria-label]")].find((each) => each.ariaLabel === focused.ariaLabel);
    (focused.isConnected ? focused : same)?.focus();
  }

  function cell(column, box, score) {
    const player = seated.list[column];
    if (turn && column === current && score === null) {
      const worth = turn.scores[box.id];
      return el("button", {
        type: "button", class: `write ${turn.best.box === box.id ? "best" : ""}`,
        "aria-label": t("plays.score", {score: worth, box: named(box)}),
        onclick: () => write(player, box, worth),
      }, worth);
    }
    const label = t("score.cell", {name: player.name, box: named(box)});
    return el("select", {"aria-label": label, onchange: (event) => {
      scores(player)[box.id] = event.target.value === "" ? null : Number(event.target.value);
      changed();
    }}, el("option", {value: "", selected: score === null}, "–"),
    box.possible.map((each) => el("option", {value: each, selected: score === each}, each)));
  }

  /** Writes the dice on a card, with the bonus that they may earn besides, and goes on to the next player. */
  function write(player, box, score) {
    const own = scores(player);
    own[box.id] = score;
    const counter = game.repeats?.card_field;
    if (turn[`${counter}_points`] > 0) own[counter] = (own[counter] ?? 0) + 1;
    current = (seated.list.indexOf(player) + 1) % seated.list.length;
    dice.clear();
    dice.querySelector("[aria-current]").focus();
  }

  dice.addEventListener("change", changed);
  return {entry: el("section", {class: "card"}, dice), aside: pad, changed};
}

function stored({id}) {
  try {
    return JSON.parse(sessionStorage.getItem(STORED + id)) ?? [];
  } catch {
    return [];
  }
}

function store({id}, cards) {
  try {
    sessionStorage.setItem(STORED + id, JSON.stringify(cards));
  } catch {
    // without storage, a sheet lasts as long as the page
  }
}
