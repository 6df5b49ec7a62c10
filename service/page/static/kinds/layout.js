import {el, fill, names, number, t} from "../dom.js";
import {BLANK, crossword, diceRow, die, dieName} from "../draw.js";
import {slide} from "../feel.js";
import {sentences, turnLine, typed} from "../turn.js";

/** It costs nothing to roll blanks. */
export const vain = ({turn}, {action}, {dice}) => (["bank", "risk"].includes(action) ? turn.laid.points === 0 : action === "lay" && dice === "server" && turn.rolls_left > 0);

/** Says which pairs don't count. */
const PAIRS = "R7";

/** @param {Table} table */
export function felt(table) {
  const {state, entry} = table;
  const {turn} = state;
  if (turn) table.laid = turn.laid;
  if (state.over) return table.laid && crossword(table.laid.hands, {game: entry});
  if (!turn) return el("p", null, t("play.who_begins"));
  const own = ownOf(table);
  const risk = state.news.find(({what}) => what === "risked");
  const risked = risk && die(risk.risk || BLANK, {dice: {...entry.dice, suits: []}}); // it stays until the next roll
  const dice = !turn.dice.length && typed(table) ? null : diceRow(turn.dice, {dice: entry.dice, label: t("setup.dice"), count: entry.dice.count});
  return [
    turnLine(table, turn, el("span", null, t(state.turns ? "play.round" : "play.round_alone", {round: state.turns_played[turn.player] + 1, rounds: state.turns}))),
    !turn.laid && risk && el("p", {class: "row"}, t("score.risk"), risked),
    turn.laid?.hands.length ? crossword(turn.laid.hands, {game: entry}) : own ? own.board : dice,
    turn.laid && el("p", {class: "points"}, risked, " ", el("strong", null, t("plays.points", {count: (risk ?? turn.laid).points})),
      !risk && turn.laid.all_dice_bonus > 0 && t("play.all_dice", {amount: turn.laid.all_dice_bonus})),
    table.actions.some(({action}) => action === "risk") && el("p", {class: "hint"},
      t("play.risk", {faces: names([...new Set(entry.risk_faces)].filter(Boolean).map(String), "disjunction")})),
    turn.laid?.points === 0 && el("p", {class: "hint"}, entry.rules.find(({clause}) => clause === PAIRS)?.text),
  ];
}

/** By table, through a turn. */
const boards = new WeakMap();

const byHand = ({now, session}) => now.actions.find((action) => "layout" in action && session.acts(action.player));

/** @param {Table} table */
function ownOf(table) {
  const {state: {turn}, entry} = table;
  const lay = byHand(table);
  const first = String([turn.player, turn.rolls[0]]);
  if (boards.get(table)?.first !== first) boards.delete(table);
  if (!lay || !turn.opened || !flat(table.now.house_rules.max_uses)) return null;
  if (!boards.has(table)) boards.set(table, {first, ...ownLayout(entry, {
    score: (layout) => table.ask("score", {rolls: table.state.turn.rolls, layout}),
    lay: (layout) => table.act(byHand(table), {layout}),
    judged: () => table.draw(),
    compares: Boolean(table.advice),
  })});
  const own = boards.get(table);
  own.show(turn.dice, table.now.house_rules.layout);
  return own;
}

/** @param {Table} table */
export function commit(table) {
  const {state: {turn}, now, session} = table;
  const end = now.actions.find(({action, player}) => action === "bank" && session.acts(player));
  if (end && !turn.laid.points) return el("button", {class: "primary", "data-key": "commit", "data-action": "bank", onclick: () => table.act(end)}, t("action.layout.end"));
  return byHand(table) && boards.get(table)?.button(!table.actions.some(({action}) => action === "roll"));
}

/** @param {Table} table */
export function showdown({session, computers, entry}, news) {
  const failed = news.find(({what, player, dice}) => what === "passed" && dice && session.acts(player) && !Object.hasOwn(computers, player));
  return failed && el("div", {"data-player": failed.player},
    diceRow(failed.dice, {dice: entry.dice, label: t("setup.dice")}),
    sentences(failed).map((text) => el("p", null, text)),
    el("p", {class: "points"}, el("strong", null, t("plays.points", {count: 0}))));
}

export function after(before, {action, player, dice, layout, lies, news}, game) {
  const total = news.find((each) => "total" in each);
  const state = total ? {...before, totals: {...before.totals, [total.player]: total.total}} : before;
  const {turn} = state;
  const laid = news.find(({what}) => what === "laid");
  if (laid) {
    const hands = (layout ?? []).map((line, at) => ({...line, hand: t("play.hand", {hand: at + 1}), cards: line.dice.map((die) => turn.dice[die])}));
    return {...state, turn: {...turn, laid: {points: laid.points, hands}}};
  }
  if (action !== "roll") return state;
  const goes = turn?.player === player && turn.rolls_left > 0 && !turn.laid;
  const rolls = [...(goes ? turn.rolls : []), dice];
  const shown = faces(rolls);
  const blanks = shown.map((_, at) => at).filter((at) => shown[at] === BLANK);
  return {...state, to_act: [player], turn: {player, rolls, dice: shown, blanks, rolls_left: total || lies ? 0 : game.rolls - rolls.length, opened: null, laid: null}};
}

export function rolled({turn: before}, {turn: now}) {
  if (!now?.dice.length || now.rolls.length === before?.rolls.length) return [];
  return now.rolls.length > 1 && before?.dice.length ? before.blanks : now.dice.map((_, at) => at);
}

/** @param {Table} table */
export function side({state, pause}) {
  const order = state.order ?? Object.keys(state.totals);
  return el("ul", {class: "list seats"}, order.map((name) => el("li", {class: `card ${[pause?.shown?.dataset.player ?? state.to_act].flat().includes(name) ? "current" : ""}`},
    el("p", {class: "row between"}, el("strong", null, name), el("strong", null, number(state.totals[name]))))));
}

/** The first row and column of the board, and how many it has at least. */
const FREE = [[-3, 7], [-2, 8]];

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
  keeper.own = ownLayout(keeper.game, {score: (layout) => keeper.ask("score", {...turnOf(keeper), layout}), compares: true});
  return el("section", {class: "felt", hidden: true}, el("h2", null, t("score.own")), keeper.own.board);
}

/** @param {Keeper<"layout">} keeper */
export async function find(keeper) {
  const {rules, sheet, own} = keeper;
  const turn = turnOf(keeper);
  const answer = turn.rolls.length ? await keeper.ask("evaluate", turn) : null;
  const lays = answer?.opened && flat(rules.value("max_uses"));
  own.board.parentNode.hidden = !lays;
  if (lays) {
    own.show(faces(turn.rolls), rules.value("layout"));
    await new Promise((resolve) => setTimeout(resolve)); // a task of its own
  }
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

/** @param {any[][]} rolls */
function faces([first, ...others]) {
  return others.reduce((all, roll) => {
    const rest = [...roll];
    return all.map((face) => (face === BLANK ? rest.shift() : face));
  }, first);
}

/** @param {any} game @param {OwnLayout} options */
function ownLayout(game, {score, lay, judged = () => {}, compares}) {
  const loose = el("div", {class: "dice loose", role: "group", "aria-label": t("setup.dice")});
  const cells = el("div", {class: "cells", role: "group", "aria-label": t("score.own")});
  const result = el("div", {class: "judged", "aria-live": "polite"});
  let all = [];
  let connected;
  /** Row and column of each die. */
  let laid = new Map();
  let lines = [];
  let chosen;
  let asked = 0;
  let scored = false;
  let shown = "";

  const named = (index) => dieName(all[index], game.dice);

  function draw() {
    const left = all.map((_, index) => index).filter((index) => !laid.has(index) && all[index] !== BLANK);
    if (!left.includes(chosen)) chosen = laid.size ? left[0] : undefined;
    fill(loose, all.map((face, index) => (laid.has(index) ? el("span", {class: "die slot"}) : die(face, {dice: game.dice, ...(face !== BLANK && {pressed: index === chosen, onclick: () => {
      chosen = index;
      draw();
      focus(loose.querySelector("[aria-pressed=true]"));
    }})}))));
    const [rows, columns] = FREE.map(([first, count], axis) => {
      const used = [...laid.values()].map((place) => place[axis]);
      const least = Math.min(...used) - 1;
      const most = Math.max(...used) + 1;
      const length = Math.max(count, most - least + 1);
      const start = Math.min(Math.max(first, most - length + 1), least);
      return Array.from({length}, (_, at) => start + at);
    });
    const place = () => cells.querySelector(`[data-cell="${[...laid.values()][0]}"]`)?.getBoundingClientRect();
    const from = place();
    const inCell = new Map([...laid].map(([index, place]) => [String(place), index]));
    for (const [name, {length}] of Object.entries({rows, columns})) cells.style.setProperty(`--${name}`, `${length}`);
    fill(cells, rows.flatMap((row) => columns.map((column) => {
      const index = inCell.get(`${row},${column}`);
      const name = t("score.place", {row: row - rows[0] + 1, column: column - columns[0] + 1, name: index === undefined ? t("enter.empty") : named(index)});
      const onclick = () => move(index, [row, column]);
      const data = {"data-cell": `${row},${column}`};
      return index === undefined ? el("button", {class: "die slot", "aria-label": name, onclick, ...data}) : die(all[index], {dice: game.dice, label: name, onclick, data});
    })));
    const to = place();
    if (from && to) slide(cells, from.x - to.x, from.y - to.y);
  }

  function move(index, place) {
    if (index !== undefined) laid.delete(index);
    else if (chosen !== undefined) laid.set(chosen, place);
    chosen = index;
    changed();
    judged();
    focus(cells.querySelector(`[data-cell="${place}"]`) ?? loose.querySelector("button")); // there are fewer cells with fewer dice
  }

  async function changed() {
    draw();
    const mine = ++asked;
    scored = false;
    lines = runs(laid);
    const wanting = lacks();
    const sound = lines.filter(fits);
    const lack = wanting && el("p", null, wanting);
    if (!sound.length || (lack && !unfit().length)) return fill(result, lack);
    const answer = await score(sound).catch((problem) => problem);
    if (mine !== asked) return;
    scored = !lack && "points" in answer;
    fill(result, "points" in answer ? found(answer, lack) : lack || refused(answer));
    judged();
  }

  const fits = ({dice}) => dice.length > 4 || new Set(dice.map((index) => all[index][0])).size === 1;

  /** Dice that lie alone, or in a line that is no hand. */
  function unfit() {
    const alone = [...laid.keys()].filter((index) => !lines.some(({dice}) => dice.includes(index))).map((index) => [index]);
    return [...lines.filter((line) => !fits(line)).map(({dice}) => dice), ...alone];
  }

  function lacks() {
    if (laid.size < 2) return t("score.lay");
    const wrong = unfit();
    if (wrong.length) return t("score.not_yet", {cards: wrong.map(cards).join(" · ")});
    const [{dice}, other] = lines;
    return connected && !other && dice.length < 4 && t("breach.stands_alone", {cards: cards(dice), hand: handName(dice.length > 2 ? "three_of_a_kind" : "pair")});
  }

  function found({points, hands, best}, lack) {
    return [
      el("p", null, el("strong", {class: "points"}, t("plays.points", {count: points})), " ", compares && (best.beats_by > 0 ? t("score.beaten", {count: best.beats_by}) : t(best.proven ? "score.unbeaten" : "score.unproven"))),
      lack || el("p", {class: "muted"}, hands.map(({hand, points: worth}) => `${handName(hand)} ${number(worth)}`).join(" · ")),
    ];
  }

  const handName = (hand) => game.hands.find(({id}) => id === hand)?.name;

  const cards = (dice = []) => dice.map((index) => all[index].replace("T", 10).replace(/.$/, (letter) => SIGNS[game.dice.suits.find((suit) => suit.letter === letter).id] ?? letter)).join(" ");

  function refused({message, errors}) {
    const line = (pointer = "") => cards(lines[pointer.split("/")[2]]?.dice);
    return errors ? errors.map(({pointer, code, detail, dice, other, hand, ...values}) => el("p", null,
      t(`breach.${code}`, {...values, hand: handName(hand), cards: line(pointer), other: line(other), dice: cards(dice)}, detail))) : el("p", {class: "bad"}, message);
  }

  return {
    board: el("div", {class: "own", "data-own": true}, loose, cells, result),
    button: (main) => el("button", {
      class: main ? "primary commit" : "commit", disabled: !scored, "data-key": "commit", "data-action": "lay own", onclick: () => lay?.(lines),
    }, t("score.lay_own")),
    /** Dice with the same face stay. */
    show(dice, rule) {
      if (String([dice, rule]) === shown) return;
      shown = String([dice, rule]);
      laid = new Map([...laid].filter(([index]) => dice[index] === all[index]));
      all = dice;
      connected = rule === "connected";
      changed();
    },
  };
}

const SIGNS = {spades: "♠", hearts: "♥", diamonds: "♦", clubs: "♣"};
const focus = (element) => element.focus();

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
