import {el, names, number, t, title} from "../dom.js";
import {halves, sheet as sheetOf} from "../draw.js";
import {corrected, DICE} from "../keeping.js";
import {after as rolledNow, turnDice, turnLine, typed} from "../turn.js";

export {rolled} from "../turn.js";

const WROTE = ["written", "crossed_out"];

/** Only that box is written: the newest card may have further ones. */
export function after(state, event, game, newest) {
  const wrote = event.news.find(({what}) => WROTE.includes(what));
  if (!wrote) return rolledNow(state, event, game);
  const {player, box, score} = wrote;
  const {[player]: card} = state.cards;
  return {...state, cards: {...state.cards, [player]: {...newest.cards[player], scores: {...card.scores, [box]: score}}}};
}

/** @param {Table} table */
export function felt(table) {
  const {state, entry} = table;
  const {turn} = state;
  if (state.over) return null;
  if (!turn) return el("p", null, t("play.who_begins"));
  return [
    turnLine(table, turn, el("span", null, t("play.round", {round: turn.round, rounds: entry.boxes.length}))),
    (turn.dice || !typed(table)) && turnDice(table, turn.dice),
  ];
}

/** @param {Table} table */
function offer({actions, state, draft: {hint}}, box) {
  const worth = hint?.action === "cross_out" && hint.box === box ? 0 : state.turn?.scores?.[box];
  const action = actions.find((each) => each.action === (worth ? "score" : "cross_out") && each.box.enum.includes(box));
  return action && worth !== undefined ? {worth, action} : null;
}

/** @param {Table} table */
export function commit(table) {
  const {box} = table.draft;
  if (!table.actions.some((action) => "box" in action)) return null;
  const chosen = box ? offer(table, box) : null;
  const rolls = table.actions.some(({action}) => action === "roll");
  return [!box && !rolls && el("span", {class: "hint"}, t("play.box_hint")), el("button", {
    class: chosen ? "primary commit" : "commit", disabled: !chosen, "data-key": "commit", "data-action": chosen?.action.action,
    onclick: () => table.act(chosen?.action, {box}),
  }, chosen ? t(chosen.worth ? "play.write" : "play.cross", {score: chosen.worth}) : t("play.write_none"))];
}

const named = ({boxes}, box) => boxes.find(({id}) => id === box).name;

function choose(table, box, {worth, action}) {
  const {draft, state, entry} = table;
  if (draft.box === box) return table.act(action, {box});
  const counter = counterOf(entry);
  const {scores, [counter]: repeats} = state.cards[state.turn.player];
  return preview(table, entry, box, worth, {...scores, ...(repeats !== undefined && {[counter]: repeats + further(state.turn, counter)})});
}

async function preview(place, game, box, worth, card) {
  const {draft} = place;
  const values = {box: named(game, box), count: worth};
  draft.box = box;
  draft.preview = `${values.box} ${number(worth)}`;
  place.draw();
  const {total} = await place.ask("score", {card: {...card, [box]: worth}});
  if (place.draft !== draft || draft.box !== box) return;
  draft.preview = t("play.preview_total", {...values, total});
  place.draw();
}

const counterOf = ({repeats}) => repeats?.card_field ?? "";

const further = (turn, counter) => Number(turn[`${counter}_points`] > 0);

/** @param {Table} table */
export function side(table) {
  const {state, entry, draft} = table;
  const order = state.order ?? Object.keys(state.cards);
  const {turn} = state;
  const cell = (name, box) => {
    const offered = name === turn?.player && offer(table, box.id);
    if (!offered) return null;
    return writes(box, offered.worth, {
      "data-action": offered.action.action, "aria-pressed": draft.box === box.id, onclick: () => choose(table, box.id, offered)?.catch(() => {}),
    });
  };
  const cards = order.map((name) => ({name, card: state.cards[name], current: !state.over && name === turn?.player}));
  if (table.narrow) return oneCard(table, cards, cell);
  return el("div", {class: "pad", tabindex: "0", role: "group", "aria-label": t("play.sheet"), "data-key": "pad"},
    sheetOf(cards, {game: entry, caption: t("play.sheet"), cell: (column, box) => cell(order[column], box)}));
}

function oneCard(table, cards, cell) {
  const {state, entry, draft} = table;
  const wrote = table.glows && state.news.findLast(({what}) => WROTE.includes(what));
  const shown = cards.find(({name}) => name === (draft.seen ?? (wrote || state.turn)?.player)) ?? cards[0];
  return [
    el("div", {class: "totals", role: "group", "aria-label": t("play.totals")}, cards.map(({name, card}) => el("button", {
      class: "quiet", "aria-pressed": name === shown.name, "data-key": `card ${name}`, onclick: () => {
        draft.seen = name;
        table.draw();
      },
    }, el("span", null, name), el("strong", null, card.total)))),
    el("div", {class: "pad two", role: "group", "aria-label": t("play.sheet_of", {name: shown.name}), "data-key": "pad"}, halves(shown, {game: entry, cell})),
  ];
}

const BEST = 3;

export const alone = true;

/** @param {Keeper<"scorecard">} keeper */
export const rows = ({game}) => [{key: DICE, label: t("setup.dice"), count: game.dice.count}];

/** @param {Keeper<"scorecard">} keeper @param {number} key @returns {number | string} */
export const total = ({sums}, key) => sums.get(key)?.total ?? 0;

/** @param {Keeper<"scorecard">} keeper */
export async function find(keeper) {
  const {game, sheet, dice} = keeper;
  await Promise.all(sheet.seats.map(({key}) => added(keeper, key)));
  const rolled = dice.values(DICE, game.dice.count);
  keeper.draft.box = keeper.draft.preview = null;
  const card = keeper.card();
  const left = open(keeper);
  if (rolled.includes(undefined) || !left.length) return null;
  const {box} = game.repeats ?? {};
  return {rolled, ...await keeper.ask("evaluate", {dice: rolled, open_boxes: left, ...(box in card && {[box]: card[box]})})};
}

/** @param {Keeper<"scorecard">} keeper @param {number} [key] @returns {string[]} */
function open(keeper, key) {
  const card = keeper.card(key);
  return keeper.game.boxes.map(({id}) => id).filter((box) => !(box in card));
}

/** A later card may have come before the answer. @param {Keeper<"scorecard">} keeper */
async function added(keeper, key) {
  const {sums, rules} = keeper;
  const card = keeper.card(key);
  const text = JSON.stringify([card, rules.chosen]);
  const before = sums.get(key);
  if (before?.text === text) return;
  sums.set(key, {...before, text});
  const found = await keeper.ask("score", {card}).catch((problem) => ({upper: "–", bonus: "–", total: "–", problem}));
  if (sums.get(key).text === text) sums.set(key, {...found, text});
}

/** @param {Keeper<"scorecard">} keeper */
export function result(keeper) {
  const {game, sheet, sums, found, fresh} = keeper;
  const wrong = sheet.seats.filter(({key}) => sums.get(key)?.problem);
  const left = open(keeper);
  const offered = fresh && found;
  return [
    wrong.map(({key, name}) => el("p", {class: "bad"}, t("session.about", {names: name, reason: sums.get(key).problem.message}))),
    offered ? [
      el("p", {class: "label"}, keeper.draft.preview ?? t("score.most")),
      el("div", {class: "best"}, keeper.draft.box ? writing(keeper, keeper.draft.box) : left.filter((box) => found.scores[box]).sort((one, other) => found.scores[other] - found.scores[one]).slice(0, BEST).map((box) =>
        el("button", {"data-key": `best ${box}`, onclick: () => write(keeper, box)}, named(game, box), " ", el("strong", null, found.scores[box])))),
    ] : left.length ? el("p", {class: "muted"}, t("score.wait_dice", {count: game.dice.count})) : el("h2", null, full(keeper)),
  ];
}

/** @param {Keeper<"scorecard">} keeper */
function writing(keeper, box) {
  const score = keeper.found.scores[box];
  return el("button", {class: "primary", "data-key": "write", onclick: () => write(keeper, box)}, t(score ? "play.write" : "play.cross", {score}));
}

/** @param {Keeper<"scorecard">} keeper */
function full(keeper) {
  const {seats} = keeper.sheet;
  if (!seats[1] || seats.some(({key}) => open(keeper, key).length)) return t("score.full", {name: keeper.name()});
  const most = Math.max(...seats.map(({key}) => Number(total(keeper, key))));
  const winners = seats.filter(({key}) => total(keeper, key) === most).map(({name}) => name);
  return t("score.wins", {names: names(winners), count: winners.length});
}

/** @param {Keeper<"scorecard">} keeper */
export function paper(keeper) {
  const {game, sheet, sums, rules, narrow} = keeper;
  const {card_field: counter, bonus_rule: bonus} = game.repeats ?? {};
  const repeats = {id: counter, name: t("sheet.count", {bonus: title(bonus ?? "")}), possible: game.boxes.map((_, at) => at)};
  const shown = rules.value(bonus) ? {...game, boxes: [...game.boxes, repeats]} : game;
  const many = sheet.seats.length > 1;
  const columns = sheet.seats.map(({key, name}) => ({
    key, name, card: {upper: 0, bonus: 0, total: 0, ...sums.get(key), scores: keeper.card(key)}, current: many && !narrow && key === sheet.current,
  }));
  if (!narrow) return el("div", {class: "pad"}, sheetOf(columns, {game: shown, caption: t("play.sheet"), cell: (at, box, score) => cell(keeper, columns[at], box, score)}));
  const one = columns.filter(({key}) => key === sheet.current)[0];
  return el("div", {class: "pad two"}, halves(one, {game: shown, cell: (_, box, score) => cell(keeper, one, box, score)}));
}

function cell(keeper, {key, name}, box, score) {
  const {found, fresh, sheet} = keeper;
  const worth = fresh && key === sheet.current && score === null ? found?.scores?.[box.id] : undefined;
  if (worth !== undefined) {
    const chosen = keeper.draft.box === box.id;
    return writes(box, worth, {"aria-pressed": chosen, onclick: () => {
      if (chosen) return write(keeper, box.id);
      const {card_field: counter = "", bonus_rule: bonus} = keeper.game.repeats ?? {};
      const card = keeper.card();
      const earned = further(found, counter) && keeper.rules.value(bonus) ? {[counter]: (card[counter] ?? 0) + 1} : {};
      preview(keeper, keeper.game, box.id, worth, {...card, ...earned}).catch(() => {});
    }});
  }
  const counts = box.id === keeper.game.repeats?.card_field;
  const value = score ?? (counts ? 0 : "");
  const onchange = ({target}) => keeper.set(corrected(keeper.sheet, key, box.id, target.value === "" ? null : Number(target.value), counts));
  return el("select", {"aria-label": t("score.cell", {name, box: box.name}), "data-key": `${key} ${box.id}`, onchange},
    !counts && el("option", {value: ""}, "–"), box.possible.map((each) => el("option", {value: each, selected: each === value}, each)));
}

const writes = ({id, name}, worth, attributes) => el("button", {
  class: worth ? "write" : "write zero", "data-key": `box ${id}`, "aria-label": t(worth ? "plays.score" : "plays.cross_out", {score: worth, box: name}), ...attributes,
}, worth);

function write(keeper, box) {
  const {found, sheet, game} = keeper;
  keeper.write({points: {[sheet.current]: found.scores[box]}, box, dice: found.rolled, ...(further(found, counterOf(game)) && {further: true})});
}
