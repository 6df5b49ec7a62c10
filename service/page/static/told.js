/** What happened at a table, in sentences: those of the service, and for moves that it has none for, such as a bet, who did what. */

import {part, POCKET} from "./api.js";
import {dieName} from "./draw.js";
import {names, t, title} from "./texts.js";

const LONGEST = 40;
/** What the service says of a bet is what it led to. */
const BETS = ["check", "bet", "call", "raise", "all_in", "fold"];
/** What nobody caused, and what nobody sees. */
const UNTOLD = ["create", POCKET];
/** There was no choice, it would show hidden dice, or what follows says the same. */
const SILENT = ["only_choice", "unsaid", "laid_best_known"];

export class Story {
  /** The newest first. */
  sentences = [];
  #version = 0;
  #past = [];

  round(version) {
    return lastRound(this.#past.slice(0, version).flatMap(steps));
  }

  /**
   * Takes in what led to the state on screen, `own` if this device did it, and returns those events. The history is asked for only if the
   * state doesn't say it: neither who else bet, nor the last round of a hand.
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

/** A line for each move; with the reason, if it is one of a computer. @returns {string[]} */
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

/** And about whom, unless the sentence of the service names them. */
export function sentences({what, player, reason, because, missing, places = []}) {
  if (what === "chose") return []; // a computer, which is said with its move
  const text = [missing, reason].filter(Boolean).join(" ");
  const about = (who, why) => t(what === "put_out" ? "session.put_out" : "session.about", {names: who, reason: why});
  return [
    ...places.slice(what === "showdown" ? 1 : 0).map((place) => about(names(place.players), place.reason)).reverse(),
    text && (!player || because?.player === player ? text : about(player, text)),
  ].filter(Boolean);
}
