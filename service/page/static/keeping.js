import {BASE, unloaded} from "./api.js";
import {language, read, write} from "./dom.js";

const STORED = "dice-table-sheet-";

export const DICE = "dice";

export const kept = (game) => read(STORED + game);

export const keep = (game, sheet) => write(STORED + game, sheet);

/** @returns {Draft} */
export const emptyDraft = () => ({points: {}, stakes: {}, risk: ""});

/** @type {SheetChange["joined"]} */
export function joined({seats, ...sheet}, named) {
  const used = [...seats.map(({key}) => key), ...sheet.turns.flatMap(({points}) => Object.keys(points).map(Number))]; // also of who has left
  return {...sheet, seats: [...seats, {key: Math.max(0, ...used) + 1, name: named(seats.length + 1)}]};
}

/** @type {SheetChange["parted"]} */
export function parted({turns, ...sheet}, gone) {
  const seats = sheet.seats.filter(({key}) => key !== gone);
  const current = seats.some(({key}) => key === sheet.current) ? sheet.current : seats[0].key;
  return {...sheet, seats, current, turns: turns.filter(({points}) => seats.some(({key}) => key in points))};
}

/** @type {SheetChange["written"]} */
export function written(sheet, turn, {edited, back}) {
  const {seats, turns, current} = sheet;
  const next = seats[(seats.findIndex(({key}) => key === current) + 1) % seats.length].key;
  return {...sheet, current: back ?? next, turns: edited ? turns.map((each) => (each === edited ? turn : each)) : [...turns, turn]};
}

/** @type {SheetChange["corrected"]} */
export function corrected(sheet, key, box, score, counts = false) {
  const before = sheet.turns.find((each) => each.box === box && key in each.points);
  const others = sheet.turns.filter((each) => each !== before);
  if (score === null) return {...sheet, turns: others};
  const turn = {...before, box, points: {[key]: score}, dice: undefined};
  return {...sheet, turns: before && !counts ? sheet.turns.map((each) => (each === before ? turn : each)) : [...others, turn]};
}

/** @param {Turn[]} turns @param {number} key */
export function cardOf(turns, key, counter) {
  /** @type {Record<string, number>} */
  const card = {};
  for (const {points, box, further} of turns) {
    if (box === undefined || !(key in points)) continue;
    card[box] = points[key];
    if (further) card[counter] = (card[counter] ?? 0) + 1;
  }
  return card;
}

/** @param {Turn[]} turns @param {number} key */
export const sum = (turns, key) => turns.reduce((all, {points}) => all + (points[key] ?? 0), 0);

const KEPT = "dice-table-kept";
const ROLLS = "dice-table-rolls-";
const MOST_ROLLS = 1000;

export async function install(api) {
  const {serviceWorker: workers} = navigator;
  if (!workers) return; // over plain HTTP
  await workers.register(new URL("play/worker.js", BASE), {scope: new URL("play", BASE).href});
  if (!workers.controller) await new Promise((resolve) => workers.addEventListener("controllerchange", resolve, {once: true}));
  const mark = `${import.meta.url} ${language}`;
  if (read(KEPT) === mark) return;
  const asked = async (path) => (await api.request("GET", path, {quiet: true, once: true})).body;
  for (const {id} of (await asked("/v1/variants")).variants) {
    const game = await asked(`/v1/variants/${encodeURIComponent(id)}`);
    if (game.boxes) await learn(game, undefined, api);
  }
  write(KEPT, mark);
}

export async function learn(game, chosen, api) {
  const rules = JSON.stringify(chosen ?? {});
  const hands = rolls(game.dice);
  if (hands.length > MOST_ROLLS || read(ROLLS + game.id)?.rules === rules) return;
  const {body: {scores}} = await api.request("POST", game.links.batch, {body: {hands, house_rules: chosen}, quiet: true, once: true});
  write(ROLLS + game.id, {rules, scores});
}

function rolls({count, faces}) {
  /** @type {number[][]} */
  let all = [[]];
  for (let die = 0; die < count && all.length <= MOST_ROLLS; die++) {
    all = all.flatMap((roll) => Array.from({length: faces + 1}, (_, face) => [...roll, face]).slice(roll.at(-1) ?? 1));
  }
  return all;
}

export function answer(game, rules, operation, body) {
  return operation === "evaluate" ? evaluated(game, rules, body) : added(game, rules, body.card);
}

function evaluated(game, rules, {dice, open_boxes: open, ...used}) {
  const table = read(ROLLS + game.id);
  if (table?.rules !== JSON.stringify(rules.chosen ?? {})) unloaded();
  const roll = String(dice.toSorted((one, other) => one - other));
  const at = rolls(game.dice).findIndex((each) => String(each) === roll);
  const {box, bonus_rule: bonus, joker_rule: joker} = game.repeats ?? {};
  if (box in used && table.scores[box][at] > 0 && (rules.value(bonus) || rules.value(joker))) unloaded();
  const scores = Object.fromEntries(open.map((each) => [each, table.scores[each][at]]));
  const score = Math.max(...Object.values(scores));
  return {scores, best: {box: open.find((each) => scores[each] === score), score}};
}

function added({boxes, upper_bonus: bonus, repeats}, rules, card) {
  const sum = (section) => boxes.reduce((all, box) => all + (box.section === section ? card[box.id] ?? 0 : 0), 0);
  const upper = sum("upper");
  const reached = bonus?.tiers.findLast(({threshold}) => threshold <= upper)?.points ?? 0;
  const further = repeats ? (card[repeats.card_field] ?? 0) * (rules.value(repeats.bonus_rule) ?? 0) : 0;
  return {upper, bonus: reached, total: upper + reached + sum("lower") + further};
}
