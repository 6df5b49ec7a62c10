/** Requests to the service: a log of what was sent, retries, problems as sentences; its catalogue; and a session as this device sees it. */

import {seatIn} from "./stored.js";
import {language, t} from "./texts.js";

/** The address of the service; this module is at `play/<digest>/api.js`, below it. */
export const BASE = new URL("../../", import.meta.url);

const LONGEST_LOG = 10;
/** Advice, reviews and computers need tables that the service makes once, in a minute or two. */
const MOST_BUSY = 90;
/** How often a request with a key is sent, and the longest pause in ms: without room for a new game it is longer. */
const MOST_KEYED = 10;
const LONGEST_PAUSE = 10_000;
/** After how many ms a service that says nothing is lost; none of its answers takes so long. */
const SILENCE = 45_000;
const PAUSES = [500, 1000, 2000, 4000];

export const POCKET = "roll_pocket";
/** For how many seconds a request waits for news. */
const WAIT = 20;
/** After how many ms the session is read again, if the last answer was no news or a problem. */
const PAUSE = 2000;
/** The codes of problems after which a session can no longer be read. */
export const GONE = ["no-token", "wrong-token", "no-such-session"];
export const NO_ANSWER = "no-answer";

/** A problem that the service answered with; `code` is its cause, `message` a sentence for the reader, `errors` are what it found. */
export class Problem extends Error {
  /** @param {{status: number, type?: string, detail?: string, errors?: {pointer: string, code: string, detail: string}[]}} problem */
  constructor({status, type, detail, errors}) {
    const code = codeOf(type);
    super(t(`problem.${code}`, {}, detail ?? t("problem.other", {status})));
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}

/** The code of a cause, which ends the type of a problem. */
function codeOf(type = "") {
  return type.split("/").at(-1);
}

/**
 * The client of the service. It sends the events `exchange` (a new entry in `log`), `lost` (no
 * answer, it tries again; once for each try), `busy` (the service is, it tries again), `found` (answers
 * again, after the state `before`) and `making` (it tries again once a table is made).
 */
export class Api extends EventTarget {
  /** The last requests and answers, the newest first. */
  log = [];
  #state = "found";
  /** How far the clock of the service is ahead of that of this device, in ms. */
  ahead = 0;

  /**
   * Sends a request, and returns its status, `ETag` and body. It is sent again until the service
   * answers, and if it is busy, unless it is sent `once`: what changes something has a `key`, so that
   * it is done once. Raises `Problem`.
   * @param {string} method
   * @param {string} path such as "/v1/variants"
   * @param {{body?: unknown, token?: string, ifMatch?: string, ifNoneMatch?: string, key?: string,
   *   wait?: number, signal?: AbortSignal, quiet?: boolean, once?: boolean, accept?: string}} [options] `wait` is in seconds;
   *   `accept` is another form than JSON, in which the body is then a text;
   *   `quiet` leaves the request out of the log, except a change that was waited for.
   */
  async request(method, path, options = {}) {
    const {body, token, ifMatch, ifNoneMatch, key, wait, signal, quiet, once, accept} = options;
    const headers = {"Accept-Language": language};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (accept) headers.Accept = accept;
    if (token) headers.Authorization = `Bearer ${token}`;
    if (ifMatch) headers["If-Match"] = ifMatch;
    if (ifNoneMatch) headers["If-None-Match"] = ifNoneMatch;
    if (key) headers["Idempotency-Key"] = key;
    const target = wait ? `${path}?wait=${wait}` : path;
    const sent = {method, path: target, headers, body};
    const answer = await this.#answered(sent, signal, once);
    if (!quiet || (wait && answer.status !== 304)) this.#note({...sent, ...answer});
    if (answer.status >= 400) throw new Problem({status: answer.status, ...answer.answer});
    return {status: answer.status, etag: answer.etag, body: answer.answer};
  }

  async #answered(sent, signal, once) {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#tried(sent, signal);
      if (!answer && once) throw new Problem({status: 0, type: NO_ANSWER});
      const making = answer?.status === 503 && codeOf(answer.answer.type) === "table-in-the-making";
      const busy = !once && answer?.status === 503 && sentAgain(sent, answer, making, attempt);
      if (!making || this.#state === "lost") this.#say(!answer ? "lost" : busy && !making ? "busy" : "found");
      if (answer && !busy) return answer;
      if (making) this.dispatchEvent(new Event("making"));
      const pause = answer?.after ?? PAUSES[Math.min(attempt, PAUSES.length - 1)];
      await this.#pause(pause, signal);
    }
  }

  /** The answer; null without one, or if it isn't the service's: a proxy answers in HTML. */
  async #tried({method, path, headers, body}, signal) {
    try {
      const reply = await fetch(new URL(path.slice(1), BASE), {
        method, headers, cache: "no-store", signal: AbortSignal.any([AbortSignal.timeout(SILENCE), signal].filter(Boolean)),
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await reply.text();
      if (!text && ![204, 304].includes(reply.status)) return null;
      const ahead = Date.parse(reply.headers.get("Date")) - Date.now();
      this.ahead = Math.abs(ahead) > 2000 ? ahead : 0;
      const after = Number(reply.headers.get("Retry-After")) * 1000 || undefined;
      return {status: reply.status, etag: reply.headers.get("ETag"), answer: headers.Accept && reply.ok ? text : text ? JSON.parse(text) : null, after};
    } catch (error) {
      if (signal?.aborted) throw error;
      return null;
    }
  }

  #say(state) {
    const before = this.#state;
    if (state === "found" && before === state) return;
    this.#state = state;
    this.dispatchEvent(Object.assign(new Event(state), {before}));
  }

  /** Waits `pause` ms, or until the device is online again. */
  #pause(pause, signal) {
    const done = new AbortController();
    const options = {signal: done.signal};
    return new Promise((resolve, reject) => {
      setTimeout(resolve, pause);
      addEventListener("online", resolve, options);
      signal?.addEventListener("abort", () => reject(signal.reason), options);
    }).finally(() => done.abort());
  }

  #note(exchange) {
    this.log.unshift(exchange);
    this.log.length = Math.min(this.log.length, LONGEST_LOG);
    this.dispatchEvent(new Event("exchange"));
  }
}

/** Whether a request that was refused as the service is busy is sent again. */
function sentAgain({method, headers}, {after = 0}, making, attempt) {
  if (method === "GET") return attempt < MOST_BUSY;
  return "Idempotency-Key" in headers && (making ? attempt < MOST_BUSY : after <= LONGEST_PAUSE && attempt < MOST_KEYED - 1);
}

export class Catalogue {
  #api;
  #shown = new Map();
  #list;

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
  }

  /** The games in the order of the catalogue: `{id, name, summary, kind}` of each. */
  async list() {
    this.#list ??= (await this.#api.request("GET", "/v1/variants")).body.variants;
    return this.#list;
  }

  /** Everything that the catalogue says about a game. Each view reads its own, so that the log names the game that it is about. Raises `Problem`. */
  async entry(variant, quiet = false) {
    return (await this.#api.request("GET", `/v1/variants/${encodeURIComponent(variant)}`, {quiet})).body;
  }

  /** The same for a picture: read once, and not in the log. */
  async shown(variant) {
    if (!this.#shown.has(variant)) this.#shown.set(variant, await this.entry(variant, true));
    return this.#shown.get(variant);
  }
}

/** For a module that can't be loaded: says that the service doesn't answer. */
export function unloaded() {
  throw new Problem({status: 0, type: NO_ANSWER});
}

/** A new random key. `crypto.randomUUID` is missing on a page that came over plain HTTP. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The token that a seat reads with: its player's own, or on a device for all that of the table. */
function tokenOf({one, me, tokens}) {
  return one || !me ? tokens.table : tokens.players[me];
}

/** A session, or with a `name` such as "events" what follows its path, for the seat of this device; `options` are those of a request. Raises `Problem`. */
export async function part(id, name, {api, signal}, options = {}) {
  const seat = seatIn(id);
  const token = seat && tokenOf(seat);
  return (await api.request("GET", `/v1/sessions/${encodeURIComponent(id)}${name && `/${name}`}`, {...options, token, signal})).body;
}

/**
 * A session with its seat. It sends `change` for each new state, which follows from an action of
 * this device if it is `acting`, and `problem` with what was refused while it followed.
 *
 * While an action is sent, its answer alone is taken: a state that came another way would be on
 * screen before the next action can be sent, and a press of its buttons would do nothing.
 */
export class Session extends EventTarget {
  #api;
  #signal;
  #etag;
  /** How many requests were sent, and which of them the state on screen answers. */
  #sent = 0;
  #taken = 0;
  #waiting = new AbortController();
  /** The action that is being sent, or null. */
  #action = null;

  /**
   * @param {import("./api.js").Api} api
   * @param {string} id
   * @param {import("./stored.js").Seat} seat
   * @param {AbortSignal} signal aborted when the view is left
   */
  constructor(api, id, seat, signal) {
    super();
    this.#api = api;
    this.#signal = signal;
    this.id = id;
    this.seat = seat;
    this.path = `/v1/sessions/${encodeURIComponent(id)}`;
    signal.addEventListener("abort", () => this.#waiting.abort());
  }

  /** The token that this device reads with. */
  get token() {
    return tokenOf(this.seat);
  }

  /** Whether an action is being sent. */
  get acting() {
    return this.#action !== null;
  }

  /** Whether a player acts on this device. */
  acts(player) {
    return this.seat.one ? true : this.seat.me === player;
  }

  /** Whether this device can have a player leave: its own, or anybody with the token of the table. */
  dismisses(player) {
    return this.acts(player) || Boolean(this.seat.tokens.table);
  }

  /** Reads the session, after an action that is being sent. Raises `Problem`. */
  async load() {
    await this.#idle();
    const sent = ++this.#sent;
    this.#take(await this.#api.request("GET", this.path, {token: this.token, signal: this.#signal}), sent);
  }

  /** Waits for each change until the game is over or the view is left. */
  async follow() {
    for (;;) {
      await this.#idle();
      if (this.#signal.aborted || this.now.state.over) return;
      this.#waiting = new AbortController();
      const sent = ++this.#sent;
      const {version} = this.now;
      const began = Date.now();
      try {
        const options = {token: this.token, ifNoneMatch: this.#etag, wait: WAIT, signal: this.#waiting.signal, quiet: true};
        const answer = await this.#api.request("GET", this.path, options);
        if (answer.status !== 304) this.#take(answer, sent);
        if (this.now.version > version || this.#waiting.signal.aborted) continue;
        if (answer.status === 304 && Date.now() - began >= PAUSE) continue; // an earlier one says that the service is full
      } catch (problem) {
        if (this.#waiting.signal.aborted) continue;
        this.dispatchEvent(Object.assign(new Event("problem"), {problem}));
        if (!(problem instanceof Problem) || GONE.includes(problem.code)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /**
   * Performs an action, which applies to the version on screen and is done once, however often it
   * is sent. Raises `Problem`; if the game has gone on meanwhile, after it has read the session.
   */
  async act(action) {
    this.#waiting.abort();
    this.#action = this.#perform(action);
    try {
      await this.#action;
    } catch (problem) {
      if (problem.code === "stale-version") await this.load();
      throw problem;
    }
    if (!this.acts(action.player)) await this.load();
  }

  async #perform(action) {
    const sent = ++this.#sent;
    this.#taken = sent;
    const own = this.acts(action.player); // or the table acts, which sees less
    const options = {
      body: action, token: own ? this.token : this.seat.tokens.table, ifMatch: `"${this.now.version}"`, key: newKey(), signal: this.#signal,
      quiet: this.seat.one && action.action === POCKET, // typed, and not for the next player
    };
    try {
      const answer = await this.#api.request("POST", `${this.path}/actions`, options);
      if (own) this.#take(answer, sent);
    } finally {
      this.#action = null;
    }
  }

  /** Waits until no action is being sent. */
  async #idle() {
    await this.#action?.catch(() => {}); // whoever acts gets it
  }

  /** The session as one of its players sees it, hidden dice included. Raises `Problem`. */
  async seenBy(player) {
    if (this.seat.me === player && !this.seat.one) return this.now;
    const token = this.seat.tokens.players[player];
    return (await this.#api.request("GET", this.path, {token, signal: this.#signal, quiet: true})).body;
  }

  /**
   * Takes the answer to the request that was `sent`, unless that to a later one is here. A store that
   * lost its last versions answers with an older one, which has another ETag.
   */
  #take({body, etag}, sent) {
    if (sent < this.#taken) return;
    this.#taken = sent;
    if (this.#etag === etag) return;
    this.now = body;
    this.#etag = etag;
    this.dispatchEvent(new Event("change"));
  }
}
