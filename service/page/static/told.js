/** What happened at a table, in sentences: those of the service, and for moves that it has none for, such as a bet, who did what. */

import {part} from "./api.js";
import {dieName} from "./draw.js";
import {names, t, title} from "./texts.js";

const LONGEST = 40;
/** The first event of a session, which nobody caused. */
const CREATE = "create";
/** Reasons that say nothing: there was no choice, they would show hidden dice, or what follows says the same. */
const SILENT = ["only_choice", "unsaid", "laid_best_known"];

/** What has happened in a session, up to the version on screen. */
export class Story {
  /** The sentences of the service, the newest first. */
  sentences = [];
  #version = 0;

  /**
   * Takes in what led to the state on screen, and returns those events: their actions with `then`,
   * what followed from each. `own` is the action of this device that led there. The history is
   * asked for only if the state doesn't say it.
   * @param {import("./api.js").Session} session
   * @param {object | null} own
   * @param {object} context of the view
   */
  async follow(session, own, context) {
    const {version, state} = session.now;
    if (version <= this.#version) [this.#version, this.sentences] = [0, []]; // the store has lost its last versions
    const missed = version - this.#version;
    let events = [{player: null, action: "", ...own, news: state.news, then: []}];
    if (missed > 1 || (version > 1 && !own && (!state.news.length || session.now.computers))) {
      try {
        const all = (await part(session.id, "events", context, true)).events;
        if (all.length <= this.#version) return [];
        this.sentences = [];
        this.#take(all);
        events = all.slice(this.#version);
        this.#version = all.length;
        return events;
      } catch {
        // the news that are there are better than nothing
      }
    }
    this.#version = version;
    this.#take(events);
    return events;
  }

  #take(events) {
    const told = events.flatMap(steps).flatMap(({news}) => news.flatMap(sentences));
    this.sentences = [...told.reverse(), ...this.sentences].slice(0, LONGEST);
  }
}

const steps = (event) => [event, ...event.then];

/**
 * What happened in an event, a line for each move; with the reason, if it is one of a computer.
 * @param {any} event
 * @param {any} table whose dice are those after the event
 * @returns {string[]}
 */
export function lines(event, table) {
  return steps(event).flatMap((step) => {
    const {player, action, news, computer} = step;
    const told = news.flatMap(sentences);
    if (!computer) return told.length || !player || action === CREATE ? told : moved(step, table);
    const done = told.length && !t(`told.${action}`, {}, "") ? told.shift() : moved(step, table);
    const [{because, reason}] = news;
    return [SILENT.includes(because.decided_by) ? done : `${done} ${reason}`, ...told];
  });
}

function moved({player, action, amount, keep = []}, {state, entry}) {
  const kept = keep.map((at) => state.turn?.dice?.[at]).filter((face) => face !== undefined);
  if (kept.length) return t("told.roll_others", {name: player, dice: names(kept.map((face) => dieName(face, entry.dice)))});
  return t(`told.${action}`, {name: player, amount}, t("session.about", {names: player, reason: t(`action.${action}`, {}, title(action))}));
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
