import {forget, GONE, openings, part, remember, seatIn, Session, unloaded} from "./api.js";
import {el, fill, names, number, patch, read, svg, t, write} from "./dom.js";
import {dieName, icon, inSight, token} from "./draw.js";
import * as feel from "./feel.js";
import {begins, greet, invitations, rulesOf} from "./setup.js";
import {actionBar, Clock, goesOn, lines, memories, press, sentences, standings, Story, totals} from "./turn.js";

const LEAVE = "leave", TAKE_BACK = "take_back";
const DECIDED = ["busts", "collects", "passed", "showdown"];
/** Ms: a line, a computer's move, a look who is there, a tap that is late. */
const PACE = 1600, MOVE = 800, LOOK = 3000, LATE = 300;
const HELD = "dice-table-held", TAB = "sessionStorage";
const NARROW = matchMedia("(max-width: 46rem)");
/** From invitations that the service has not been asked about yet. */
const invited = new Map();

/** @type {View} */
export async function view(root, [id, screen], context) {
  const {api, catalogue, query, signal} = context;
  const own = seated(id, query);
  if (!own) throw new Error(t("problem.no-token"));
  const tv = screen === "tv";
  const seat = tv ? {...own, one: false, me: null, tokens: own.one ? {...own.tokens, players: {}} : own.tokens} : own;
  const session = new Session(api, id, seat, signal);
  try {
    await session.load();
  } catch (problem) {
    if (!GONE.includes(problem.code)) throw problem;
    unaddressed();
    throw gone(id, problem);
  }
  invited.delete(id);
  unaddressed();
  const {variant, players, fairness} = session.now;
  if (seat.me && !players.includes(seat.me)) throw new Error(t("problem.no-token"));
  const kept = {proof: fairness?.commitment, ...own, variant, players};
  let ended;
  const keep = () => {
    const {version, state} = session.now;
    ended = state.over;
    remember(id, {...kept, version, over: ended, won: undefined, ...(ended && {won: state.winners, points: totals(state)[0][1]}), at: Date.now()});
  };
  keep();
  const entry = await catalogue.entry(variant, signal);
  const kind = await import(`./kinds/${entry.kind}.js`).catch(unloaded);
  const advice = session.now.advice ? new (await import("./advice.js").catch(unloaded)).AdvicePanel(session, entry, context) : null;
  if (context.signal.aborted) return;
  const table = new Table({root, session, entry, kind, advice, context, tv});
  table.start();
  session.addEventListener("change", () => session.now.state.over !== ended && keep());
  session.addEventListener("problem", ({problem}) => table.refused(problem));
}

function seated(id, query) {
  const known = invited.get(id) ?? seatIn(id);
  const [player, token] = [query.get("player"), query.get("token")];
  if (!player || !/^[\w-]+$/.test(token ?? "")) return known;
  const tokens = {...known?.tokens, players: {[player]: token, ...known?.tokens.players}};
  const seat = {variant: "", players: [], at: Date.now(), ...known, one: false, me: player, tokens};
  invited.set(id, seat);
  return seat;
}

function unaddressed() {
  history.replaceState(null, "", location.hash.split("?")[0]);
}

function gone(id, problem) {
  invited.delete(id);
  if (problem.code === "no-such-session") forget(id);
  return new Error(t(`session.gone.${problem.code}`, {}, problem.message));
}

export class Table {
  #parts = {
    status: el("p", {class: "status", role: "status"}),
    dice: el("p", {class: "offscreen", role: "status"}),
    clock: new Clock(),
    felt: el("section", {class: "felt table", tabindex: "-1", "aria-label": t("session.table")}),
    side: el("section", {class: "side", "aria-label": t("session.players")}),
    story: el("ol", {class: "list story", tabindex: "0", "aria-label": t("session.story")}),
    end: el("section", {tabindex: "-1"}),
    won: el("div", {role: "status"}),
    finale: el("div"),
    told: el("p", {class: "told", role: "status"}),
  };
  #root;
  #kind;
  #context;
  /** In Hold'em they are advice: one's own pocket counts in them. */
  #odds;
  #story = new Story();
  /** @type {State | undefined} */
  #before;
  #sent;
  #lines = [];
  #pacing;
  #gone = false;
  /** Of a game that is over. @type {any[] | null} */
  #memories = null;

  /** One button, or a draw would enable it again. @type {Element | null} */
  #again = null;
  /** While moves of computers are shown. @type {Now | null} */
  #shown = null;
  #moves = [];
  #next;
  #skips = false;
  #free = 0;
  /** While a player at this device is to throw what the service has rolled. @type {any} */
  #throw = null;
  /** What was before the box that glows. @type {State | null} */
  glows = null;
  /** @type {TableDraft} */
  draft = {};
  held = new Set();
  /** At the last action here, for who takes it back. */
  #kept = new Set();
  laid;
  /** @type {Pause | null} */
  pause = null;

  /** @param {Setting} setting */
  constructor({root, session, entry, kind, advice, context, tv}) {
    this.#root = root;
    this.#kind = kind;
    this.advice = advice;
    this.#context = context;
    this.tv = tv;
    this.session = session;
    this.entry = entry;
    const shown = !tv && this.now.players.length > 1 && entry.links.forecast && (advice || entry.kind !== "community");
    this.#odds = shown && el("div", {class: "odds", role: "group", "aria-label": t(`play.odds.${entry.kind}`, {}, t("play.odds"))});
  }

  get now() {
    return this.#shown ?? this.session.now;
  }

  get state() {
    return this.now.state;
  }

  get computers() {
    return this.session.now.computers ?? {};
  }

  get skips() {
    return this.now.computers && this.#moves.length > 0 && !this.#throw;
  }

  get narrow() {
    return NARROW.matches;
  }

  get actions() {
    const {vain = () => false} = this.#kind;
    // The table rolls the dice of computers, if they are typed.
    const here = ({action, player}) => ![LEAVE, TAKE_BACK].includes(action) && this.session[Object.hasOwn(this.computers, player) ? "dismisses" : "acts"](player);
    return this.#gone || this.pause ? [] : this.now.actions.filter((action) => here(action) && !vain(this.state, action, this.now));
  }

  start() {
    const {status, dice, clock, felt, side, story, end, won, finale} = this.#parts;
    const {seat, id} = this.session;
    const {signal} = this.#context;
    const invite = invitations(id, seat, this.computers, this.tv || this.now.version === 1);
    const alone = this.now.players.every((name) => name === seat.me || Object.hasOwn(this.computers, name));
    const folds = this.tv ? null : invite;
    if (folds?.open) this.session.addEventListener("change", () => fold(folds), {once: true});
    this.advice?.addEventListener("advised", () => this.draw());
    this.advice?.addEventListener("chosen", ({detail}) => this.choose(detail));
    this.#root.dataset.game = this.entry.id;
    fill(this.#root,
      el("div", {class: "row head"}, el("div", {class: "title"}, el("h1", null, token(this.entry.id), this.entry.name), seat.series && el("small", {class: "series"}, this.#series(seat.series))),
        seat.me && !alone && el("span", {class: "badge"}, t("session.me", {name: seat.me})),
        !this.tv && invite, clock,
        icon(t("session.sound"), {class: "quiet sound", "aria-pressed": feel.sounds(), onclick: ({currentTarget}) => {
          feel.setSound(!feel.sounds());
          currentTarget.ariaPressed = feel.sounds();
        }}, svg("path", {d: "M3 9h4l5-4v14l-5-4H3z", "stroke-linejoin": "round"}),
        svg("path", {class: "waves", fill: "none", d: "M16 9q2 3 0 6M19 6q4 6 0 12"}),
        svg("path", {class: "cross", d: "M16 9l5 6m0-6l-5 6"})),
        seat.tokens.table && this.#screen()),
      status, dice, end,
      this.tv && invite, this.#odds,
      el("div", {class: `round ${this.entry.kind}`}, felt, side,
        el("div", {class: "below"}, this.advice,
        rulesOf(this.entry, this.now.house_rules), el("div", {class: "teach-here"}),
        el("section", {class: "happened"}, el("h2", null, t("session.story")), story))));
    end.append(won, finale);
    this.#root.classList.toggle("tv", this.tv);
    this.session.addEventListener("change", () => this.#changed());
    for (const kind of ["click", "keydown"]) this.#root.addEventListener(kind, (event) => this.#once(event), {capture: true});
    addEventListener("click", (/** @type {any} */ {target}) => folds?.contains(target) || fold(folds), {signal});
    felt.addEventListener("click", () => {
      if (!this.#next || this.pause || this.#throw) return;
      this.#skips = true;
      this.#next();
    });
    addEventListener("keydown", (event) => (event.key === "Escape" ? fold(folds) : press(this.#root, event)), {signal});
    NARROW.addEventListener("change", () => this.draw(), {signal});
    clock.addEventListener("low", () => this.actions.length && feel.hurry());
    clock.addEventListener("up", () => this.session.load().catch(() => {}));
    signal.addEventListener("abort", () => {
      this.#moves = [];
      clearTimeout(this.#pacing);
    });
    this.#changed();
    requestAnimationFrame(() => inSight(side.querySelector(".pad"), 0));
    this.session.follow();
    if (!seat.one) this.#greet(folds);
  }

  async #greet(invite) {
    while (greet(this.#root, await this.session.join().catch(() => []))) {
      await new Promise((resolve) => setTimeout(resolve, LOOK));
      if (this.#gone || this.now.state.over || this.#context.signal.aborted) return;
    }
    fold(invite);
  }

  async #changed() {
    const {session} = this;
    const {now} = session;
    const own = session.acting ? this.#sent : null;
    const first = !this.#before && now.version > 1 && openings.get(session.id);
    const before = first ? {...first, pocket: now.state.pocket} : this.#before;
    openings.delete(session.id);
    const paced = before && now.computers;
    const earlier = () => this.#shown ??= {...now, state: before, version: Number(this.#root.dataset.version ?? 1), actions: []};
    if (paced) earlier();
    if (before?.over && !now.state.over) session.follow();
    this.#before = now.state;
    if (!own) this.#context.calm();
    // What one types stays while others act, but not for the next player at this device.
    this.draft = own || session.seat.one ? {} : {entry: this.draft.entry};
    const told = this.#story.follow(session, own, this.#context);
    if (!paced) {
      if (!before) {
        const [id, version, ...held] = read(HELD, TAB) ?? [];
        if (id === session.id && version === now.version) this.held = new Set(held);
      } else if (own?.action === TAKE_BACK) this.held = new Set(this.#kept);
      else if (!goesOn(before, now.state)) this.held = new Set();
      if (!before || (own && !this.#kind.showdown)) this.draw(); // this may be the next hand
    } else if (first) this.draw();
    const events = await told;
    if (this.#context.signal.aborted) return;
    this.#moves.push(...events.flatMap((event, at) => steps(event, now.computers || at === events.length - 1)).map((event) => ({event, now})));
    if (paced || this.#next || (before && (this.#throws(Infinity) || this.#moves.some(({event}) => event.lies)))) {
      earlier();
      if (this.#throw || !now.computers) this.#next?.();
      if (!this.#next) this.#replay();
      return;
    }
    this.#moves = [];
    this.#happened(before, events, before ? events : events.slice(-1));
    this.#advise();
  }

  #happened(before, events, said = events) {
    const last = events.findLast(({action}) => action) ?? {action: ""};
    if (before && last.keep && goesOn(before, this.state)) this.held = new Set(last.keep);
    const dice = this.now.actions.find(({keep}) => keep?.const)?.keep.const;
    if (dice) this.held = new Set(dice);
    this.#interrupt(said, before);
    this.#remember();
    this.glows = before;
    this.draw();
    if (this.#odds && this.pause) patch(this.#odds);
    if (said.length) this.#tell(said.flatMap((event) => lines(event, this).slice(0, this.pause ? Number(event.action === LEAVE) : Infinity)));
    if (before) this.#move(before, last);
  }

  /** Whether the last of `most` moves is a throw at this device; a clock doesn't wait. */
  #throws(most = 1) {
    const {event: {forced, player} = {}, now} = this.#moves.at(-1) ?? {};
    return forced && this.#moves.length <= most && this.#kind.unrolled && now.state.turn?.player === player && !now.state.ends_at
      && this.session.acts(player) && !Object.hasOwn(this.computers, player);
  }

  /** All people are out. */
  #deserted() {
    const {pot, players = []} = this.state;
    const out = [...this.session.now.state.left, ...players.filter(({chips, stack = chips, paid = pot}) => stack + paid === 0).map(({id}) => id)];
    return this.now.players.every((name) => Object.hasOwn(this.computers, name) || out.includes(name));
  }

  /** Until a click on the felt. */
  async #replay() {
    while (this.#moves.length) {
      if (this.#throws()) {
        const {event: {player}, now} = this.#moves[0];
        this.#throw = {action: "roll", player, forced: true};
        this.held = new Set();
        this.#shown = {...this.now, state: {...now.state, ...this.#kind.unrolled?.(now.state), news: this.state.news}, actions: [this.#throw]};
        this.draw();
        this.#refocus();
        await new Promise((resolve) => this.#next = resolve);
        this.#throw = null;
      }
      const gone = this.#deserted() && this.#moves.splice(0, this.#moves.length - 1);
      const {event, now} = this.#moves.shift();
      const last = !this.#moves.length;
      const before = this.state;
      const {to_act: next, ...state} = last ? now.state : this.#kind.after?.(before, event, this.entry, now.state) ?? before;
      const then = last ? null : this.#moves.find(({event: {player}}) => player)?.event.player;
      this.#shown = {...now, version: event.version ?? now.version, state: {...state, to_act: then ? [then] : next, news: event.news}, actions: last ? now.actions : []};
      if (!goesOn(before, state)) this.held = new Set();
      this.#happened(before, [event], gone || event.goes ? [] : [event]);
      if (gone) this.#tell([...gone, {event}].flatMap(({event}) => (event.action === LEAVE ? lines(event, this) : [])));
      if (this.pause) this.#skips = false;
      const waits = this.#lines.length > 0 && !(last || event.goes || this.#skips || this.#throws());
      if (now.computers ? this.pause || waits : event.dice && waits && !this.pause && this.#moves.at(-1).now === now) {
        await new Promise((resolve) => {
          this.#next = resolve;
          if (!this.pause || this.tv) setTimeout(resolve, (event.dice ?? event.layout ?? !event.action ? PACE : MOVE) * (this.#lines.length || 3)); // a result
        });
        this.#free = Date.now();
      }
    }
    this.#next = undefined;
    this.#shown = null;
    this.#skips = false;
    if (this.#context.signal.aborted) return;
    this.draw();
    this.#refocus();
    this.#advise();
  }

  async #advise() {
    this.advice?.update();
    if (!this.#odds) return;
    const {version, state} = this.now;
    const players = state.over || this.pause ? [] : await part(this.session.id, "forecast", this.#context, {quiet: true, once: true}).then((body) => this.now.players.flatMap((name) => body.players.filter(({id}) => id === name)), () => []);
    if (version !== this.now.version) return;
    const chance = ({win, share}) => win + share / 2; // most wins are shared by two
    const sum = (some) => some.reduce((all, player) => all + chance(player), 0);
    const all = sum(players);
    patch(this.#odds, players.map((player, at) => el("span", {class: `line-${at % 6}`, style: {"--rest": sum(players.slice(at)) / all}},
      `${player.id} ${number(chance(player) / all, {style: "percent"})}`)));
  }

  choose(hint) {
    const {action, box, keep} = hint;
    if (!this.actions.length) return;
    if (keep) this.held = new Set(keep);
    this.draft = {entry: this.draft.entry, hint};
    this.draw();
    const button = this.#root.querySelector(box ? `[data-key="box ${box}"]` : `[data-action=${action}]`);
    if (box) button?.click();
    button?.focus(); // what changes nothing has none
  }

  #screen() {
    const name = t(this.tv ? "review.back" : "tv.title");
    return el("a", {class: "button quiet icon", href: `#/session/${this.session.id}${this.tv ? "" : "/tv"}`, "aria-label": name, title: name},
      svg("svg", {viewBox: "0 0 24 24", "aria-hidden": true}, svg("path", {fill: "none", d: "M2 5h20v12H2zM8 21h8"})));
  }

  #remember() {
    if (!this.state.over) this.#memories = this.#again = null;
    else if (!this.#memories) {
      const asked = memories(this.session, this.entry, this.#context);
      const all = this.#memories = [null, asked.length > 1 && el("div", {class: "card", "data-key": "place"})]; // of the curve
      asked.forEach(async (memory, at) => {
        all[at] = await memory.catch(() => null); // the game is over without it, too
        if (!this.#context.signal.aborted) this.draw();
      });
    }
  }

  #move(before, event) {
    const {state} = this;
    const {felt, side} = this.#parts;
    feel.pay(felt.querySelector(".pot"), side, before, this.state);
    const places = this.#kind.rolled?.(before, this.state, event) ?? [];
    const dice = felt.querySelector(".dice.turn") ?? felt.querySelector(".dice");
    feel.roll(places.map((at) => dice?.children[at]).filter(Boolean).map((place) => (place.matches(".spot") ? place.firstElementChild : place)), this.#root.querySelectorAll(".write, .holding, .told, .turn-line > :nth-child(2)"));
    for (const {player, box} of this.state.news) {
      const cell = box && side.querySelector(`[data-cell="${CSS.escape(`${player} ${box}`)}"]`);
      if (cell) feel.glow(cell, () => {
        if (this.glows !== before) return;
        this.glows = null;
        this.draw();
      });
    }
    if (state.over && !before.over && !this.pause) this.#celebrate();
    const {me, one} = this.session.seat;
    if (!one && this.state.to_act.includes(me) && !before.to_act.includes(me)) feel.turn();
  }

  #celebrate() {
    scrollTo(0, 0);
    if (this.state.winners.some((name) => !Object.hasOwn(this.computers, name))) feel.celebrate(this.#parts.end);
  }

  /** A screen for all, where nobody plays, goes on by itself. */
  #interrupt(events, before) {
    if (!events.length) return; // another answer has told them
    const {state} = this;
    const {me, one} = this.session.seat;
    const news = events.flatMap((event) => [event, ...event.then]).flatMap((step) => step.news);
    const late = news.find(({what, player}) => what === "time_up" && (one || player === me));
    const shown = this.#kind.showdown?.(this, news, before);
    const next = state.over && t("pause.result");
    const all = !one && !me;
    if (next || all) this.pause = null;
    if (next && (all || !before)) return;
    if (late) {
      this.pause = {
        shown, title: t("pause.time_up"), body: [shown, news.filter(({what}) => what !== "time_up").flatMap(sentences).map((text) => el("p", null, text))],
        next: next || (one ? t("pause.pass", {name: names(state.to_act)}) : t("pause.next")),
      };
    } else if (shown) this.pause = {shown, body: [shown], next: next || t(`pause.next.${this.entry.kind}`, {}, t("pause.next"))};
  }

  #tell(told) {
    clearTimeout(this.#pacing);
    this.#lines = told;
    this.#say();
    if (told.length > 1) this.#pacing = setTimeout(() => this.#tell(told.slice(1)), PACE);
  }

  #say() {
    const {told} = this.#parts;
    say(told, this.draft.preview ?? this.#lines[0] ?? "");
    told.classList.toggle("preview", Boolean(this.draft.preview));
  }

  refused(problem) {
    const away = GONE.includes(problem.code);
    if (!this.#context.signal.aborted) this.#context.say((away ? gone(this.session.id, problem) : problem).message);
    if (!away) return;
    this.#gone = true;
    this.draw();
  }

  async act(action, values = {}) {
    if (action === this.#throw) return this.#next();
    if (this.session.acting || !this.session.now.actions.includes(action)) return;
    this.#root.setAttribute("aria-busy", "true");
    this.#context.say();
    const chosen = {action: action.action, player: action.player ?? undefined, ...values};
    const judge = this.advice?.chose(chosen);
    this.#sent = chosen;
    if (action.action !== TAKE_BACK) this.#kept = this.held;
    try {
      await this.session.act(chosen);
      judge?.();
    } catch (problem) {
      this.refused(problem);
    } finally {
      this.#root.removeAttribute("aria-busy");
    }
  }

  hold(at) {
    if (!this.held.delete(at)) this.held.add(at);
    this.draw();
  }

  async ask(operation, body) {
    const {api, signal} = this.#context;
    return (await api.request("POST", this.entry.links[operation], {body: {...body, house_rules: this.now.house_rules}, signal})).body;
  }

  draw() {
    const focused = this.#root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const key = focused?.dataset.key;
    const {status, dice, clock, felt, side, end, won, finale} = this.#parts;
    const {turn, community, to_act: next} = this.state;
    const over = this.state.over && !this.pause;
    say(status, this.#status());
    if (turn && this.#root.dataset.version !== String(this.now.version)) fill(dice); // the same faces again are news too
    say(dice, (turn?.dice ?? community ?? []).map((face) => dieName(face, this.entry.dice)).join(", "));
    clock.show(this.#gone ? null : this.state.ends_at, this.#context.api.ahead);
    patch(felt, this.#lead(), this.pause ? this.#paused(this.pause) : [this.#kind.felt(this), actionBar(this, this.#kind.commit?.(this))]);
    const {scrollLeft} = side.querySelector(".pad") ?? side;
    patch(side, this.#kind.side(this), this.#leaving());
    inSight(side.querySelector(".pad"), scrollLeft);
    this.#say();
    this.#mark();
    this.#root.dataset.version = `${this.now.version}`;
    write(HELD, [this.session.id, this.now.version, ...this.held], TAB);
    this.#drawStory();
    const ended = over && !this.#gone;
    end.className = ended ? "felt winners" : "";
    patch(won, ended && el("h2", null, this.#won()));
    patch(finale, this.#gone ? el("p", null, el("a", {class: "button primary", href: "#/"}, t("main.home"))) : over ? this.#end() : this.tv && standings(this.state));
    const {me, one} = this.session.seat;
    this.#context.entitle(!over && !one && !this.skips && next.includes(me) ? t("session.your_turn") : "");
    if (focused && focused !== document.activeElement) {
      const same = focused.isConnected ? focused : key && this.#root.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
      if (same) same.focus();
      else this.#focusOn();
    }
  }

  #refocus() {
    if (document.activeElement === this.#parts.felt) this.#focusOn();
  }

  #focusOn() {
    (this.#root.querySelector("[data-action]:not(:disabled, .back), .next") ?? this.#parts[this.state.over ? "end" : "felt"]).focus();
  }

  #lead() {
    const back = this.now.actions.find(({action, player}) => action === TAKE_BACK && this.session.acts(player));
    return el("div", {class: "lead-line"}, this.#parts.told, back && !this.#gone && el("button", {
      class: "back", "data-key": TAKE_BACK, "data-action": TAKE_BACK, onclick: () => {
        this.pause = null;
        this.#next?.();
        this.act(back, {to: back.to.maximum});
      },
    }, t("action.take_back")));
  }

  /** @param {Pause} pause */
  #paused(pause) {
    const {title: head, body, next} = pause;
    return el("div", {class: "pause", id: "pause", "data-key": "pause"}, head && el("h2", null, head), body,
      el("p", {class: "row actions"}, el("button", {class: "primary next", "data-key": "next", "aria-describedby": "pause", onclick: () => {
        this.pause = null;
        this.#free = Date.now();
        this.draw();
        if (this.state.over) this.#celebrate();
        this.#next ? this.#next() : this.#advise();
      }}, next)));
  }

  /** Nobody acts twice or too late, or rolls or writes while dice tumble. */
  #once(event) {
    const late = (event.pointerType === "touch" || event.key === "Enter") && Date.now() - this.#free < LATE;
    const tumbles = this.#parts.felt.getAnimations({subtree: true}).some((each) => !(each instanceof CSSTransition));
    const places = event.detail > 1 || late ? "[data-action]:not(.write)" : tumbles && event.type === "click" ? "[data-action=roll], [data-cell], .write, .commit" : event.repeat && event.key === "Enter" && ".actions, [data-action]";
    if (!places || !event.target.closest(places)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #mark() {
    const {action = "", box, keep = []} = this.draft.hint ?? {};
    const places = new Set(keep.map((at) => `keep ${at}`));
    for (const each of this.#root.querySelectorAll("[data-key]")) {
      const {key, action: own} = each.dataset;
      const advised = places.has(key) || (own === action && (!box || key === `box ${box}`));
      each.classList.toggle("advised", advised);
      each.ariaDescription = advised ? t("advice.hint") : null;
    }
  }

  #status() {
    const {over, to_act: turn} = this.state;
    if (this.pause) return "\u00a0"; // its place stays
    if (over || this.#gone) return "";
    const {seat} = this.session;
    if (!seat.one && turn.includes(seat.me)) return this.skips ? "\u00a0" : t("session.your_turn");
    if (seat.one || this.tv) return t("session.turn", {count: turn.length, names: names(turn)});
    return t("session.waiting", {names: names(turn)});
  }

  #won() {
    const {winners} = this.state;
    return winners.length && this.now.players.length > 1 ? t("score.wins", {count: winners.length, names: names(winners)}) : t("session.over");
  }

  #end() {
    const {winners} = this.state;
    const {variant, players, house_rules, dice, advice, computers} = this.now;
    const {id, seat} = this.session;
    const series = Object.fromEntries(players.map((name) => [name, (seat.series?.[name] ?? 0) + Number(winners.includes(name))]));
    const rematch = seat.tokens.table && (this.#again ??= begins(t("session.again"), this.#context, async () => [{variant, players, house_rules, dice, advice, computers}, {...seat, series}]));
    return [
      standings(this.state), this.#memories,
      seat.series && el("p", {class: "series"}, this.#series(series)),
      el("p", {class: "row actions"},
        rematch, el("a", {class: "button", href: `#/new/${this.entry.id}`}, t("setup.options")),
        this.entry.links.review && el("a", {class: "button", href: `#/review/${id}`}, t("session.review")),
        this.now.dice === "server" && el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))),
    ];
  }

  #series(wins) {
    return t("session.series", {names: names(Object.entries(wins).map(([name, count]) => `${name} (${count})`))});
  }

  #leaving() {
    const {left} = this.state;
    const {seat} = this.session;
    const able = this.#gone ? [] : this.session.now.actions.filter(({action, player}) => action === LEAVE && !Object.hasOwn(this.computers, player) && this.session.dismisses(player));
    return [
      left.length > 0 && el("p", {class: "muted left"}, t("session.left", {names: names(left)})),
      able.length > 0 && el("p", {class: "row leaving"}, able.map((action) => {
        const name = action.player;
        const own = !seat.one && name === seat.me;
        return el("button", {class: "quiet", "data-key": `${LEAVE} ${name}`, onclick: () => {
          if (confirm(t(own ? "session.leave.sure" : "session.leave.sure_of", {name}))) this.act(action);
        }}, t(own ? "session.leave" : seat.one ? "session.leave.of" : "session.skip", {name}));
      })),
    ];
  }

  #drawStory() {
    const {story} = this.#parts;
    if (this.#moves.length) return; // it knows what is still to be shown
    fill(story, this.#story.sentences.map((sentence) => el("li", null, sentence)));
    story.parentNode.hidden = !this.#story.sentences.length;
  }
}

function fold(invite) {
  if (!invite?.open) return;
  const inside = invite.contains(document.activeElement);
  invite.open = false;
  if (inside) invite.firstChild.focus();
}

/** Dice that decide lie there before; a game begins with its first state. */
function steps({then, version, ...event}, splits) {
  if (version === 1) return [{...event, version, news: [event, ...then].flatMap(({news}) => news), then: []}];
  const all = [event, ...then].map((each, at) => ({...each, then: [], forced: at > 0}))
    .flatMap((step) => {
      const [decided] = step.news.map(({what}) => what).filter((what) => DECIDED.includes(what));
      if (!splits || !step.dice || !decided) return step;
      const told = {...step, action: "", dice: undefined};
      return [{...step, news: [], lies: true}, told, ...decided === "passed" ? [{...told, news: [], goes: true}] : []];
    });
  const last = all.findLastIndex(({lies}) => lies);
  return all.map((step, at) => ({...step, version: at > last ? version : version - 1}));
}

function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
