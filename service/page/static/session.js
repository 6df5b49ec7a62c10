/** One session as this device sees it: read, followed, and acted in. */

import {Problem, newKey} from "./api.js";
import {seatIn} from "./stored.js";

export const POCKET = "roll_pocket";
const WAIT = 20;
/** After how many ms the session is read again, if the last answer was no news or a problem. */
const PAUSE = 2000;
/** The statuses of answers after which a session can no longer be read. */
export const GONE = [401, 403, 404];

/** The token that a seat reads with: its player's own, or on a device for all that of the table. */
function tokenOf({one, me, tokens}) {
  return one || !me ? tokens.table : tokens.players[me];
}

/** What follows the path of a session, such as "events", for the seat of this device. Raises `Problem`. */
export async function part(id, name, {api, signal}) {
  const seat = seatIn(id);
  const token = seat && tokenOf(seat);
  return (await api.request("GET", `/v1/sessions/${encodeURIComponent(id)}/${name}`, {token, signal})).body;
}

/**
 * A session with its seat. It sends `change` for each new state, which follows from an action of
 * this device if it is `acting`, and `problem` with what was refused while it followed.
 */
export class Session extends EventTarget {
  #api;
  #signal;
  #etag = null;
  /** How many requests were sent, and which of them the state on screen answers. */
  #sent = 0;
  #taken = 0;
  #waiting = new AbortController();
  #acting = false;

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
    return this.#acting;
  }

  /** Whether a player acts on this device. */
  acts(player) {
    return this.seat.one ? true : this.seat.me === player;
  }

  /** Reads the session. Raises `Problem`. */
  async load() {
    const sent = ++this.#sent;
    this.#take(await this.#api.request("GET", this.path, {token: this.token, signal: this.#signal}), sent);
  }

  /** Waits for each change until the game is over or the view is left. */
  async follow() {
    while (!this.#signal.aborted && !this.now.state.over) {
      this.#waiting = new AbortController();
      const sent = ++this.#sent;
      try {
        const options = {token: this.token, ifNoneMatch: this.#etag, wait: WAIT, signal: this.#waiting.signal, quiet: true};
        const answer = await this.#api.request("GET", this.path, options);
        if (answer.status === 304 || this.#take(answer, sent)) continue;
      } catch (problem) {
        if (this.#waiting.signal.aborted) continue;
        this.dispatchEvent(Object.assign(new Event("problem"), {problem}));
        if (!(problem instanceof Problem) || GONE.includes(problem.status)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /**
   * Performs an action, which applies to the version on screen and is done once, however often it
   * is sent. Raises `Problem`; if the game has gone on meanwhile, after it has read the session.
   */
  async act(action) {
    this.#acting = true;
    const sent = ++this.#sent;
    const options = {
      body: action, token: this.token, ifMatch: this.#etag, key: newKey(), signal: this.#signal,
      quiet: this.seat.one && action.action === POCKET, // typed, and not for the next player
    };
    try {
      const answer = await this.#api.request("POST", `${this.path}/actions`, options);
      this.#waiting.abort();
      this.#take(answer, sent);
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

  /**
   * Takes the answer to the request that was `sent`, unless that to a later one is here. A store that
   * lost its last versions answers with an older one, which has another ETag. Returns whether the
   * session went on.
   */
  #take({body, etag}, sent) {
    if (sent < this.#taken) return false;
    this.#taken = sent;
    const further = !this.now || body.version > this.now.version;
    const changed = this.#etag !== etag;
    this.now = body;
    this.#etag = etag;
    if (changed) this.dispatchEvent(new Event("change"));
    return further;
  }
}
