/** What happened at a table, in sentences: those of the service, and for moves that it has none for, such as a bet, who did what; how it stands, and how it ended. */

import {part, POCKET} from "./api.js";
import {el} from "./dom.js";
import {dieName, diceRow} from "./draw.js";
import {names, number, t, title} from "./texts.js";

const LONGEST = 40;
/** The moves that are always told: what the service says is what they led to. */
const BETS = ["check", "bet", "call", "raise", "all_in", "fold"];
/** What is not told: the first event of a session, which nobody caused, and what nobody sees. */
const UNTOLD = ["create", POCKET];
/** Reasons that say nothing: there was no choice, they would show hidden dice, or what follows says the same. */
const SILENT = ["only_choice", "unsaid", "laid_best_known"];

/** What has happened in a session, up to the version on screen. */
export class Story {
  /** The sentences of the service, the newest first. */
  sentences = [];
  #version = 0;
  #past = [];

  /** The bets of the last round of betting up to a version, as sentences, if they are known. */
  round(version) {
    return lastRound(this.#past.slice(0, version).flatMap(steps));
  }

  /**
   * Takes in what led to the state on screen, and returns those events: their actions with `then`,
   * what followed from each. `own` is the action of this device that led there. The history is
   * asked for only if the state doesn't say it: neither who else bet, nor the last round of a hand.
   * @param {import("./api.js").Session} session
   * @param {object | null} own
   * @param {object} context of the view
   */
  async follow(session, own, context) {
    const {version, state} = session.now;
    if (version <= this.#version) [this.#version, this.sentences] = [0, []]; // the store has lost its last versions
    const missed = version - this.#version;
    let events = [{player: null, action: "", ...own, news: state.news, then: []}];
    const unsaid = "pot" in state ? !own || state.news.length : !own && (!state.news.length || session.now.computers);
    if (missed > 1 || (version > 1 && unsaid)) {
      try {
        const all = (await part(session.id, "events", context, {quiet: true})).events;
        if (all.length <= this.#version) return [];
        this.sentences = [];
        this.#take(all);
        this.#past = all;
        events = all.slice(this.#version);
        this.#version = all.length;
        return events;
      } catch {
        this.#past = []; // the news that are there are better than nothing
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

function lastRound(all) {
  const last = all.findLastIndex(bets);
  const before = all.slice(0, last).findLastIndex((step) => step.action && !bets(step));
  return all.slice(before + 1, last + 1).map(move);
}

function told(step) {
  const said = step.news.flatMap(sentences);
  return bets(step) ? [move(step), ...said] : said;
}

/**
 * What happened in an event, a line for each move; with the reason, if it is one of a computer.
 * @returns {string[]}
 */
export function lines(event, table) {
  return steps(event).flatMap((step) => {
    const {player, action, news, computer} = step;
    const said = told(step);
    if (!computer) return said.length || !player || UNTOLD.includes(action) ? said : moved(step, table);
    const done = said.length && (bets(step) || !t(`told.${action}`, {}, "")) ? said.shift() : moved(step, table);
    const [{because, reason}] = news;
    return [SILENT.includes(because.decided_by) ? done : `${done} ${reason}`, ...said];
  });
}

function moved(step, {state, entry}) {
  const kept = (step.keep ?? []).map((at) => state.turn?.dice?.[at]).filter((face) => face !== undefined);
  return kept.length ? t("told.roll_others", {name: step.player, dice: names(kept.map((face) => dieName(face, entry.dice)))}) : move(step);
}

/** What the service says about an event, and about whom, unless its sentence names them. */
export function sentences({what, player, reason, because, missing, places = []}) {
  if (what === "chose") return []; // a computer, which is said with its move
  const text = [missing, reason].filter(Boolean).join(" ");
  const about = (who, why) => t(what === "put_out" ? "session.put_out" : "session.about", {names: who, reason: why});
  return [
    ...places.slice(what === "showdown" ? 1 : 0).map((place) => about(names(place.players), place.reason)).reverse(),
    text && (!player || because?.player === player ? text : about(player, text)),
  ].filter(Boolean);
}

/** The points or chips of each player, in the order of their places once there are some. */
function totals({places, cards, totals, players, winners}) {
  if (places) return places.flatMap(({players, total}) => players.map((name) => [name, total]));
  if (cards) return Object.entries(cards).map(([name, {total}]) => [name, total]);
  const all = players ? players.map(({id, chips, stack = chips}) => [id, stack]) : Object.entries(totals);
  return winners.length ? all.toSorted(([one, less], [other, more]) => winners.includes(other) - winners.includes(one) || more - less) : all;
}

/** All players with their totals; those in front who have won, or are to act. */
export function standings(state) {
  const first = state.over ? state.winners : state.to_act;
  return el("ol", {class: "list standings", "aria-label": t(state.over ? "play.standings" : "play.totals")}, totals(state).map(([name, total]) => el("li", {class: first.includes(name) ? "first" : "", "data-key": name},
    el("span", null, name), " ", el("strong", null, number(total)))));
}

/** What there is to remember of a game that is over, each once it is known: the best roll, and the curve of chances. */
export function memories({id}, game, context) {
  const asked = (name) => part(id, name, context, {quiet: true});
  const drawn = async () => {
    const [{curve: moves}, {curve}] = await Promise.all([asked("review"), import("./advice.js")]);
    return moves.length > 0 && el("div", {class: "card"}, curve(moves));
  };
  return [asked("events").then(({events}) => best(events, game)), ...(game.links.review ? [drawn()] : [])];
}

/** The best roll of all, with its dice. */
function best(events, game) {
  const all = news(events).flatMap((each) => roll(each, game));
  if (!all.length) return null;
  const {name, dice, what} = all.reduce((one, other) => (other.worth > one.worth ? other : one));
  return el("div", {class: "best-roll"}, el("p", null, t("end.best", {name, what})), dice && diceRow(dice, {dice: game.dice, label: t("play.best_dice")}));
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

/** The roll that the news are about, if any: the dice that count, what they are, and a `worth` to compare with others of its game. */
function roll({what, player, dice, box, score, rank, strength, points, places}, {boxes, ranks}) {
  const named = (list, id) => list.find((each) => each.id === id).name;
  if (what === "laid") return {name: player, worth: points, what: t("plays.points", {count: points})};
  if (what === "showdown") return places[0].hands.map(({id, best}) => ({name: id, dice: best, worth: -ranks.findIndex((each) => each.id === places[0].rank), what: named(ranks, places[0].rank)}));
  if (!dice || !["written", "collects"].includes(what)) return [];
  return {name: player, dice, worth: score ?? strength, what: box ? t("end.score", {score, box: named(boxes, box)}) : named(ranks, rank)};
}
