/** Games with shared dice. At the table: the community, hidden pockets, bets, and the showdown. Scored: what was dealt and paid. */

import {el, fill} from "../dom.js";
import {DiceEntry, diceRow, pots} from "../draw.js";
import {places, players} from "../score.js";
import {names, number, t, title} from "../texts.js";

/** How many ms a click of assistive technology shows hidden dice. */
const SHOWN = 4000;

export function felt(table) {
  const {state, entry} = table;
  if (state.over && state.last_hand) return lastHand(table, state.last_hand);
  return [
    el("p", {class: "row between"}, el("span", null, t("play.hand", {hand: state.hand})),
      state.stage && el("span", null, t(`play.stage.${state.stage}`, {}, title(state.stage))),
      el("strong", null, t("play.pot", {amount: state.pot})),
      state.to_call > 0 && el("span", null, t("play.to_call", {amount: state.to_call}))),
    diceRow(state.community, {dice: entry.dice, label: t("play.community"), count: Math.max(...entry.community)}),
    pocketsHere(table).map((name) => pocket(table, name)),
  ];
}

/** Whose pockets can be looked at here: one's own, or on one device those of who has to act. */
function pocketsHere({session, state}) {
  const {one, me} = session.seat;
  if (state.over) return [];
  const wanted = one ? state.to_act : [me];
  return state.players.filter(({id, folded, out}) => wanted.includes(id) && !folded && !out).map(({id}) => id);
}

function pocket(table, name) {
  const {entry, session} = table;
  const covered = diceRow(Array(entry.pocket).fill(null), {dice: entry.dice, label: t("play.pocket_hidden")});
  const read = async () => {
    const {state} = await session.seenBy(name);
    if (!state.pocket) return el("p", null, t("play.no_pocket"));
    const holding = state.holding && entry.ranks.find(({id}) => id === state.holding.rank);
    return el("div", null, diceRow(state.pocket, {dice: entry.dice, label: t("play.pocket", {name})}), holding && el("p", null, holding.name));
  };
  const hold = new HoldToLook(t("hold.look", {name}), covered, read, `look ${name}`);
  hold.dataset.key = `pocket ${name} ${table.state.hand}`; // it stays through a hand
  return el("div", {class: "pocket"}, hold);
}

/** The state after a move: shared dice that were rolled lie there, and the end of a hand is shown. */
export function after(state, {action, player, dice, news}) {
  const end = news.findLast(({payouts}) => payouts);
  const community = action === "roll_pocket" ? [] : /^roll_flop/.test(action) ? dice : [...state.community, ...(dice ?? [])];
  const players = state.players.map((each) => ({...each, folded: action !== "roll_pocket" && (each.folded || (action === "fold" && each.id === player))}));
  return {...state, community: end?.community ?? community, players, last_hand: end ?? state.last_hand, to_act: [player]};
}

/** The shared dice that have just been rolled. */
export function rolled({community: before}, {community: now}) {
  const known = now.length > before.length ? before.length : now.length;
  return now.map((_, at) => at).slice(known);
}

/** Why the hand that has just ended went as it did. */
export function showdown(table) {
  const {last_hand: hand, news} = table.state;
  return hand && news.some(({what}) => what === hand.what) ? lastHand(table, hand) : null;
}

export function side(table) {
  const {state} = table;
  return [
    el("ul", {class: "list seats"}, state.players.map((player) => seat(state, player))),
    !state.over && !table.pause && state.last_hand && lastHand(table, state.last_hand),
  ];
}

function seat(state, {id, chips, paid, folded, all_in: allIn, left, out}) {
  const marks = [id === state.dealer && "dealer", ...["small_blind", "big_blind"].filter((blind) => state[blind]?.player === id), folded && "folded", allIn && "all_in", left ? "left" : out && "out"].filter(Boolean);
  return el("li", {class: `card ${state.to_act.includes(id) ? "current" : ""}`},
    el("p", {class: "row between"}, el("strong", null, id), el("span", null, t("play.chips", {amount: number(chips)}))),
    el("p", {class: "row muted"}, t("play.paid", {amount: number(paid)}), marks.map((mark) => el("span", {class: "badge"}, t(`play.mark.${mark}`)))));
}

/** Why the last hand went as it did: the pockets shown, the best dice of each, and the pots. */
function lastHand({entry}, hand) {
  const shown = (hand.places ?? []).flatMap(({rank, reason, hands}) => hands.map((each) => ({...each, rank, reason})));
  return el("details", {class: "card last-hand", open: true},
    el("summary", null, t("play.last_hand")),
    hand.places ? el("p", null, t("play.payouts", {names: names(Object.keys(hand.payouts))})) : el("p", null, hand.reason),
    hand.community?.length > 0 && diceRow(hand.community, {dice: entry.dice, label: t("play.community")}),
    shown.map(({id, pocket: dice, best, rank, reason}) => el("div", {class: "shown"},
      el("p", null, el("strong", null, id), " · ", entry.ranks.find(({id}) => id === rank).name),
      el("div", {class: "dice small"}, dice && diceRow(dice, {dice: entry.dice, label: t("play.pocket", {name: id})}),
        best && diceRow(best, {dice: entry.dice, label: t("play.best_dice")})),
      el("p", {class: "muted"}, reason))),
    hand.pots && pots(hand.pots),
    Object.entries(hand.returned ?? {}).map(([name, amount]) => el("p", {class: "muted"}, t("play.returned", {name, amount: number(amount)}))));
}

/**
 * `<hold-to-look>`: dice that only their owner may see, shown as long as a button is held. They are
 * read only once somebody looks.
 */
class HoldToLook extends HTMLElement {
  #read;
  #place = el("div", {class: "dice", "aria-live": "polite"});
  #covered;
  #looking = 0;

  /**
   * @param {string} label of the button
   * @param {Element} covered what is shown while nobody looks
   * @param {() => Promise<Element>} read what is shown to who looks
   * @param {string} key of the button, by which it keeps the focus
   */
  constructor(label, covered, read, key) {
    super();
    this.#read = read;
    this.#covered = covered;
    let held = false;
    const release = () => this.#hide();
    const button = el("button", {
      type: "button", class: "hold", "data-key": key,
      onpointerdown: (event) => {
        event.target.setPointerCapture(event.pointerId);
        held = true;
        this.#show();
      },
      onpointerup: release, onblur: release,
      onpointercancel: () => {
        held = false;
        release();
      },
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (![" ", "Enter"].includes(event.key)) return;
        if (event.repeat) return event.preventDefault(); // or Enter clicks again and again
        held = true;
        this.#show();
      },
      onkeyup: release,
      onclick: () => {
        if (!held) this.#glance();
        held = false;
      },
    }, label);
    this.append(this.#place, button);
    fill(this.#place, covered);
  }

  async #show() {
    const look = ++this.#looking;
    let seen;
    try {
      seen = await this.#read();
    } catch (problem) {
      seen = el("p", null, problem.message);
    }
    if (look === this.#looking) fill(this.#place, seen);
  }

  #hide() {
    this.#looking++;
    fill(this.#place, this.#covered);
  }

  /** For assistive technology, which clicks and can't hold. */
  async #glance() {
    const look = this.#looking + 1;
    await this.#show();
    setTimeout(() => look === this.#looking && this.#hide(), SHOWN);
  }
}

customElements.define("hold-to-look", HoldToLook);

const SHARED = "community";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show}) {
  const perSuit = game.dice.count / game.dice.suits.length;
  const suitOf = (face) => face.slice(-1);
  const taken = (face, all) => all.filter((other) => suitOf(other) === suitOf(face)).length >= perSuit;
  const most = Math.max(...game.community);
  const dice = new DiceEntry(game, {taken});
  const stakes = new Map();
  const seated = players(game.players, {start: 2, changed: () => {
    rows();
    changed();
  }});

  /** What a player has paid, and the button that removes them. */
  function stake({key, name, remove}) {
    if (!stakes.has(key)) {
      const paid = el("input", {type: "number", min: 0, inputmode: "numeric", onchange: changed});
      const folded = el("input", {type: "checkbox", onchange: changed});
      const group = el("div", {class: "stake", role: "group"},
        el("label", null, t("score.paid"), paid), el("label", null, folded, t("score.folded")));
      stakes.set(key, {paid, folded, group, row: el("div", {class: "row"}, group, remove)});
    }
    stakes.get(key).group.ariaLabel = name;
    return stakes.get(key);
  }

  function rows() {
    dice.rows = [
      {key: SHARED, label: t("play.community"), count: most},
      ...seated.list.map((player) => ({
        key: player.key, label: player.name, count: game.pocket, before: player.input,
        after: stake(player).row,
      })),
    ];
  }

  function changed() {
    const community = dice.values(SHARED, most).filter((face) => face !== undefined);
    const hands = seated.list.map((player) => {
      const pocket = dice.values(player.key, game.pocket);
      return {player, pocket: pocket.includes(undefined) ? undefined : pocket, ...stake(player)};
    });
    // Nobody sees the pocket of a player who has folded, but what they paid is in the pots.
    const known = hands.filter(({pocket, folded}) => pocket || folded.checked);
    const missing = hands.filter((hand) => !known.includes(hand) && Number(hand.paid.value) > 0);
    show(() => shown(community, known, missing.map(({player}) => player.name)));
  }

  /** What the known hands are worth. There are no pots while players who have paid are `missing`. */
  async function shown(community, hands, missing) {
    if (!hands.some(({pocket}) => pocket) || !game.community.includes(community.length)) {
      return el("p", {class: "muted"}, t("score.wait_pocket"));
    }
    if (community.length < most || hands.length < 2) {
      return Promise.all(hands.filter(({pocket}) => pocket).map(({player, pocket}) => alone(player.name, pocket, community)));
    }
    const bets = !missing.length && hands.some(({paid}) => paid.value !== "");
    const answer = await ask("rank", {community, players: hands.map(({player, pocket, paid, folded}) => ({
      id: player.name, pocket, folded: folded.checked, ...(bets && {paid: Number(paid.value)}),
    }))});
    return [
      places(answer, game),
      missing.length > 0 && el("p", {class: "muted"}, t("score.wait_paid", {names: names(missing)})),
      answer.pots && [el("h2", null, t("score.pots")), pots(answer.pots)],
    ];
  }

  async function alone(name, pocket, community) {
    const {rank, best, holds} = await ask("evaluate", {pocket, community});
    const entry = game.ranks.find(({id}) => id === rank);
    const held = holds && (holds.pair ? "score.pocket_pair" : holds.suited ? "score.pocket_suited" : "score.pocket_mixed");
    return el("div", {class: "alone"},
      el("p", null, el("strong", null, name), " · ", entry?.name ?? t(held)),
      diceRow(best.length ? best : pocket, {dice: game.dice, label: t("score.hand_of", {name})}),
      entry && !entry.winning && el("p", {class: "muted"}, t("score.cannot_win")));
  }

  dice.addEventListener("change", changed);
  rows();
  changed();
  return {entry: el("section", {class: "card"}, dice, el("p", {class: "row"}, seated.add)), changed};
}
