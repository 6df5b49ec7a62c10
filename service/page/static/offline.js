/** The page without a network: a service worker keeps its files, and score sheets know what each roll scores. */

import {BASE, NO_ANSWER, Problem} from "./api.js";
import {read, write} from "./stored.js";
import {language} from "./texts.js";

const KEPT = "dice-table-kept";
const ROLLS = "dice-table-rolls-";
const MOST_ROLLS = 1000;

export async function keep(api) {
  const {serviceWorker: workers} = navigator;
  if (!workers) return; // the page came over plain HTTP
  await workers.register(new URL("play/worker.js", BASE), {scope: new URL("play", BASE)});
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
  const body = {hands, ...(chosen && {house_rules: chosen})};
  const answer = await api.request("POST", game.links.batch, {body, quiet: true, once: true});
  write(ROLLS + game.id, {rules, scores: answer.body.scores});
}

function rolls({count, faces}) {
  let all = [[]];
  for (let die = 0; die < count && all.length <= MOST_ROLLS; die++) {
    all = all.flatMap((roll) => Array.from({length: faces - (roll.at(-1) ?? 1) + 1}, (_, at) => [...roll, (roll.at(-1) ?? 1) + at]));
  }
  return all;
}

/** What the service would answer about a score card, without sentences. Raises `Problem` for what only the service knows. */
export function answer(game, rules, operation, body) {
  if (operation === "evaluate") return evaluated(game, rules, body);
  return added(game, rules, body.card);
}

function evaluated(game, rules, {dice, open_boxes: open, ...used}) {
  const table = read(ROLLS + game.id);
  const roll = String([...dice].sort((one, other) => one - other));
  const at = rolls(game.dice).findIndex((each) => String(each) === roll);
  const {box, bonus_rule: bonus, joker_rule: joker} = game.repeats ?? {};
  const known = table?.rules === JSON.stringify(rules.chosen ?? {});
  const further = known && box in used && table.scores[box][at] > 0 && (rules.value(bonus) || rules.value(joker));
  if (!known || further) throw new Problem({status: 0, type: NO_ANSWER});
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
