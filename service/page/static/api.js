import {language, read, t, write} from "./dom.js";

export const BASE = new URL("../../", import.meta.url);

const SEATS = "dice-table-games", MOST_SEATS = 20, TAB = "sessionStorage";
const LONGEST_LOG = 10;
/** Tables are made once, in a minute or two. */
const MOST_BUSY = 90;
const MOST_KEYED = 10;
const LONGEST_PAUSE = 10_000;
/** Ms without an answer. */
const SILENCE = 45_000;

export const POCKET = "roll_pocket";
export const openings = new Map();
const WAIT = 20;
const PAUSE = 2000;
/** The problems after which a session can no longer be read. */
export const GONE = ["no-token", "wrong-token", "no-such-session"];
export const NO_ANSWER = "no-answer";

export class Problem extends Error {
  /** @param {Found} problem */
  constructor({status, type, detail, errors}) {
    const code = codeOf(type);
    super(t(`problem.${code}`, {}, detail ?? t("problem.other", {status})));
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}

function codeOf(type = "") {
  return type.replace(/.*\//, "");
}

/** @implements {Client} */
export class Api extends EventTarget {
  /** @type {Exchange[]} */
  log = [];
  #state = "found";
  /** Of the clock of the service, in ms. */
  ahead = 0;

  /** @type {Client["request"]} */
  async request(method, path, options = {}) {
    const {body, token, ifMatch, ifNoneMatch, key, wait, signal, quiet, once, accept} = options;
    /** @type {Record<string, string>} */
    const headers = {"Accept-Language": language};
    if (body) headers["Content-Type"] = "application/json";
    if (accept) headers.Accept = accept;
    if (token) headers.Authorization = `Bearer ${token}`;
    if (ifMatch) headers["If-Match"] = ifMatch;
    if (ifNoneMatch) headers["If-None-Match"] = ifNoneMatch;
    if (key) headers["Idempotency-Key"] = key;
    const sent = {method, path: wait ? `${path}?wait=${wait}` : path, headers, body};
    const answer = await this.#answered(sent, signal, once);
    if (!quiet || (wait && answer.status !== 304)) this.#note({...sent, ...answer});
    if (answer.status >= 400) throw new Problem({status: answer.status, ...answer.answer});
    return {status: answer.status, etag: answer.etag, body: JSON.parse(JSON.stringify(answer.answer), uncited)};
  }

  async #answered(sent, signal, once) {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#tried(sent, signal);
      if (!answer && once) unloaded();
      const making = answer?.status === 503 && codeOf(answer.answer.type) === "table-in-the-making";
      const reads = sent.method === "GET";
      const again = making || reads ? attempt < MOST_BUSY : attempt < MOST_KEYED - 1 && (answer?.after ?? 0) <= LONGEST_PAUSE;
      const busy = !once && answer?.status === 503 && again && (reads || "Idempotency-Key" in sent.headers);
      if (!making || this.#state === "lost") this.#say(!answer ? "lost" : busy && !making ? "busy" : "found");
      if (answer && !busy) return answer;
      if (making) this.dispatchEvent(new Event("making"));
      await this.#pause(answer?.after ?? Math.min(500 * 2 ** attempt, 4000), signal);
    }
  }

  /** A proxy answers in HTML: that is no answer. */
  async #tried({method, path, headers, body}, signal) {
    try {
      const reply = await fetch(new URL(path.slice(1), BASE), {
        method, headers, cache: "no-store", signal: AbortSignal.any([AbortSignal.timeout(SILENCE), signal].filter(Boolean)), body: JSON.stringify(body),
      });
      const text = await reply.text();
      if (!text && ![204, 304].includes(reply.status)) return null;
      const ahead = Date.parse(reply.headers.get("Date") ?? "") - Date.now();
      this.ahead = Math.abs(ahead) > 2000 ? ahead : 0;
      const after = Number(reply.headers.get("Retry-After")) * 1000 || undefined;
      return {status: reply.status, etag: reply.headers.get("ETag"), answer: headers.Accept && reply.ok ? text : text ? JSON.parse(text) : null, after};
    } catch (error) {
      if (signal?.aborted) throw error;
      return null;
    }
  }

  #say(state) {
    if (state === "found" && this.#state === state) return;
    this.#state = state;
    this.dispatchEvent(new Event(state));
  }

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
    this.log.splice(LONGEST_LOG);
    this.dispatchEvent(new Event("exchange"));
  }
}

/** At a table nobody cites clauses; the log does. */
function uncited(key, value) {
  return typeof value === "string" && /^(reason|missing)$/.test(key) ? value.replace(/ \([A-Z]\d+\)/g, "") : value;
}

export class Catalogue {
  #api;
  #shown = new Map();
  #list;

  constructor(api) {
    this.#api = api;
  }

  async list(signal) {
    return this.#list ??= (await this.#api.request("GET", "/v1/variants", {signal})).body.variants;
  }

  /** Each view reads its own, so that the log names the game. @returns {Promise<Game>} */
  async entry(variant, signal, quiet = false) {
    return (await this.#api.request("GET", `/v1/variants/${encodeURIComponent(variant)}`, {quiet, signal})).body;
  }

  async shown(variant, signal) {
    if (!this.#shown.has(variant)) this.#shown.set(variant, await this.entry(variant, signal, true));
    return this.#shown.get(variant);
  }
}

/** @returns {never} */
export function unloaded() {
  throw new Problem({status: 0, type: NO_ANSWER});
}

/** `crypto.randomUUID` is missing on a page that came over plain HTTP. */
export function newKey() {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The newest first. @returns {[string, Seat][]} */
export function seats() {
  return Object.entries(read(SEATS) ?? {}).filter(([, seat]) => Array.isArray(seat?.players) && seat.tokens?.players).sort(newest);
}

const newest = ([, one], [, other]) => other.at - one.at;

/** @param {string} id @returns {Seat | undefined} */
export function seatIn(id) {
  const seat = new Map(seats()).get(id);
  return seat && {...seat, ...read(SEATS, TAB)?.[id]};
}

/** The link of a second player is for this tab alone. @param {string} id @param {Seat} seat */
export function remember(id, seat) {
  write(SEATS, {...read(SEATS, TAB), [id]: {one: seat.one, me: seat.me}}, TAB);
  const known = Object.fromEntries(seats());
  const {one, me} = known[id] ?? seat;
  write(SEATS, Object.fromEntries(Object.entries({...known, [id]: {...seat, one, me}}).sort(newest).slice(0, MOST_SEATS)));
}

export function forget(id) {
  write(SEATS, Object.fromEntries(seats().filter(([other]) => other !== id)));
}

function tokenOf({one, me, tokens}) {
  return one || !me ? tokens.table : tokens.players[me];
}

/** @type {AskPart} */
export async function part(id, name, {api, signal}, options = {}) {
  const seat = seatIn(id);
  const token = seat && tokenOf(seat);
  return (await api.request("GET", `/v1/sessions/${encodeURIComponent(id)}${name && `/${name}`}`, {...options, token, signal})).body;
}

/** While an action is sent, its answer alone is taken. */
export class Session extends EventTarget {
  #api;
  #signal;
  #etag;
  /** @type {Now} */
  now;
  #sent = 0;
  #taken = 0;
  #waiting = new AbortController();
  /** @type {Promise<void> | null} */
  #action = null;

  /** @param {Api} api @param {string} id @param {Seat} seat @param {AbortSignal} signal */
  constructor(api, id, seat, signal) {
    super();
    this.#api = api;
    this.#signal = signal;
    this.id = id;
    this.seat = seat;
    this.path = `/v1/sessions/${encodeURIComponent(id)}`;
    signal.addEventListener("abort", () => this.#waiting.abort());
  }

  get token() {
    return tokenOf(this.seat);
  }

  get acting() {
    return this.#action !== null;
  }

  acts(player) {
    return this.seat.one || this.seat.me === player;
  }

  dismisses(player) {
    return this.acts(player) || this.seat.tokens.table;
  }

  async load() {
    await this.#idle();
    const sent = ++this.#sent;
    this.#take(await this.#api.request("GET", this.path, {token: this.token, signal: this.#signal}), sent);
  }

  async join() {
    return (await this.#api.request("POST", `${this.path}/joined`, {token: this.token, signal: this.#signal, quiet: true})).body.joined;
  }

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

  async #idle() {
    await this.#action?.catch(() => {});
  }

  async seenBy(player) {
    if (this.seat.me === player && !this.seat.one) return this.now;
    const token = this.seat.tokens.players[player];
    return (await this.#api.request("GET", this.path, {token, signal: this.#signal, quiet: true})).body;
  }

  /** A store that lost its last versions answers with an older one. */
  #take({body, etag}, sent) {
    if (sent < this.#taken) return;
    this.#taken = sent;
    if (this.#etag === etag) return;
    this.now = body;
    this.#etag = etag;
    this.dispatchEvent(new Event("change"));
  }
}
