import {part, POCKET} from "./api.js";
import {el, fill, names, number, svg, t, title} from "./dom.js";
import {BLANK, DiceEntry, diceRow, die, dieName, icon} from "./draw.js";

const DICE = "dice";
const LOW = 10;
const FEW = 3;

/** A die never leaves its column. @param {Table} table */
export function turnDice(table, faces) {
  const {entry, held} = table;
  const roll = faces && table.actions.find(({keep}) => keep && !keep.const);
  const count = entry.hand_size ?? entry.dice.count;
  const all = held.size > (roll?.keep.maxItems ?? count);
  const hint = roll && (all ? `play.keep_all.${entry.kind}` : !held.size && "play.keep_hint");
  return [el("div", {class: "dice turn", role: "group", "aria-label": t("setup.dice"), style: {"--count": count}},
    Array.from({length: count}, (_, at) => el("div", {class: faces && held.has(at) ? "spot held" : "spot", "data-key": `spot ${at}`},
      faces ? die(faces[at], {
        dice: entry.dice,
        ...(roll && {
          onclick: () => table.hold(at),
          pressed: held.has(at),
          label: t("play.keep", {face: dieName(faces[at], entry.dice)}),
          data: {"data-key": `keep ${at}`},
        }),
      }) : el("span", {class: "die slot"}))),
    el("p", {class: all ? "tray all" : "tray"}, hint ? t(hint) : ""))];
}

export function typed({actions}) {
  return actions.some((action) => "dice" in action);
}

export function rolled(before, now, {keep = []}) {
  if (!now.turn?.dice || now.turn.rolls_left === before.turn?.rolls_left) return [];
  return now.turn.dice.map((_, at) => at).filter((at) => !keep.includes(at));
}

export function after(state, {action, player, dice}, game) {
  if (action !== "roll") return state;
  const own = state.turn?.player === player && state.turn.dice?.length;
  return {...state, to_act: [player], turn: {...state.turn, player, dice, rolls_left: (own ? state.turn.rolls_left : game.rolls) - 1, scores: null, rank: null, reason: null}};
}

/** @param {Table} table */
export function turnLine({session: {seat}, state}, turn, ...more) {
  return el("p", {class: "turn-line"}, el("strong", null, !seat.one && turn.player === seat.me && state.to_act.includes(seat.me) ? t("session.your_turn") : turn.player),
    more, el("span", null, t("play.rolls_left", {count: turn.rolls_left})));
}

/** Dice stay held within a turn. */
export function goesOn({turn: before}, {turn: now}) {
  return Boolean(before?.dice?.length && now?.dice) && before.player === now.player && now.rolls_left <= before.rolls_left;
}

export function press(root, event) {
  const {key, target} = event;
  const taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey; // such as by dice that are typed
  if (taken || target.closest("input, select, textarea, pre")) return;
  const found = /^\d$/.test(key) ? root.querySelector(`[data-key="keep ${key - 1}"]`)
    : key.toLowerCase() === "r" && root.querySelector("[data-action^=roll]:enabled, [data-action=throw]:enabled");
  if (found && !event.repeat) found.click();
  const step = {ArrowUp: -1, ArrowDown: 1}[key];
  if (!step || !(target.closest(".felt, .pad") || target.contains(root))) return;
  const boxes = [...root.querySelectorAll("button.write")];
  const at = boxes.indexOf(target);
  const box = boxes[at < 0 ? 0 : at + step];
  if (!box) return;
  box.focus();
  event.preventDefault();
}

/** @param {Table} table */
export function actionBar(table, more) {
  const {actions} = table;
  const here = actions.filter((action) => !("box" in action));
  const several = new Set(here.map(({player}) => player)).size > 1;
  const typed = here.find((action) => DICE in action);
  const others = here.filter((action) => action !== typed);
  const [first] = typed ? [] : [...others.filter((action) => keyOf(action) in table.draft), ...others];
  const all = others.flatMap((action) => control(table, action, several, action === first));
  const form = (each) => each.matches("form");
  return el("div", {class: "actions", "data-key": "actions"},
    typed && typedDice(table, typed, several),
    el("div", {class: "row"}, table.skips && el("span", null, t("play.skip")),
      all.filter((each) => !form(each)), more, actions.some((/** @type {any} */ {action, forced}) => !forced && action === table.advice?.best?.action) && hint(table)),
    all.filter(form));
}

function hint(table) {
  return icon(t("advice.hint"), {class: "icon", "data-key": "hint", onclick: () => table.choose(table.advice.best)}, svg("path", {d: "M9 17c0-3-4-4-4-8a7 7 0 0 1 14 0c0 4-4 5-4 8zM9 20h6M10 23h4"}));
}

const keyOf = ({action, player}) => `${action} ${player}`;

/** @param {Table} table @returns {any} */
function control(table, action, several, first) {
  const name = label(table, action, several);
  const key = keyOf(action);
  const send = (values) => table.act(action, values);
  if (!action.amount) {
    const values = "keep" in action ? {keep: kept(table)} : {};
    return el("button", {class: `${first ? "primary" : ""} ${action.forced ? "next" : ""}`, disabled: table.held.size > action.keep?.maxItems, "data-key": key, "data-action": action.action, onclick: () => send(values)}, name);
  }
  const {minimum: min, maximum: max, multipleOf: step = 1} = action.amount;
  const go = {class: first ? "primary" : "", "data-key": key, "data-action": action.action};
  const count = Math.floor((max - min) / step) + 1;
  if (count <= FEW) return Array.from({length: count}, (_, at) => min + at * step).map((amount) =>
    el("button", {...go, class: amount > min ? "" : go.class, "data-key": `${key} ${amount}`, onclick: () => send({amount})}, `${name} ${number(amount)}`));
  const value = table.draft[key] ?? (action.action === "ante" ? Math.max(min, Math.floor(max / 20)) : min);
  const set = ({target: {value}}) => {
    table.draft[key] = value;
    table.draw();
  };
  const about = {min, max, step, "aria-label": t("actions.amount", {name, minimum: min, maximum: max}), oninput: set};
  return el("form", {class: "amount", "data-key": `form ${key}`, onsubmit: (event) => {
    event.preventDefault();
    send({amount: event.target.elements.amount.valueAsNumber});
  }},
  el("div", {class: "row quick"}, shares(table, action).map(([what, amount]) => el("button", {value: amount, "data-key": `${key} ${what}`, onclick: set}, t(what)))),
  el("input", {type: "range", name: "slide", ...about, "data-key": `${key} slide`, value}),
  el("input", {type: "number", name: "amount", ...about, required: true, inputmode: "numeric", "data-key": `${key} amount`, value}),
  el("button", {type: "submit", ...go}, `${name} ${number(Number(value))}`));
}

function shares({state}, {player, amount: {minimum, maximum, multipleOf: step = 1}}) {
  const {pot, to_call: owed = 0} = state;
  const {chips, stack = chips} = state.players.find(({id}) => id === player);
  return [["actions.half", (pot + owed) / 2], ["actions.pot", pot + owed], ["action.all_in", stack - owed]]
    .map(([what, amount]) => [what, Math.floor(amount / step) * step])
    .filter(([, amount]) => amount >= minimum && amount <= maximum);
}

/** @param {Table} table */
function typedDice(table, action, several) {
  const {items, minItems} = action[DICE];
  const name = label(table, action, several);
  const keep = "keep" in action ? kept(table) : [];
  const button = (values, text, disabled) => el("button", {
    class: "primary", disabled, "data-key": `${action.action} ${text}`, "data-action": action.action, onclick: () => table.act(action, values()),
  }, text);
  if (items.enum?.every(Number.isInteger)) {
    return el("div", {class: "typed"}, el("p", null, name, ": ", t("actions.risk_die")),
      el("p", {class: "row"}, items.enum.map((face) => button(() => ({[DICE]: [face]}), face ? String(face) : t("actions.blank")))));
  }
  const count = minItems - keep.length;
  const draft = table.draft;
  const entry = draft.entry ??= new DiceEntry(table.entry, {blank: Boolean(items.enum?.includes(BLANK))});
  const typed = () => entry.values("typed", count);
  entry.rows = [{key: "typed", label: t("actions.typed"), count}];
  entry.onchange = () => table.draw();
  const missing = !count || typed().includes(undefined);
  return el("div", {class: "typed card"}, entry, button(() => ({...("keep" in action ? {keep} : {}), [DICE]: together(table, keep, typed())}), name, missing));
}

function together(table, keep, typed) {
  const rest = [...typed];
  if (!keep.length) return rest;
  return table.state.turn.dice.map((face, at) => (keep.includes(at) ? face : rest.shift()));
}

function kept({held}) {
  return [...held].sort((one, other) => one - other);
}

/** @param {Table} table */
function label(table, action, several) {
  const {dice, blanks = []} = table.state.turn ?? {};
  const count = action.forced ? table.entry.hand_size : "keep" in action && dice?.length;
  const rolls = {count: count ? count - table.held.size : blanks.length};
  const amount = table.state.to_call ?? table.state.price ?? 0;
  const otherwise = t(`action.${action.action}`, {...rolls, amount}, title(action.action));
  const text = t(`action.${table.entry.kind}.${action.action}`, {...rolls, amount}, otherwise);
  return several ? t("session.about", {names: action.player, reason: text}) : text;
}

/** Sends `low` and `up`. */
export class Clock extends HTMLElement {
  #timer;
  #ends = 0;
  #ahead = 0;
  #said = el("span", {class: "offscreen", role: "status"});
  #shown = el("span", {class: "clock", role: "timer"});

  connectedCallback() {
    if (!this.firstChild) this.append(this.#shown, this.#said);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  show(ends, ahead) {
    clearInterval(this.#timer);
    this.#ahead = ahead;
    if (ends !== this.#ends) fill(this.#said);
    this.#ends = ends ?? 0;
    this.hidden = !this.#ends;
    if (this.hidden) return;
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  #tick() {
    const left = Math.ceil((this.#ends - Date.now() - this.#ahead) / 1000);
    const [minutes, seconds] = [Math.floor(Math.max(left, 0) / 60), Math.max(left, 0) % 60];
    this.#shown.textContent = `${minutes}:${String(seconds).padStart(2, "0")}`;
    this.#shown.classList.toggle("low", left <= LOW);
    if (left <= LOW && !this.#said.textContent) {
      this.#said.textContent = t("clock.low", {count: Math.max(left, 0)});
      this.dispatchEvent(new Event("low"));
    }
    if (left < 0) {
      clearInterval(this.#timer);
      this.dispatchEvent(new Event("up"));
    }
  }
}

customElements.define("turn-clock", Clock);

const LONGEST = 40;
const BETS = ["check", "bet", "call", "raise", "all_in", "fold"];
const UNTOLD = ["create", POCKET];

export class Story {
  sentences = [];
  #version = 0;

  /** The history is asked for only if the state doesn't say it. */
  async follow(session, own, context) {
    const {version, state} = session.now;
    if (version <= this.#version) [this.#version, this.sentences] = [0, []]; // the store has lost some
    const missed = version - this.#version;
    let events = [{player: null, action: "", ...own, news: state.news, then: []}];
    const unsaid = "pot" in state ? !own || state.news.length || (state.turn && own.action !== "roll") : !own && (!state.news.length || session.now.computers);
    if (missed > 1 || (version > 1 && unsaid)) {
      try {
        const all = (await part(session.id, "events", context, {quiet: true})).events;
        if (all.length <= this.#version) return [];
        this.sentences = [];
        this.#take(all);
        events = all.slice(this.#version);
        this.#version = all.length;
        return events;
      } catch {
        // The news are better than nothing.
      }
    }
    this.#version = version;
    this.#take(events);
    return events;
  }

  #take(events) {
    this.sentences = [...events.flatMap(steps).flatMap(told).reverse(), ...this.sentences].slice(0, LONGEST);
  }
}

const steps = (event) => [event, ...event.then];

function move({player, action, amount}) {
  return t(`told.${action}`, {name: player, amount}, t("session.about", {names: player, reason: t(`action.${action}`, {}, title(action))}));
}

const bets = ({action}) => BETS.includes(action);

function told(step) {
  const said = step.news.flatMap(sentences);
  return bets(step) ? [move(step), ...said] : said;
}

/** @returns {string[]} */
export function lines(event, table) {
  return steps(event).flatMap((step) => {
    const said = told(step);
    return said.length || !step.player || UNTOLD.includes(step.action) ? said : moved(step, table);
  });
}

function moved(step, {state, entry}) {
  const kept = (step.keep ?? []).map((at) => state.turn?.dice?.[at]).filter((face) => face !== undefined);
  return kept.length ? t("told.roll_others", {name: step.player, dice: names(kept.map((face) => dieName(face, entry.dice)))}) : move(step);
}

export function sentences({what, player, reason, because, missing, amount, places = []}) {
  if (["chose", "round_begins"].includes(what)) return []; // advice, and what the table shows
  if (what === "take_back") return [t("told.take_back")];
  const text = missing ?? reason;
  const about = (who, why) => t(what === "put_out" ? "session.put_out" : "session.about", {names: who, reason: why});
  return [
    ...places.slice(what === "showdown" ? 1 : 0).map((place) => about(names(place.players), place.reason)).reverse(),
    text && (!player || because?.player === player ? text : about(what === "collects" ? t("pots.share", {name: player, amount: number(amount)}) : player, text)),
  ].filter(Boolean);
}

export function totals({places, cards, totals, players, winners}) {
  if (places) return places.flatMap(({players, total}) => players.map((name) => [name, total]));
  if (cards) return Object.entries(cards).map(([name, {total}]) => [name, total]);
  const all = players ? players.map(({id, chips, stack = chips}) => [id, stack]) : Object.entries(totals);
  return winners.length ? all.toSorted(([one, less], [other, more]) => winners.includes(other) - winners.includes(one) || more - less) : all;
}

export function standings(state) {
  const first = state.over ? state.winners : state.to_act;
  return el("ol", {class: "list standings", "aria-label": t(state.over ? "play.standings" : "play.totals")}, totals(state).map(([name, total]) => el("li", {class: first.includes(name) ? "first" : "", "data-key": name},
    el("span", null, name), " ", el("strong", null, number(total)))));
}

export function memories({id}, game, context) {
  const asked = (name) => part(id, name, context, {quiet: true});
  const drawn = async () => {
    const [{curve: moves}, {curve}] = await Promise.all([asked("review"), import("./advice.js")]);
    return moves.length > 0 && el("div", {class: "card", "data-key": "curve"}, curve(moves));
  };
  return [asked("events").then(({events}) => best(events, game)), ...(game.links.review ? [drawn()] : [])];
}

function best(events, game) {
  const all = news(events).flatMap((each) => roll(each, game));
  if (!all.length) return null;
  const {name, dice, what} = all.reduce((one, other) => (other.worth > one.worth ? other : one));
  return el("div", {class: "best-roll", "data-key": "best"}, el("p", null, t("end.best", {name, what})), dice && diceRow(dice, {dice: game.dice, label: t("play.best_dice")}));
}

/** The news of all events that were not taken back. */
export function news(events) {
  const all = [];
  for (let {length: at} = events; at > 0;) {
    const event = events[at - 1];
    at = event.to ?? at - 1; // of taking back
    if (!event.to) all.unshift(event);
  }
  return all.flatMap(steps).flatMap(({news}) => news);
}

function roll({what, player, dice, box, score, rank, strength, points, places}, {boxes, ranks}) {
  const named = (list, id) => list.find((each) => each.id === id).name;
  if (what === "laid") return {name: player, worth: points, what: t("plays.points", {count: points})};
  if (what === "showdown") return places[0].hands.map(({id, best}) => ({name: id, dice: best, worth: -ranks.findIndex((each) => each.id === places[0].rank), what: named(ranks, places[0].rank)}));
  if (!dice || !["written", "collects"].includes(what)) return [];
  return {name: player, dice, worth: score ?? strength, what: box ? t("end.score", {score, box: named(boxes, box)}) : named(ranks, rank)};
}
