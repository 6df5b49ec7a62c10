/** One session as this device sees it: read, followed, and acted in. */

import {Problem, newKey} from "./api.js";
import {seatIn} from "./seats.js";

export const POCKET = "roll_pocket";
const WAIT = 20;
/** The statuses of answers after which a session can no longer be read. */
export const GONE = [401, 403, 404];

/** What follows the path of a session, such as "events", for the seat of this device. Raises `Problem`. */
export async function part(id, name, {api, signal}) {
  const {table, players = {}} = seatIn(id)?.tokens ?? {};
  const token = table ?? Object.values(players)[0];
  return (await api.request("GET", `/v1/sessions/${encodeURIComponent(id)}/${name}`, {token, signal})).body;
}

/**
 * A session with its seat. It sends `change` for each new state, which follows from an action of
 * this device if it is `acting`, and `gone` with its problem.
 */
export class Session extends EventTarget {
  #api;
  #signal;
  #etag = null;
  #waiting = new AbortController();
  #acting = false;

  /**
   * @param {import("./api.js").Api} api
   * @param {string} id
   * @param {import("./seats.js").Seat} seat
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
    const {one, me, tokens} = this.seat;
    return one || !me ? tokens.table : tokens.players[me];
  }

  /** Whether an action is being sent. */
  get acting() {
    return this.#acting;
  }

  /** Whether a player acts on this device. */
  acts(player) {
    return this.seat.one ? true : this.seat.me === player;
  }

  /** Reads the session. Raises `Problem`. */
  async load() {
    this.#take(await this.#api.request("GET", this.path, {token: this.token, signal: this.#signal}));
  }

  /** Waits for each change until the game is over or the view is left. */
  async follow() {
    while (!this.#signal.aborted && !this.now.state.over) {
      this.#waiting = new AbortController();
      try {
        const options = {token: this.token, ifNoneMatch: this.#etag, wait: WAIT, signal: this.#waiting.signal, quiet: true};
        const answer = await this.#api.request("GET", this.path, options);
        if (answer.status !== 304) this.#take(answer);
      } catch (problem) {
        if (this.#waiting.signal.aborted) continue;
        this.dispatchEvent(Object.assign(new Event("problem"), {problem}));
        if (!(problem instanceof Problem) || GONE.includes(problem.status)) return;
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
  }

  /**
   * Performs an action, which applies to the version on screen and is done once, however often it
   * is sent. Raises `Problem`; if somebody else was faster, after it has read the session.
   */
  async act(action) {
    this.#acting = true;
    const options = {
      body: action, token: this.token, ifMatch: this.#etag, key: newKey(), signal: this.#signal,
      quiet: this.seat.one && action.action === POCKET, // typed, and not for the next player
    };
    try {
      const answer = await this.#api.request("POST", `${this.path}/actions`, options);
      this.#waiting.abort();
      this.#take(answer);
    } catch (problem) {
      this.#acting = false;
      if (problem.status === 412) await this.load();
      throw problem;
    } finally {
      this.#acting = false;
    }
  }

  /** The session as one of its players sees it, hidden dice included. Raises `Problem`. */
  async seenBy(player) {
    if (this.seat.me === player && !this.seat.one) return this.now;
    const token = this.seat.tokens.players[player];
    return (await this.#api.request("GET", this.path, {token, signal: this.#signal, quiet: true})).body;
  }

  #take({body, etag}) {
    if (this.now && body.version < this.now.version) return;
    const changed = this.now?.version !== body.version;
    this.now = body;
    this.#etag = etag;
    if (changed) this.dispatchEvent(new Event("change"));
  }
}
