import {el, fill, names, number, t} from "../dom.js";
import {BLANK, crossword, diceRow, die, dieName} from "../draw.js";
import {turnLine, typed} from "../turn.js";

export function vain({turn}, {action}) {
  return action === "risk" && turn.laid.points === 0;
}

/** @param {Table} table */
export function felt(table) {
  const {state, entry} = table;
  const {turn} = state;
  if (turn) table.laid = turn.laid;
  if (state.over) return table.laid && crossword(table.laid.hands, {game: entry});
  if (!turn) return el("p", null, t("play.who_begins"));
  const lays = table.actions.some((action) => "layout" in action) && turn.opened && flat(table.now.house_rules.max_uses);
  if (lays && !table.draft.own) {
    table.draft.own = ownLayout(entry, {
      score: (layout) => table.ask("score", {rolls: turn.rolls, layout}),
      lay: (layout) => table.act(table.actions.find((action) => "layout" in action), {layout}),
    });
    table.draft.own.show(turn.dice);
  }
  const dice = !turn.dice.length && typed(table) ? null : diceRow(turn.dice, {dice: entry.dice, label: t("play.dice"), count: entry.dice.count});
  return [
    turnLine(table, turn, el("span", null, t(state.turns ? "play.round" : "play.round_alone", {round: state.turns_played[turn.player] + 1, rounds: state.turns}))),
    !turn.rolls.length && [passed(state, entry), risked(state, entry)],
    turn.laid?.hands.length ? crossword(turn.laid.hands, {game: entry}) : dice,
    turn.laid && el("p", {class: "points"}, el("strong", null, t("plays.points", {count: turn.laid.points})),
      turn.laid.all_dice_bonus > 0 && t("play.all_dice", {amount: turn.laid.all_dice_bonus})),
    table.actions.some(({action}) => action === "risk") && el("p", {class: "hint"},
      t("play.risk", {faces: names([...new Set(entry.risk_faces)].filter(Boolean).map(String), "disjunction")})),
    !turn.laid && turn.dice.includes(BLANK) && el("p", {class: "hint"}, t("play.blanks", {count: turn.blanks.length})),
    lays && table.draft.own.section,
  ];
}

/** Who didn't open shows the roll. */
function passed({news}, entry) {
  const before = news.find(({what, dice}) => what === "passed" && dice);
  if (!before) return null;
  return el("div", {class: "to-beat"}, el("p", null, t("play.passed", {name: before.player})),
    diceRow(before.dice, {dice: entry.dice, label: t("play.dice")}));
}

/** The risk die stays until the next roll. */
function risked({news}, entry) {
  const roll = news.find(({what}) => what === "risked");
  return roll && el("p", {class: "row"}, t("score.risk"), die(roll.risk || BLANK, {dice: {...entry.dice, suits: []}}));
}

export function after(state, {action, player, dice, news}, game) {
  const total = news.find((each) => "total" in each);
  if (total) return {...state, totals: {...state.totals, [total.player]: total.total}};
  if (action !== "roll") return state;
  const before = state.turn?.player === player && !state.turn.laid ? state.turn : {rolls: [], rolls_left: game.rolls};
  const rolls = [...before.rolls, dice];
  const shown = faces(rolls);
  const blanks = shown.map((_, at) => at).filter((at) => shown[at] === BLANK);
  return {...state, to_act: [player], turn: {player, rolls, dice: shown, blanks, rolls_left: before.rolls_left - 1, opened: null, laid: null}};
}

export function rolled({turn: before}, {turn: now}) {
  if (!now?.dice.length || now.rolls.length === before?.rolls.length) return [];
  return now.rolls.length > 1 && before?.dice.length ? before.blanks : now.dice.map((_, at) => at);
}

/** @param {Table} table */
export function side({state}) {
  const order = state.order ?? Object.keys(state.totals);
  return el("ul", {class: "list seats"}, order.map((name) => el("li", {class: `card ${state.to_act.includes(name) ? "current" : ""}`},
    el("p", {class: "row between"}, el("strong", null, name), el("strong", null, number(state.totals[name]))))));
}

const MARGIN = 2;

export const alone = true;

export const options = (game, rules) => ({blank: true, taken: (face, all) => face !== BLANK && !rules.value("repeated_cards") && all.includes(face)});

/** Blanks are rolled again. @param {Keeper<"layout">} keeper */
function entered({game, dice}) {
  const rolls = [];
  const all = [];
  for (let count = game.dice.count; count && all.length < game.rolls;) {
    const key = `roll ${all.length}`;
    all.push({key, label: t("score.roll", {number: all.length + 1}), count});
    const faces = dice.values(key, count);
    if (faces.includes(undefined)) break;
    rolls.push(faces);
    count = faces.filter((face) => face === BLANK).length;
  }
  return {rolls, all};
}

/** @param {Keeper<"layout">} keeper */
export const rows = (keeper) => entered(keeper).all;

/** @param {Keeper<"layout">} keeper */
function turnOf(keeper) {
  const {risk} = keeper.draft;
  return {rolls: entered(keeper).rolls, ...(risk !== "" && {risk: Number(risk)})};
}

/** @param {Keeper<"layout">} keeper */
export function beside(keeper) {
  keeper.own = ownLayout(keeper.game, {open: true, score: (layout) => keeper.ask("score", {...turnOf(keeper), layout})});
  return keeper.own.section;
}

/** @param {Keeper<"layout">} keeper */
export async function find(keeper) {
  const {rules, sheet, own} = keeper;
  const turn = turnOf(keeper);
  const answer = turn.rolls.length ? await keeper.ask("evaluate", turn) : null;
  own.show(answer?.opened && flat(rules.value("max_uses")) && faces(turn.rolls));
  return answer && {...answer, gains: {[sheet.current]: answer.score}};
}

/** @param {Keeper<"layout">} keeper */
export function result(keeper) {
  const {game, found, draft} = keeper;
  return [
    found ? layout(found, game) : el("p", {class: "muted"}, t("score.wait_dice", {count: game.dice.count})),
    el("p", null, el("label", null, t("score.risk"), " ", el("select", {"data-key": "risk", disabled: !found?.points, onchange: ({target}) => {
      draft.risk = target.value;
      keeper.changed();
    }}, el("option", {value: ""}, t("score.no_risk")),
    [...new Set(game.risk_faces)].sort().map((face) => el("option", {value: face, selected: `${face}` === draft.risk}, face || t("die.blank")))))),
  ];
}

function layout({opened, missing, hands, all_dice_bonus: bonus, score, wins_game: wins, proven}, game) {
  return [
    el("h2", null, opened ? t("plays.points", {count: score}) : t("score.closed"), bonus > 0 && t("play.all_dice", {amount: bonus})),
    !opened && el("p", {class: "muted"}, missing),
    wins && el("p", {class: "good"}, t("score.wins_game")),
    hands.length > 0 && crossword(hands, {game}),
    !proven && el("p", null, t("score.unproven")),
  ];
}

/** A die in three hands needs more than rows and columns. */
const flat = (uses = 0) => uses < 3;

/** Each roll after the first is that of the blanks. @param {any[][]} rolls */
function faces([first, ...others]) {
  return others.reduce((all, roll) => {
    const rest = [...roll];
    return all.map((face) => (face === BLANK ? rest.shift() : face));
  }, first);
}

/** @param {any} game @param {OwnLayout} options */
function ownLayout(game, {score, lay, open}) {
  const tray = el("div", {class: "dice small tray", role: "group", "aria-label": t("score.tray")});
  const cells = el("div", {class: "cells", role: "group", "aria-label": t("score.own")});
  const result = el("div", {"aria-live": "polite", tabindex: "-1"});
  const section = el("details", {class: "card", hidden: true, open, "data-own": true},
    el("summary", null, t("score.own")), el("p", {class: "hint muted"}, t("score.lay")), tray, el("div", {class: "felt"}, cells), result);
  let all = [];
  /** Row and column of each die. */
  let laid = new Map();
  let chosen;
  let asked = 0;

  const named = (index) => dieName(all[index], game.dice);

  function draw() {
    const left = all.map((_, index) => index).filter((index) => !laid.has(index) && all[index] !== BLANK);
    if (!left.includes(chosen)) [chosen] = left;
    fill(tray, left.map((index) => die(all[index], {dice: game.dice, pressed: index === chosen, onclick: () => {
      chosen = index;
      draw();
      focus(tray.querySelector("[aria-pressed=true]"));
    }})));
    const [top, bottom] = span(0);
    const [start, end] = span(1);
    const inCell = new Map([...laid].map(([index, place]) => [String(place), index]));
    cells.style.setProperty("--columns", `${end - start + 1}`);
    fill(cells, range(top, bottom).flatMap((row) => range(start, end).map((column) => {
      const index = inCell.get(`${row},${column}`);
      const name = t("score.place", {row: row - top + 1, column: column - start + 1, name: index === undefined ? t("enter.empty") : named(index)});
      const onclick = () => move(index, [row, column]);
      const data = {"data-cell": `${row},${column}`};
      return index === undefined ? el("button", {class: "die slot", "aria-label": name, onclick, ...data}) : die(all[index], {dice: game.dice, label: name, onclick, data});
    })));
  }

  function span(axis) {
    const used = [...laid.values()].map((place) => place[axis]);
    return [Math.min(0, ...used) - MARGIN, Math.max(0, ...used) + MARGIN];
  }

  function move(index, place) {
    if (index !== undefined) laid.delete(index);
    else if (chosen !== undefined) laid.set(chosen, place);
    chosen = index;
    changed();
    focus(cells.querySelector(`[data-cell="${place}"]`) ?? tray.firstChild); // there are fewer cells with fewer dice
  }

  /** Only when asked for: while they lay, most of it is no layout yet. */
  function changed() {
    draw();
    asked++;
    const lines = runs(laid);
    fill(result, lines.length > 0 && el("button", {onclick: () => judge(lines)}, t("score.score_own")));
  }

  async function judge(lines) {
    const mine = ++asked;
    const shown = await score(lines).then((answer) => scored(answer, lines), (problem) => refused(problem, lines));
    if (mine !== asked) return;
    const inside = result.contains(document.activeElement);
    fill(result, shown);
    if (inside) (result.querySelector("button") ?? result).focus();
  }

  function scored({points, hands, best}, lines) {
    return [
      el("p", {class: "points"}, el("strong", null, t("plays.points", {count: points}))),
      el("p", null, best.beats_by > 0 ? t("score.beaten", {count: best.beats_by}) : t(best.proven ? "score.unbeaten" : "score.unproven")),
      lay && el("button", {"data-action": "lay own", onclick: () => lay(lines)}, t("score.lay_own")),
      crossword(hands.map(({direction, ...hand}) => hand), {game}),
    ];
  }

  function refused({message, errors}, lines) {
    const cards = (dice = []) => dice.map((index) => all[index]).join(" ");
    const line = (pointer = "") => cards(lines[pointer.split("/")[2]]?.dice);
    return errors ? errors.map(({pointer, code, detail, dice, other, hand, ...values}) => el("p", {class: "muted"},
      t(`breach.${code}`, {...values, hand: game.hands.find(({id}) => id === hand)?.name, cards: line(pointer), other: line(other), dice: cards(dice)}, detail))) : el("p", {class: "bad"}, message);
  }

  return {
    section,
    /** Dice with the same face stay. */
    show(dice) {
      section.hidden = !dice;
      if (!dice) return;
      laid = new Map([...laid].filter(([index]) => dice[index] === all[index]));
      all = dice;
      changed();
    },
  };
}

const focus = (element) => element.focus();
const range = (first, last) => Array.from({length: last - first + 1}, (_, at) => first + at);

/** The first row and column are 0. */
function runs(laid) {
  const [top, start] = [0, 1].map((axis) => Math.min(...[...laid.values()].map((place) => place[axis])));
  const at = new Map([...laid].map(([index, place]) => [String(place), index]));
  return [{direction: "across", down: 0, right: 1}, {direction: "down", down: 1, right: 0}].flatMap(({direction, down, right}) => [...laid.values()].flatMap(([row, column]) => {
    const next = (steps) => at.get(`${row + steps * down},${column + steps * right}`);
    const dice = [];
    while (next(dice.length) !== undefined) dice.push(next(dice.length));
    return next(-1) === undefined && dice.length > 1 ? [{dice, direction, row: row - top, column: column - start}] : [];
  }));
}
