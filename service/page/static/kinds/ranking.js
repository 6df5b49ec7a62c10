import {el, number, t} from "../dom.js";
import {diceRow, ladder, places, pot} from "../draw.js";
import {after as rolledNow, rolled as rolledIn, sentences, turnDice, turnLine, typed} from "../turn.js";

const NOTHING = "no_combination";

/** While the leader bets, the last roll still lies there. @param {State} state */
const lying = ({turn, best, phase}) => turn ?? (phase === "betting" && best ? {...best, rolls_left: 0} : null);

export function rolled(before, now, event) {
  const still = event.action === "stop" || event.news?.some(({what}) => what === "collects");
  return still ? [] : rolledIn({turn: lying(before)}, {turn: lying(now)}, event);
}

export function after(state, event, game, newest) {
  const {action, player, amount = 0, news} = event;
  const paid = action === "meet" ? state.price : amount;
  const won = news.find(({what}) => what === "collects");
  // Who went before and was enough is to be beaten.
  const {turn, best} = state.news.some(({what}) => what === "collects") ? {} : state;
  const enough = action === "roll" && turn?.dice && turn.player !== player && !state.news.some(({what}) => what === "busts");
  const stack = ({id, stack}) => stack - (id === player ? paid : 0) + (id === won?.player ? won.amount : 0);
  const next = rolledNow({...state, turn}, event, game);
  const known = [newest.best, newest.turn, ...newest.news].find((hand) => hand?.rank && `${hand.dice}` === `${next.turn?.dice}`);
  return {...next, turn: next.turn && {...next.turn, rank: next.turn.rank ?? known?.rank}, best: enough ? turn : best, phase: action === "roll" ? "rolling" : state.phase, price: amount || state.price, pot: won ? 0 : state.pot + paid, players: state.players.map((each) => ({...each, stack: stack(each)}))};
}

/** Before the first roll of a turn. */
export const unrolled = ({turn}) => ({turn: {...turn, dice: null, rank: null, reason: null, rolls_left: turn.rolls_left + 1}});

/** @param {Table} table */
export function felt(table) {
  const {state, entry} = table;
  const {best, phase} = state;
  const turn = lying(state);
  return [
    el("p", {class: "tally"}, el("span", null, t(state.rounds ? "play.round" : "play.round_alone", state)),
      el("span", null, state.price !== null && t("play.price", {amount: state.price})),
      !state.over && pot(state.pot)),
    state.over ? table.tv && showdown(table, state.news) : [
      ladder(entry, table.now.house_rules, turn?.rank),
      el("div", {class: "beats", style: {"--most": Math.min(state.players.length - 1, 2)}},
        hands(table, state.news.filter(({what, player}) => what === "busts" && player !== state.turn?.player)),
        best?.rank && phase !== "betting" && el("div", {class: "to-beat"}, el("p", null, t("play.to_beat", {name: best.player, rank: named(entry, best.rank)})),
          diceRow(sorted(entry, best.dice), {dice: entry.dice, label: t("play.best_dice")}))),
      turn ? turnLine(table, turn, el("span", null, named(entry, turn.rank))) : el("p", {class: "turn-line"}),
      (turn?.dice?.length > 0 || !typed(table)) && turnDice(table, turn?.dice?.length ? turn.dice : null),
      turn?.reason && el("p", {class: "hint"}, {true: "✓ ", false: "✗ "}[turn.beats], turn.reason),
    ],
  ];
}

export function showdown(table, news, before) {
  const {entry} = table;
  const taken = news.findLast(({what, dice}) => what === "collects" && dice);
  if (!taken) return null;
  const lost = news.filter(({what}) => ["busts", "put_out"].includes(what)).map((each) => ({dice: before?.best?.dice, ...each})).filter(({dice}) => dice);
  const given = !lost.length && taken.because.decided_by === "all_others_out"; // by a fold
  return [hands(table, lost), el("div", {class: "to-beat"}, given && el("p", null, taken.reason), el("h2", {class: "pot"}, t(given || taken.rank === NOTHING ? "pots.share" : "play.took", {name: taken.player, amount: taken.amount, rank: named(entry, taken.rank)})),
    diceRow(sorted(entry, taken.dice), {dice: entry.dice, label: t("play.best_dice")}))];
}

const sorted = ({dice: {names}}, dice) => dice.toSorted((one, other) => names.indexOf(one) - names.indexOf(other) || one - other);

const named = ({ranks}, rank) => ranks.find(({id}) => id === rank)?.name;

/** Those that were not enough, and why. @param {Table} table */
function hands({entry}, news) {
  return news.map((each) => el("div", {class: "to-beat"}, el("p", null, sentences(each)), diceRow(sorted(entry, each.dice), {dice: entry.dice, label: t("setup.dice")})));
}

/** @param {Table} table */
export function side({state}) {
  return el("ul", {class: "list seats"}, state.players.map(({id, stack, standing, reason}) => el("li", {class: `card ${state.to_act.includes(id) ? "current" : ""}`, "data-key": `seat ${id}`},
    el("p", {class: "row between"}, el("strong", null, id), el("span", null, t("play.chips", {amount: number(stack)}))),
    !state.over && el("p", {class: "muted"}, t(`play.standing.${standing}`), reason && ` · ${reason}`))));
}

/** @param {Keeper<"ranking">} keeper */
export const rows = ({game, sheet}) => sheet.seats.map(({key, name}) => ({key: `${key}`, label: name, count: game.hand_size}));

/** @param {Keeper<"ranking">} keeper */
export async function find(keeper) {
  const {game, sheet: {seats}, dice} = keeper;
  const players = seats.map(({key, name}) => ({id: name, dice: dice.values(`${key}`, game.hand_size)})).filter((hand) => !hand.dice.includes(undefined));
  if (!players.length) return null;
  const answer = await keeper.ask("rank", {players});
  const won = ({name}) => Number(answer.winners.includes(name));
  return {...answer, gains: players.length === seats.length && seats.length > 1 ? Object.fromEntries(seats.map((seat) => [seat.key, won(seat)])) : null};
}

/** @param {Keeper<"ranking">} keeper */
export function result({game, found}) {
  return found ? places(found, game) : el("p", {class: "muted"}, t("score.wait_dice", {count: game.hand_size}));
}
