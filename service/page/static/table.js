/** The view of a session: what lies on the table, what can be done now, and why things happened; and invitations to it: a link and a QR code for each player, which hold the token in the fragment. */

import {BASE, GONE, part, Session, unloaded} from "./api.js";
import {el, fill, svg} from "./dom.js";
import {BLANK, DiceEntry, dieName, inSight} from "./draw.js";
import {rulesOf} from "./setup.js";
import {forget, keep, seatIn} from "./stored.js";
import {copies} from "./teach.js";
import {names, t, title} from "./texts.js";
import {generate} from "./vendor/lean-qr.js";

/** The value of an action that has typed dice. */
const DICE = "dice";
/** How many seconds are read out as few. */
const LOW = 10;
/** The action of whoever goes away. It stands apart from the moves of the game. */
const LEAVE = "leave", TAKE_BACK = "take_back";
const LONGEST_STORY = 40;
/** Seats from invitations that the service has not been asked about yet. */
const invited = new Map();

/** @param {Element} root @param {string[]} params the id of the session */
export async function view(root, [id], context) {
  const {api, catalogue, query, signal} = context;
  const seat = seated(id, query);
  if (!seat) throw new Error(t("session.no_seat"));
  const session = new Session(api, id, seat, signal);
  try {
    await session.load();
  } catch (problem) {
    if (!GONE.includes(problem.code)) throw problem;
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
  const kind = await import(`./kinds/${entry.kind}.js`).catch(unloaded);
  const advice = session.now.advice ? new (await import("./advice.js").catch(unloaded)).AdvicePanel(session, entry, context) : null;
  const table = new Table(root, session, entry, kind, advice, context);
  table.start();
  session.addEventListener("change", () => session.now.state.over && remember());
  session.addEventListener("problem", ({problem}) => table.refused(problem));
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
  if (problem.code === "no-such-session") forget(id);
  return new Error(t(`session.gone.${problem.code}`, {}, problem.message));
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
  /** What happened, the newest first, up to a version. */
  #story = [];
  #told = 0;
  #gone = false;

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

  /** The moves that can be made on this device, except those that can change nothing. */
  get actions() {
    const {vain = () => false} = this.#kind;
    const here = ({action, player}) => ![LEAVE, TAKE_BACK].includes(action) && this.session.acts(player);
    return this.#gone ? [] : this.now.actions.filter((action) => here(action) && !vain(this.state, action));
  }

  start() {
    const {status, dice, clock, felt, side, story, end} = this.#parts;
    const {seat, id} = this.session;
    const invite = invitations(id, seat, this.now.version === 1);
    if (invite?.open) this.session.addEventListener("change", () => fold(invite), {once: true});
    this.#advice?.addEventListener("advised", () => this.#mark());
    fill(this.#root,
      el("div", {class: "row between"}, el("h1", null, this.entry.name),
        seat.me && !seat.one && el("span", {class: "badge"}, t("session.me", {name: seat.me})), clock),
      status, dice, end,
      invite,
      el("div", {class: "round"}, felt, side,
        el("div", {class: "below"}, this.#advice,
        el("section", {class: "happened"}, el("h2", null, t("session.story")), story),
        el("div", {class: "teach-here"}), rulesOf(this.entry, this.now.house_rules))));
    this.session.addEventListener("change", () => {
      if (!this.session.acting) this.#context.calm();
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
    requestAnimationFrame(() => inSight(side.querySelector(".pad"), 0)); // once it is on screen
    this.session.follow();
  }

  #changed() {
    this.#tell();
    this.draw();
    this.#advice?.update();
  }

  /** Says why the service refused something. A game that is gone can't go on. */
  refused(problem) {
    const away = GONE.includes(problem.code);
    if (!this.#context.signal.aborted) this.#context.say((away ? gone(this.session.id, problem) : problem).message);
    if (!away) return;
    this.#gone = true;
    this.draw();
  }

  /** Sends an action, with what is typed or chosen; a refusal is shown as a sentence. */
  async act(action, values = {}) {
    if (this.session.acting) return;
    this.#root.setAttribute("aria-busy", "true");
    this.#context.say();
    const chosen = {action: action.action, player: action.player, ...values};
    const judge = this.#advice?.chose(chosen);
    try {
      await this.session.act(chosen);
      judge?.();
    } catch (problem) {
      this.refused(problem);
    } finally {
      this.#root.removeAttribute("aria-busy");
    }
  }

  /** Sends an operation of the game, with the house rules of the session. Raises `Problem`. */
  async ask(operation, body) {
    const {api, signal} = this.#context;
    return (await api.request("POST", this.entry.links[operation], {body: {...body, house_rules: this.now.house_rules}, signal})).body;
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
    clock.show(this.#gone ? null : this.state.ends_at, this.#context.api.ahead);
    fill(felt, this.#kind.felt(this), actionBar(this));
    const {scrollLeft} = side.querySelector(".pad") ?? side;
    fill(side, this.#kind.side(this), this.#leaving());
    inSight(side.querySelector(".pad"), scrollLeft);
    this.#mark();
    this.#root.dataset.version = this.now.version;
    this.#drawStory();
    fill(end, this.#gone ? el("p", null, el("a", {class: "button primary", href: "#/"}, t("main.home"))) : this.state.over && this.#end());
    if (focused && focused !== document.activeElement) {
      const same = focused.isConnected ? focused : key && this.#root.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
      (same || this.#root.querySelector("[data-action]:not(:disabled)") || felt).focus();
    }
  }

  /** Marks what the advice would do: the button of an action or a box, and the dice to keep. */
  #mark() {
    const {action, box, keep = []} = this.#advice?.best ?? {};
    const places = new Set(keep.map((at) => `keep ${at}`));
    for (const each of this.#root.querySelectorAll("[data-key]")) {
      const {key, action: own} = each.dataset;
      const advised = places.has(key) || (Boolean(action) && own === action && (!box || key === `box ${box}`));
      each.classList.toggle("advised", advised);
      each.ariaDescription = advised ? t("advice.title") : null;
    }
  }

  #status() {
    const {over, to_act: turn} = this.state;
    if (over || this.#gone) return "";
    const {seat} = this.session;
    if (!seat.one && turn.includes(seat.me)) return t("session.your_turn");
    if (seat.one) return t("session.turn", {count: turn.length, names: names(turn)});
    return t("session.waiting", {names: names(turn)});
  }

  #end() {
    const {winners} = this.state;
    const {id} = this.session;
    return el("div", {class: "card winners"},
      el("h2", null, winners.length && this.now.players.length > 1 ? t("session.wins", {count: winners.length, names: names(winners)}) : t("session.over")),
      el("p", {class: "row"},
        el("a", {class: "button primary", href: `#/new/${this.entry.id}`}, t("session.again")),
        this.entry.links.review && el("a", {class: "button", href: `#/review/${id}`}, t("session.review")),
        this.now.dice === "server" && el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))));
  }

  /** Who has left, and a button for each player whom this device can have leave. */
  #leaving() {
    const {left} = this.state;
    const {seat} = this.session;
    const able = this.#gone ? [] : this.now.actions.filter(({action, player}) => action === LEAVE && this.session.dismisses(player));
    return [
      left.length > 0 && el("p", {class: "muted left"}, t("session.left", {names: names(left)})),
      able.length > 0 && el("p", {class: "row leaving"}, able.map((action) => {
        const name = action.player;
        const own = !seat.one && name === seat.me;
        return el("button", {type: "button", class: "quiet", "data-key": `${LEAVE} ${name}`, onclick: () => {
          if (confirm(t(own ? "session.leave.sure" : "session.leave.sure_of", {name}))) this.act(action);
        }}, t(own ? "session.leave" : "session.leave.of", {name}));
      })),
    ];
  }

  /** Adds what has happened to the story: the news of this version, or the history if others were missed. */
  async #tell() {
    const {version, state} = this.now;
    if (version <= this.#told) [this.#told, this.#story] = [0, []]; // the store has lost its last versions
    let {news} = state;
    let before = this.#story;
    if (version > this.#told + 1) {
      try {
        const {events} = await part(this.session.id, "events", this.#context);
        if (events.length <= this.#told) return;
        news = events.flatMap((event) => [event, ...event.then]).flatMap((step) => step.news);
        this.#told = events.length;
        before = [];
      } catch {
        // the news that are there are better than nothing
      }
    }
    this.#told = Math.max(this.#told, version);
    this.#story = [...news.flatMap(sentences).reverse(), ...before].slice(0, LONGEST_STORY);
    this.#drawStory();
  }

  #drawStory() {
    const {story} = this.#parts;
    fill(story, this.#story.map((sentence) => el("li", null, sentence)));
    story.parentNode.hidden = !this.#story.length;
  }
}

/** Folds the invitations, which are above the table, once the game goes on. */
function fold(invite) {
  const inside = invite.contains(document.activeElement);
  invite.open = false;
  if (inside) invite.firstChild.focus();
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

/** What the service says about an event, and about whom, unless its sentence names them. */
function sentences({what, player, reason, because, missing, places = []}) {
  const text = [missing, reason].filter(Boolean).join(" ");
  const about = (who, why) => t(what === "put_out" ? "session.put_out" : "session.about", {names: who, reason: why});
  return [
    ...places.slice(what === "showdown" ? 1 : 0).map((place) => about(names(place.players), place.reason)).reverse(),
    text && (!player || because?.player === player ? text : about(player, text)),
  ].filter(Boolean);
}

/** The bar of actions of a table. Boxes of a score card are chosen on the sheet. */
function actionBar(table) {
  const {actions} = table;
  const here = actions.filter((action) => !("box" in action));
  const several = new Set(here.map(({player}) => player)).size > 1;
  const typed = here.find((action) => DICE in action);
  return el("div", {class: "actions"},
    typed && typedDice(table, typed, several),
    el("div", {class: "row"},
      here.filter((action) => !(DICE in action)).map((action, at) => control(table, action, several, at === 0 && !typed))));
}

function control(table, action, several, first) {
  const name = label(table, action, several);
  const key = `${action.action} ${action.player}`;
  const send = (values) => table.act(action, values);
  if (!action.amount) {
    const values = "keep" in action ? {keep: kept(table)} : {};
    return el("button", {type: "button", class: first ? "primary" : "", disabled: values.keep?.length > action.keep?.maxItems, "data-key": key, "data-action": action.action, onclick: () => send(values)}, name);
  }
  const {minimum, maximum, multipleOf = 1} = action.amount;
  const input = el("input", {
    type: "number", min: minimum, max: maximum, step: multipleOf, required: true, inputmode: "numeric",
    value: table.draft[key] ?? minimum, "aria-label": t("actions.amount", {name, minimum, maximum}), "data-key": `${key} amount`,
    oninput: () => {
      table.draft[key] = input.value;
    },
  });
  return el("form", {class: "amount", onsubmit: (event) => {
    event.preventDefault();
    send({amount: input.valueAsNumber});
  }}, input, el("button", {type: "submit", class: first ? "primary" : "", "data-key": key, "data-action": action.action}, name));
}

/** Places for the dice that somebody rolled, and the button that sends them. */
function typedDice(table, action, several) {
  const {items, minItems} = action[DICE];
  const name = label(table, action, several);
  const keep = "keep" in action ? kept(table) : [];
  const button = (values, text, disabled) => el("button", {
    type: "button", class: "primary", disabled, "data-key": `${action.action} ${text}`, "data-action": action.action, onclick: () => table.act(action, values()),
  }, text);
  if (items.enum?.every(Number.isInteger)) {
    return el("div", {class: "typed"}, el("p", null, name, ": ", t("actions.risk_die")),
      el("p", {class: "row"}, items.enum.map((face) => button(() => ({[DICE]: [face]}), face ? String(face) : t("actions.blank")))));
  }
  const count = minItems - keep.length;
  const draft = table.draft;
  draft.entry ??= new DiceEntry(table.entry, {blank: Boolean(items.enum?.includes(BLANK))});
  const typed = () => draft.entry.values("typed", count);
  const send = button(() => ({...("keep" in action ? {keep} : {}), [DICE]: together(table, keep, typed())}), name);
  const update = () => {
    send.disabled = !count || typed().includes(undefined);
  };
  draft.entry.rows = [{key: "typed", label: t("actions.typed"), count}];
  draft.entry.onchange = update;
  update();
  return el("div", {class: "typed card"}, draft.entry, send);
}

/** All dice of a roll: those kept at their places, and the typed ones in order. */
function together(table, keep, typed) {
  const rest = [...typed];
  if (!keep.length) return rest;
  return table.state.turn.dice.map((face, at) => (keep.includes(at) ? face : rest.shift()));
}

/** The places of the dice to keep. */
function kept({draft}) {
  return [...(draft.keep ?? [])].sort((one, other) => one - other);
}

function label(table, action, several) {
  const rolls = "keep" in action && table.state.turn.dice ? {count: table.state.turn.dice.length - kept(table).length} : {};
  const amount = table.state.to_call ?? table.state.price ?? 0;
  const otherwise = t(`action.${action.action}`, {...rolls, amount}, title(action.action));
  const text = t(`action.${table.entry.kind}.${action.action}`, {...rolls, amount}, otherwise);
  return several ? t("session.about", {names: action.player, reason: text}) : text;
}

/** `<turn-clock>`, which sends `up` once the time is up. It is read out only when it gets low. */
class Clock extends HTMLElement {
  #timer;
  #ends = null;
  #ahead = 0;
  #said = el("span", {class: "offscreen", role: "status"});
  #shown = el("span", {class: "clock", role: "timer"});

  connectedCallback() {
    if (!this.firstChild) this.append(this.#shown, this.#said);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** @param {number | null | undefined} ends in ms since 1970, by a clock that is `ahead` ms ahead */
  show(ends, ahead) {
    clearInterval(this.#timer);
    this.#ahead = ahead;
    if (ends !== this.#ends) fill(this.#said);
    this.#ends = ends ?? null;
    this.hidden = this.#ends === null;
    if (this.hidden) return;
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  #tick() {
    const left = Math.ceil((this.#ends - Date.now() - this.#ahead) / 1000);
    const [minutes, seconds] = [Math.floor(Math.max(left, 0) / 60), Math.max(left, 0) % 60];
    this.#shown.textContent = `${minutes}:${String(seconds).padStart(2, "0")}`;
    this.#shown.classList.toggle("low", left <= LOW);
    if (left <= LOW && !this.#said.textContent) this.#said.textContent = t("clock.low", {count: Math.max(left, 0)});
    if (left < 0) {
      clearInterval(this.#timer);
      this.dispatchEvent(new Event("up"));
    }
  }
}

customElements.define("turn-clock", Clock);

const LOCAL = /^(localhost|127\.|0\.0|\[::1?\])/;
const QUIET = 4;

/**
 * The invitations of a session for all players but the one at this device.
 * @param {string} id
 * @param {import("./stored.js").Seat} seat
 * @param {boolean} open
 * @returns {Element | null} null if this device has no tokens to give away
 */
export function invitations(id, {players, me, one, tokens}, open) {
  const others = players.filter((name) => name !== me && Object.hasOwn(tokens.players, name));
  if (one || !others.length) return null;
  return el("details", {class: "card invite", open},
    el("summary", null, t("invite.title")),
    el("p", null, t("invite.lead")),
    LOCAL.test(location.hostname) && el("p", {class: "hint"}, t("invite.local", {host: location.host})),
    el("ul", {class: "list invitations"}, others.map((name) => {
      const link = linkOf(id, name, tokens.players[name]);
      const button = copies(t("invite.copy"), () => link, {"aria-label": `${t("invite.copy")}: ${name}`});
      return el("li", null, el("h2", null, name), code(link, t("invite.code", {name})),
        el("p", {class: "row"}, el("a", {href: link, target: "_blank", rel: "noreferrer"}, t("invite.link")), button));
    })));
}

/** The link that opens the session as one player. Nothing after # is sent to any server. */
function linkOf(id, player, token) {
  const page = new URL("play", BASE);
  page.hash = `/session/${id}?${new URLSearchParams({player, token})}`;
  return page.href;
}

function code(text, label) {
  const qr = generate(text);
  let path = "";
  for (let y = 0; y < qr.size; y++) {
    for (let x = 0; x < qr.size; x++) if (qr.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  const side = qr.size + 2 * QUIET;
  return svg("svg", {class: "qr", viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`, role: "img", "aria-label": label},
    svg("rect", {x: -QUIET, y: -QUIET, width: side, height: side, fill: "#fff"}), svg("path", {d: path, fill: "#000"}));
}
