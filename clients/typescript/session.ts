/**
 * Sessions of the dice-scoring service over networks that fail, in browsers and in node from 20.3.
 *
 *     const game = await Session.create(url, { variant: "dice-poker", players: ["ann", "ben"] });
 *     const ann = await Session.join<"dice-poker">(url, game.now.id, game.tokens.players["ann"]!);
 *     await ann.act({ action: "roll" });
 *     while (!ann.now.state.over) show(await ann.wait());
 */
import type { components, paths } from "./contract.js";

type Schemas = components["schemas"];
type Of<Union, V> = Extract<Union, { variant: V }>;
type PartName = "events" | "advice" | "forecast" | "review";
type CodeOf<Type> = Type extends `/problems/${infer Code}` ? Code : string;
export type { components, paths };
export type Variant = Schemas["Session"]["variant"];
/** A session of the game V, as the owner of one token sees it. */
export type State<V extends Variant = Variant> = Of<Schemas["Session"], V>;
export type Action = Schemas["Action"];
export type LegalAction = Schemas["LegalAction"];
export type Violation = Schemas["Violation"];
export type Part<P extends PartName> =
  paths[`/v1/sessions/{session_id}/${P}`]["get"]["responses"][200]["content"]["application/json"];

/** An action that the service hasn't answered yet. */
export interface Pending {
  readonly action: Action;
  /** Its Idempotency-Key, the same whenever it is sent. */
  readonly key: string;
  /** The version that it applies to; null for the one that the action before it makes. */
  version: number | null;
}

/** All that a Session knows, as JSON: stored, it can be gone on with later. */
export interface Stored<V extends Variant = Variant> {
  readonly url: string;
  readonly token: string;
  /** The session as it was last seen. */
  now: State<V>;
  etag: string | null;
  /** The actions that the service hasn't answered yet, in order. */
  readonly pending: Pending[];
}

export interface Options {
  /** The language of texts, such as "de"; a browser has its own. */
  language?: string;
  /** How often a request is sent before it is given up: 8 by default. */
  attempts?: number;
  /** The longest pause before the second attempt, in ms: 500 by default. It doubles each time. */
  pause?: number;
}

/** After how many ms without a response a request counts as lost. */
const SILENCE = 45_000;
/** The longest pause between attempts, in ms. If the service asks for more, nothing is sent again. */
const LONGEST = 30_000;
const NEVER = new AbortController().signal;

/** A problem that the service answered with. */
export class ServiceError extends Error {
  /** What went wrong, as a word that never changes: the end of the problem's `type`. */
  readonly code = this.problem.type.split("/").pop() as CodeOf<Schemas["Problem"]["type"]>;
  readonly status = this.problem.status;
  /** What went wrong, as a sentence in the language of the options. */
  readonly detail = this.problem.detail;
  readonly errors: Violation[] = this.problem.errors ?? [];
  /** The legal actions, if an action was illegal. */
  readonly actions: LegalAction[] = this.problem.actions ?? [];
  /** Whether the same request may succeed later. */
  readonly temporary = this.status >= 500 || [408, 429].includes(this.status);

  /** `retryAfter`: after how many seconds to ask again; 0 if the service doesn't say so. */
  constructor(readonly problem: Schemas["Problem"] & { actions?: LegalAction[] }, readonly retryAfter: number) {
    super(problem.detail);
  }
}

/** No attempt got a response of the service; `cause` is the last failure. */
export class Unreachable extends Error {}

/** A session for the owner of a token. All methods that send something throw `ServiceError` and `Unreachable`. */
export class Session<V extends Variant = Variant> {
  #sending: Promise<void> | null = null;
  #waiting = new AbortController();
  #answers = new WeakMap<Pending, State<V>>();

  /** Goes on with a session that was stored: `new Session(JSON.parse(text))`. */
  constructor(readonly stored: Stored<V>, readonly options: Options = {}) {}

  /** Creates a session, and returns it as the table sees it. `url` is that of the service, without `/v1`. */
  static async create<V extends Variant>(url: string, body: Of<Schemas["SessionRequest"], V>, options: Options = {}) {
    const sent = { method: "POST", body, headers: { "Idempotency-Key": newKey() } };
    const made = (await ask<Schemas["NewSession"]>(`${url}/v1/sessions`, sent, options))!;
    const { tokens, ...now } = made.body;
    const stored = { url, token: tokens.table, now: now as State<V>, etag: made.etag, pending: [] };
    return Object.assign(new Session<V>(stored, options), { tokens });
  }

  /** Joins a session with one of its tokens. */
  static async join<V extends Variant = Variant>(url: string, id: string, token: string, options: Options = {}) {
    const sent = { headers: { Authorization: `Bearer ${token}` } };
    const read = (await ask<State<V>>(`${url}/v1/sessions/${id}`, sent, options))!;
    return new Session<V>({ url, token, now: read.body, etag: read.etag, pending: [] }, options);
  }

  /** The session as it was last seen. */
  get now() { return this.stored.now; }

  /**
   * Performs an action once, however often it has to be sent, and returns the session after it. It
   * applies to the session as it is in `now`, or after the pending actions, which are sent first.
   *
   * After `Unreachable` or a temporary error it is pending, and the next `act`, `wait` or `read` sends
   * it. After any other error it is refused, with all actions behind it.
   */
  async act(action: Action): Promise<State<V>> {
    const item = this.queue(action);
    await this.send().catch((error) => {
      if (!this.#answers.has(item)) throw error; // else one behind it was refused
    });
    return this.#answers.get(item)!;
  }

  /** Adds an action to those that are pending, and sends nothing. */
  queue(action: Action): Pending {
    const { pending, now } = this.stored;
    const item = { action, key: newKey(), version: pending.length ? null : now.version };
    pending.push(item);
    return item;
  }

  /** Sends the pending actions in order, and returns the session after them. */
  async send(): Promise<State<V>> {
    if (this.stored.pending.length) {
      this.#waiting.abort();
      await (this.#sending ??= this.#sendAll());
    }
    return this.now;
  }

  /** Sends what is pending, and returns the session once it has changed, or is over. */
  async wait(signal = NEVER): Promise<State<V>> {
    const seen = this.now;
    for (;;) {
      await this.#sending?.catch(() => {}); // whoever acts gets it
      await this.send();
      const { now, etag } = this.stored;
      if (now !== seen || (etag && now.state.over)) return now;
      if (this.#waiting.signal.aborted) this.#waiting = new AbortController();
      const acted = this.#waiting.signal;
      try {
        const sent = { headers: etag ? { "If-None-Match": etag } : {} };
        const answer = await this.#ask<State<V>>("?wait=20", sent, AbortSignal.any([acted, signal]));
        if (answer) Object.assign(this.stored, { now: answer.body, etag: answer.etag });
        else await sleep(1000 * Math.random()); // a full service answers at once
      } catch (error) {
        if (!acted.aborted) throw error;
      }
    }
  }

  /** Reads the session at once, for example after the code `stale-version`. */
  read(): Promise<State<V>> {
    this.stored.etag = null;
    return this.wait();
  }

  /** Reads the history, the advice for the next decision, who is ahead, or the review of the game. */
  async get<P extends PartName>(part: P): Promise<Part<P>> {
    return (await this.#ask<Part<P>>(`/${part}`, {}))!.body;
  }

  async #sendAll() {
    const { pending } = this.stored;
    try {
      for (let item = pending[0]; item; item = pending[0]) {
        const headers = { "If-Match": `"${item.version}"`, "Idempotency-Key": item.key };
        const { body, etag } = (await this.#ask<State<V>>("/actions", { method: "POST", body: item.action, headers }))!;
        Object.assign(this.stored, { now: body, etag });
        this.#answers.set(item, body);
        pending.shift();
        if (pending[0]) pending[0].version = body.version;
      }
    } catch (error) {
      if (error instanceof ServiceError && !error.temporary) pending.length = 0;
      if (error instanceof ServiceError && error.status === 412) this.stored.etag = null; // wait reads it
      throw error;
    } finally {
      this.#sending = null;
    }
  }

  #ask<T>(path: string, { headers, ...sent }: Sent, signal = NEVER) {
    const { url, token, now } = this.stored;
    const all = { ...sent, headers: { ...headers, Authorization: `Bearer ${token}` } };
    return ask<T>(`${url}/v1/sessions/${now.id}${path}`, all, this.options, signal);
  }
}

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };
type Answer<T> = { body: T; etag: string | null };

/** Sends a request until the service answers it; null is a 304. */
async function ask<T>(url: string, sent: Sent, options: Options, signal = NEVER): Promise<Answer<T> | null> {
  const { language, attempts = 8, pause = 500 } = options;
  const headers = new Headers(sent.headers);
  if (language) headers.set("Accept-Language", language);
  if (sent.body) headers.set("Content-Type", "application/json");
  const init = { method: sent.method ?? "GET", headers, body: sent.body ? JSON.stringify(sent.body) : null };
  for (let attempt = 1; ; attempt++) {
    let after = 0;
    try {
      return await once<T>(url, init, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const answered = error instanceof ServiceError;
      if (answered) after = error.retryAfter * 1000;
      if (answered && (!error.temporary || after > LONGEST || attempt >= attempts)) throw error;
      if (attempt >= attempts) throw new Unreachable(`${url} doesn't answer.`, { cause: error });
    }
    await sleep(after + Math.random() * Math.min(LONGEST, pause * 2 ** (attempt - 1)));
  }
}

async function once<T>(url: string, init: RequestInit, signal: AbortSignal): Promise<Answer<T> | null> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(SILENCE)]);
  const reply = await fetch(url, { ...init, cache: "no-store", signal: either });
  const text = await reply.text();
  if (reply.status === 304) return null;
  const type = reply.ok ? "application/json" : "application/problem+json";
  if (!reply.headers.get("Content-Type")?.startsWith(type)) throw new Error(`Not the service's: ${reply.status}`);
  const body = JSON.parse(text);
  if (!reply.ok) throw new ServiceError(body, Number(reply.headers.get("Retry-After")) || 0);
  return { body, etag: reply.headers.get("ETag") };
}

/** Waits so many ms, or until the browser is online again. */
function sleep(ms: number): Promise<void> {
  const woken = new AbortController();
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    globalThis.addEventListener?.("online", () => resolve(), { signal: woken.signal });
  }).finally(() => woken.abort());
}

/** A new random key. `crypto.randomUUID` is missing on pages that came over plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
