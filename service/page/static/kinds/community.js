import {POCKET} from "../api.js";
import {el, fill, names, number, read, svg, t, title, write} from "../dom.js";
import {diceRow, die, icon, ladder, places, pot, pots} from "../draw.js";

/** Ms, after a click: assistive technology can't hold. */
const SHOWN = 4000;
const COVERED = "dice-table-covered";

/** Nobody folds what they can check. */
export const vain = ({to_call: owed}, {action}) => action === "fold" && owed === 0;

/** @param {Table} table */
export function felt(table) {
  const {state, entry, now: {house_rules: rules}} = table;
  if (state.over) return table.tv && lastHand(table, state.last_hand);
  return [
    el("p", {class: "tally"}, el("span", null, t("play.hand", {hand: state.hand})),
      el("span", null, state.stage && t(`play.stage.${state.stage}`, {}, title(state.stage))),
      pot(state.pot)),
    diceRow(state.community, {dice: entry.dice, label: t("play.community"), count: Math.max(...entry.community)}),
    pocketsHere(table).map((name) => pocket(table, name)),
    ladder(entry, rules, state.holding?.rank),
    state.stage === "flop" && state.to_call === 0 && rules.flop_rerolls === null && el("p", {class: "hint"}, t("play.flop_again")),
    state.news.filter(({was}) => was).map(({was, reason}) => el("div", {class: "to-beat"}, el("p", null, t("play.flop_before")), diceRow(was, {dice: entry.dice, label: reason}))),
  ];
}

function pocketsHere({session, state}) {
  const {one, me} = session.seat;
  if (state.over) return [];
  const wanted = one ? state.to_act : [me];
  return state.players.filter(({id, out}) => wanted.includes(id) && !out).map(({id}) => id);
}

/** @param {Table} table */
function pocket(table, name) {
  const {entry, session, state} = table;
  const covered = diceRow(Array(entry.pocket).fill(null), {dice: entry.dice, label: t("play.pocket_hidden")});
  const seen = ({pocket, holding}) => [
    diceRow(pocket, {dice: entry.dice, label: t("play.pocket", {name})}),
    el("p", {class: "holding"}, holding && held(entry, holding.rank, holding.holds)),
  ];
  if (!session.seat.one) {
    const hidden = read(COVERED) === true;
    return state.pocket?.length > 0 && el("div", {class: "pocket"}, hidden ? covered : seen(state), icon(t("hold.cover"), {class: "back icon", "aria-pressed": hidden, "data-key": "eye", onclick: () => {
      write(COVERED, !hidden);
      table.draw();
    }}, svg("path", {fill: "none", d: "M2 12q10-14 20 0-10 14-20 0z"}), svg("circle", {cx: 12, cy: 12, r: 2}), svg("path", {class: "cross", d: "M4 3l16 18"})));
  }
  const look = async () => {
    const {state} = await session.seenBy(name);
    return state.pocket ? seen(state) : covered;
  };
  return holdToLook(name, `pocket ${name} ${state.hand}`, covered, look); // it stays through a hand
}

function held({ranks}, rank, holds) {
  return ranks.find(({id}) => id === rank)?.name ?? t(holds.pair ? "score.pocket_pair" : holds.suited ? "score.pocket_suited" : "score.pocket_mixed");
}

export function after(before, {action, player, amount = 0, dice, news}, _game, newest) {
  const end = news.findLast(({payouts}) => payouts);
  const pocket = action === POCKET;
  const state = pocket && !before.stage ? dealt(before, newest) : before;
  const most = Math.max(...state.players.map(({paid}) => paid));
  const due = ({chips, paid}) => (action === "all_in" ? chips : /^(bet|call|raise)$/.test(action) ? most - paid + amount : 0);
  const players = state.players.map((each) => (each.id === player ? pays({...each, folded: each.folded || action === "fold"}, due(each)) : each))
    .map((each) => (end ? {...each, chips: each.chips + (end.payouts[each.id] ?? 0), paid: 0, all_in: false} : each));
  const community = pocket ? [] : /^roll_flop/.test(action) ? dice : [...state.community, ...(dice ?? [])];
  const [, stage = state.stage] = /^roll_(?!pocket)(\w+?)(_again)?$/.exec(action) ?? [];
  return {
    ...state, ...(dice && {holding: !pocket && `${community}` === `${newest.community}` ? newest.holding : null, ...(pocket && {pocket: dice})}), players, pot: players.reduce((sum, {paid}) => sum + paid, 0),
    ...(end ? {stage: null, community: end.community, last_hand: end} : {stage, community}),
  };
}

function pays(player, amount) {
  const {chips, paid, folded} = player;
  const put = Math.min(chips, amount);
  return {...player, chips: chips - put, paid: paid + put, all_in: !folded && chips === put && paid + put > 0};
}

function dealt(state, {dealer, ante, small_blind, big_blind}) {
  const blind = (one, id) => (one?.player === id ? one.amount : 0);
  const players = state.players.map((each) => pays({...each, folded: false, out: each.left || !each.chips}, each.left ? 0 : ante + blind(small_blind, each.id) + blind(big_blind, each.id)));
  return {...state, hand: state.hand + 1, stage: "open", dealer, small_blind, big_blind, pocket: null, players};
}

/** A flop that is rolled again takes the place of the one before. */
export function rolled({community: before}, {community: now, news}) {
  return now.map((_, at) => at).slice(news.some(({was}) => was) ? 0 : before.length);
}

/** @param {Table} table */
export function showdown(table, news) {
  const {last_hand: hand} = table.state;
  return hand && news.some(({what}) => what === hand.what) ? lastHand(table, hand) : null;
}

/** The five that count, with those of the pocket marked, then those of the pocket that don't. */
function shownDice({dice}, name, pocket, best) {
  const left = [...pocket ?? []];
  const all = (best ?? []).map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return die(face, {dice, data: {"data-pocket": at >= 0}});
  });
  return el("div", {class: "dice"}, el("div", {class: "dice", role: "group", "aria-label": t("score.hand_of", {name})}, all), left.map((face) => die(face, {dice, data: {"data-out": true}})));
}

/** @param {Table} table */
export function side(table) {
  const {state} = table;
  const ended = table.pause?.shown; // even if the next hand has begun
  const {payouts, places} = state.last_hand ?? {};
  const marked = ended ? places?.[0].players ?? Object.keys(payouts) : state.to_act;
  return [
    el("ul", {class: "list seats"}, state.players.map((player) => (ended ? seat({}, whole(player), marked) : seat(state, player, marked)))),
    !state.over && !table.pause && state.last_hand && el("details", {class: "card", "data-key": `hand ${state.hand}`},
      el("summary", null, t("play.last_hand")), lastHand(table, state.last_hand)),
  ];
}

const whole = (player) => Object.assign({}, player, {chips: player.chips + player.paid, paid: 0, folded: false, all_in: false});

function seat(state, {id, chips, paid, folded, all_in: allIn, left, out}, marked) {
  const marks = [id === state.dealer && "dealer", ...["small_blind", "big_blind"].filter((blind) => state[blind]?.player === id), folded && "folded", allIn && "all_in", left ? "left" : out && "out"].filter(Boolean);
  return el("li", {class: `card ${marked.includes(id) ? "current" : ""}`, "data-key": `seat ${id}`},
    el("p", {class: "row between"}, el("strong", null, id), el("span", null, t("play.chips", {amount: number(chips)}))),
    el("p", {class: "row muted"}, el("span", null, t("play.paid", {amount: number(paid)})), marks.map((mark) => el("span", {class: "badge"}, t(`play.mark.${mark}`)))));
}

function lastHand({entry}, hand) {
  const shown = (hand.places ?? []).flatMap(({rank, reason, hands}, at, {length}) => hands.map((each) => ({...each, rank, reason: at < length - 1 && reason, won: !at})));
  return el("div", {class: "last-hand"},
    el("h2", {class: "pot"}, Object.entries(hand.payouts).map(([name, amount]) => el("span", null, t("pots.share", {name, amount: number(amount)})))),
    !hand.places && el("p", null, hand.reason),
    hand.community.length > 0 && [el("p", null, t("play.community")), diceRow(hand.community, {dice: entry.dice, label: t("play.community")})],
    shown.map(({id, pocket: dice, best, rank, reason, won}) => el("div", {class: won ? "shown won" : "shown"},
      el("p", null, el("strong", null, id), " · ", held(entry, rank)),
      shownDice(entry, id, dice, best),
      reason && el("p", {class: "muted"}, reason))),
    hand.pots?.length > 1 && pots(hand.pots),
    Object.values(hand.returned).map((amount) => el("p", {class: "muted"}, t("play.returned", {amount}))));
}

function holdToLook(name, key, covered, look) {
  const place = el("div", {class: "dice", "aria-live": "polite"}, covered);
  let looking = 0;
  let held = false;

  async function show() {
    const mine = ++looking;
    const seen = await look().catch(({message}) => el("p", null, message));
    if (mine === looking) fill(place, seen);
    return mine;
  }

  function hide() {
    looking++;
    fill(place, covered);
  }

  function hold() {
    held = true;
    show();
  }

  const button = el("button", {
    class: "hold", "data-key": `look ${name}`,
    onpointerdown: ({target, pointerId}) => {
      target.setPointerCapture(pointerId);
      hold();
    },
    onpointerup: hide, onblur: hide,
    onpointercancel: () => {
      held = false;
      hide();
    },
    oncontextmenu: (event) => event.preventDefault(),
    onkeydown: (event) => {
      if (![" ", "Enter"].includes(event.key)) return;
      if (event.repeat) event.preventDefault(); // or Enter clicks again and again
      else hold();
    },
    onkeyup: hide,
    onclick: async () => {
      const glances = !held;
      held = false;
      if (!glances) return;
      const mine = await show();
      setTimeout(() => mine === looking && hide(), SHOWN);
    },
  }, t("hold.look", {name}));
  return el("hold-to-look", {"data-key": key}, button, place); // the button stays under the finger
}

const SHARED = "community";

export function options({dice}) {
  const perSuit = dice.count / dice.suits.length;
  return {taken: (face, all) => all.filter((other) => other.at(-1) === face.at(-1)).length >= perSuit};
}

/** @param {Keeper<"community">} keeper */
export function rows(keeper) {
  const {game, sheet} = keeper;
  return [
    {key: SHARED, label: t("play.community"), count: Math.max(...game.community)},
    ...sheet.seats.map(({key, name}) => ({key: `${key}`, label: name, count: game.pocket, after: stake(keeper, key, name)})),
  ];
}

/** @param {Keeper<"community">} keeper */
function stake(keeper, key, name) {
  const {stakes} = keeper.draft;
  const {paid, folded} = stakes[key] ?? NOTHING;
  const change = (more) => {
    stakes[key] = {...NOTHING, ...stakes[key], ...more};
    keeper.changed();
  };
  return el("div", {class: "stake", role: "group", "aria-label": name},
    el("label", null, t("score.paid"), el("input", {type: "number", min: 0, inputmode: "numeric", value: paid, oninput: ({target}) => change({paid: target.value})})),
    el("label", {class: "check"}, el("input", {type: "checkbox", checked: folded, onchange: ({target}) => change({folded: target.checked})}), t("score.folded")));
}

const NOTHING = {paid: "", folded: false};

/** @param {Keeper<"community">} keeper */
export async function find(keeper) {
  const {game, sheet, dice, draft} = keeper;
  const most = Math.max(...game.community);
  const community = dice.values(SHARED, most).filter((face) => face !== undefined);
  const all = sheet.seats.map(({key, name}) => {
    const pocket = dice.values(`${key}`, game.pocket);
    return {id: name, key, pocket: pocket.includes(undefined) ? undefined : pocket, ...NOTHING, ...draft.stakes[key]};
  });
  const hands = all.filter(({pocket}) => pocket);
  const known = all.filter(({pocket, folded}) => pocket || folded);
  const missing = all.filter(({pocket, folded, paid}) => !pocket && !folded && Number(paid) > 0).map(({id}) => id);
  if (!hands.length || !game.community.includes(community.length)) return null;
  if (community.length < most || known.length < 2) {
    return {alone: await Promise.all(hands.map(async ({id, pocket}) => ({id, pocket, ...await keeper.ask("evaluate", {pocket, community})})))};
  }
  const bets = !missing.length && known.some(({paid}) => paid !== "");
  const answer = await keeper.ask("rank", {community, players: known.map(({id, pocket, folded, paid}) => ({id, pocket, folded, ...(bets && {paid: Number(paid)})}))});
  const gains = answer.payouts && Object.fromEntries(known.map(({key, id, paid}) => [key, (answer.payouts[id] ?? 0) - Number(paid)]));
  return {...answer, missing, gains};
}

/** @param {Keeper<"community">} keeper */
export function result({game, found}) {
  if (!found) return null;
  if (found.alone) return found.alone.map((each) => hand(game, each));
  return [
    places(found, game),
    found.missing.length > 0 && el("p", {class: "muted"}, t("score.wait_paid", {names: names(found.missing)})),
    found.pots && [el("h2", null, t("score.pots")), pots(found.pots)],
  ];
}

function hand(game, {id, pocket, rank, best, holds}) {
  return el("div", {class: "alone"},
    el("p", null, el("strong", null, id), " · ", held(game, rank, holds)),
    diceRow(best.length ? best : pocket, {dice: game.dice, label: t("score.hand_of", {name: id})}),
    game.ranks.some((each) => each.id === rank && !each.winning) && el("p", {class: "muted"}, t("score.cannot_win")));
}
