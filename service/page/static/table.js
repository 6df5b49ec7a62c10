/** The view of a session: what lies on the table, what can be done now, and why things happened. */

import {actionBar} from "./actions.js";
import {unloaded} from "./api.js";
import {Clock} from "./clock.js";
import {el, fill} from "./dom.js";
import {dieName} from "./draw/die.js";
import {invitations} from "./invite.js";
import {forget, keep, seatIn} from "./seats.js";
import {Session} from "./session.js";
import {names, t} from "./texts.js";

const GONE = [401, 403, 404];
const LONGEST_STORY = 40;
/** Seats from invitations that the service has not been asked about yet. */
const invited = new Map();

/** @param {Element} root @param {string[]} params the id of the session */
export async function view(root, [id], context) {
  const {api, catalogue, query, say, signal} = context;
  const seat = seated(id, query);
  if (!seat) throw new Error(t("session.no_seat"));
  const session = new Session(api, id, seat, signal);
  try {
    await session.load();
  } catch (problem) {
    if (!GONE.includes(problem.status)) throw problem;
    unaddressed(id);
    throw gone(id, problem);
  }
  invited.delete(id);
  unaddressed(id);
  const {variant, players, fairness} = session.now;
  if (seat.me && !players.includes(seat.me)) throw new Error(t("session.no_seat"));
  const kept = {proof: fairness?.commitment, ...seat, variant, players};
  const remember = () => keep(id, {...kept, version: session.now.version, at: Date.now()});
  remember();
  const entry = await catalogue.entry(variant);
  const kind = await import(`./play/${entry.kind}.js`).catch(unloaded);
  const advice = session.now.advice ? new (await import("./advice.js").catch(unloaded)).AdvicePanel(session, entry, context) : null;
  new Table(root, session, entry, kind, advice, context).start();
  session.addEventListener("change", () => session.now.state.over && remember());
  session.addEventListener("problem", ({problem}) => say(gone(id, problem).message));
}

/** The seat of this device, from the link of an invitation or from before. */
function seated(id, query) {
  const known = invited.get(id) ?? seatIn(id);
  const [player, token] = [query.get("player"), query.get("token")];
  if (!player || !/^[\w-]+$/.test(token ?? "")) return known;
  const tokens = {...known?.tokens, players: {[player]: token, ...known?.tokens.players}};
  const seat = {variant: "", players: [], at: Date.now(), ...known, one: false, me: player, tokens};
  invited.set(id, seat);
  return seat;
}

/** Takes the token of an invitation out of the address. */
function unaddressed(id) {
  history.replaceState(null, "", `#/session/${id}`);
}

function gone(id, problem) {
  invited.delete(id);
  if (problem.status === 404) forget(id);
  return new Error(t(`session.gone.${problem.status}`, {}, problem.message));
}

/**
 * Draws a session anew for each of its states. What the players have not sent yet is in `draft`.
 * `fresh` are the places of the dice that were kept, while a new state is drawn; otherwise null.
 */
class Table {
  #parts = {
    status: el("p", {class: "status", role: "status"}),
    dice: el("p", {class: "offscreen", role: "status"}),
    clock: new Clock(),
    felt: el("section", {class: "felt table", tabindex: "-1", "aria-label": t("session.table")}),
    side: el("section", {class: "side", "aria-label": t("session.players")}),
    story: el("ol", {class: "list story", tabindex: "0", "aria-label": t("session.story")}),
    end: el("div", {role: "status"}),
  };
  #root;
  #kind;
  #advice;
  #context;
  #story = [];

  constructor(root, session, entry, kind, advice, context) {
    this.#root = root;
    this.#kind = kind;
    this.#advice = advice;
    this.#context = context;
    this.session = session;
    this.entry = entry;
    this.draft = {};
    this.fresh = null;
  }

  /** What this device sees of the game. */
  get now() {
    return this.session.now;
  }

  get state() {
    return this.session.now.state;
  }

  /** The actions that can be performed on this device. */
  get actions() {
    return this.now.actions.filter(({player}) => this.session.acts(player));
  }

  start() {
    const {status, dice, clock, felt, side, story, end} = this.#parts;
    const {seat, id} = this.session;
    fill(this.#root,
      el("div", {class: "row between"}, el("h1", null, this.entry.name), clock),
      status, dice, end,
      invitations(id, seat, this.now.version === 1),
      el("div", {class: "round"}, felt, side,
        el("div", {class: "below"}, this.#advice, el("section", {class: "happened"}, el("h2", null, t("session.story")), story))));
    this.session.addEventListener("change", () => {
      this.fresh = this.draft.keep ?? new Set();
      // What one types stays while others act, but not for the next player at this device.
      this.draft = this.session.acting || this.session.seat.one ? {} : {entry: this.draft.entry};
      this.#changed();
      this.fresh = null;
    });
    this.#root.addEventListener("click", once, {capture: true});
    this.#root.addEventListener("keydown", once, {capture: true});
    this.#parts.clock.addEventListener("up", () => this.session.load().catch(() => {}));
    this.#changed();
    this.session.follow();
  }

  #changed() {
    this.#tell();
    this.draw();
    this.#advice?.update();
  }

  /** Sends an action, with what is typed or chosen; a refusal is shown as a sentence. */
  async act(action, values = {}) {
    if (this.session.acting) return;
    this.#root.setAttribute("aria-busy", "true");
    this.#context.say();
    const chosen = {action: action.action, player: action.player, ...values};
    this.#advice?.chose(chosen);
    try {
      await this.session.act(chosen);
    } catch (problem) {
      const {message} = GONE.includes(problem.status) ? gone(this.session.id, problem) : problem;
      if (!this.#context.signal.aborted) this.#context.say(message);
    } finally {
      this.#root.removeAttribute("aria-busy");
    }
  }

  /** Draws everything; the keyboard stays where it was. */
  draw() {
    const focused = this.#root.contains(document.activeElement) ? document.activeElement : null;
    const key = focused?.dataset.key;
    const {status, dice, clock, felt, side, story, end} = this.#parts;
    const {turn, community} = this.state;
    say(status, this.#status());
    if (turn && this.fresh) fill(dice); // the same faces again are news too
    say(dice, (turn?.dice ?? community ?? []).map((face) => dieName(face, this.entry.dice)).join(", "));
    clock.show(this.state.turn?.ends_at, this.#context.api.ahead);
    fill(felt, this.#kind.felt(this), actionBar(this));
    const {scrollLeft} = side.querySelector(".pad") ?? side;
    fill(side, this.#kind.side(this));
    scroll(side.querySelector(".pad"), scrollLeft);
    this.#root.dataset.version = this.now.version;
    fill(story, this.#story.map((sentence) => el("li", {lang: "en"}, sentence)));
    story.parentNode.hidden = !this.#story.length;
    fill(end, this.state.over && this.#end());
    if (focused && !focused.isConnected) {
      const same = key && this.#root.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
      (same || this.#root.querySelector("[data-action]:not(:disabled)") || felt).focus();
    }
  }

  #status() {
    const {over, to_act: turn} = this.state;
    if (over) return "";
    const {seat} = this.session;
    if (!seat.one && turn.includes(seat.me)) return t("session.your_turn");
    if (seat.one) return t("session.turn", {count: turn.length, names: names(turn)});
    return t("session.waiting", {names: names(turn)});
  }

  #end() {
    const {winners} = this.state;
    const {id} = this.session;
    return el("div", {class: "card winners"},
      el("h2", null, winners.length ? t("session.wins", {count: winners.length, names: names(winners)}) : t("session.over")),
      el("p", {class: "row"},
        el("a", {class: "button primary", href: `#/new/${this.entry.id}`}, t("session.again")),
        this.entry.links.review && el("a", {class: "button", href: `#/review/${id}`}, t("session.review")),
        this.now.dice === "server" && el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))));
  }

  /** Adds the reasons of the last action to the story, the newest first. */
  #tell() {
    this.#story = [...this.state.news.flatMap(sentences).reverse(), ...this.#story].slice(0, LONGEST_STORY);
  }
}

/** Scrolls a sheet to where it was, or to the column of the player whose turn it is. */
function scroll(pad, left) {
  if (!pad) return;
  const boxes = pad.querySelector("th").offsetWidth;
  const {offsetLeft = left + boxes, offsetWidth = 0} = pad.querySelector(".current") ?? {};
  pad.scrollLeft = Math.max(Math.min(left, offsetLeft - boxes), offsetLeft + offsetWidth - pad.clientWidth);
}

/** Stops the second click of a double click, and a key that is held, from acting once more. */
function once(event) {
  const places = event.detail > 1 ? "[data-action]" : event.repeat && event.key === "Enter" && ".actions, [data-action]";
  if (places && event.target.closest(places)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A screen reader says what is new, once. */
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** What the service says about an event, and about whom. */
function sentences({what, player, reason, missing, places}) {
  if (what === "showdown") return places.map((place) => t("session.about", {names: names(place.players), reason: place.reason}));
  const text = [missing, reason].filter(Boolean).join(" ");
  if (!text) return [];
  return [!player || text.includes(player) ? text : t("session.about", {names: player, reason: text})];
}
