import {part, seatIn} from "./api.js";
import {el, fill, names, number, svg, t, title} from "./dom.js";
import {diceRow, die, dieName} from "./draw.js";
import {begins} from "./setup.js";
import {news} from "./turn.js";

export class AdvicePanel extends HTMLElement {
  #session;
  #game;
  #context;
  #asked = 0;
  #last = new AbortController();
  #options = [];
  #player;
  #cost = el("p", {class: "cost", role: "status"});
  #body = el("div");
  #details = el("details", {class: "card", ontoggle: () => this.update()}, el("summary", {"data-key": "advice"}, t("advice.title")), this.#body);

  constructor(session, game, context) {
    super();
    this.#session = session;
    this.#game = game;
    this.#context = context;
    this.className = "advice";
    this.append(this.#cost, this.#details);
    const {api, signal} = context;
    api.addEventListener("making", () => this.#body.ariaBusy === "true" && this.#show(el("p", {class: "muted"}, t("main.making"))), {signal});
  }

  get best() {
    return this.#options[0];
  }

  /** Hidden dice are asked for only if it's open. */
  async update() {
    const {advice, state} = this.#session.now;
    const [player] = state.to_act;
    if (player !== this.#player) this.#shared ? this.#close() : fill(this.#body);
    this.#player = player;
    this.hidden = !advice || state.over;
    const mine = ++this.#asked;
    this.#last.abort();
    this.#last = new AbortController();
    this.#advise([]);
    if (this.hidden || (!this.#details.open && this.#game.kind === "community")) return;
    this.#body.ariaBusy = "true"; // what is there may be about other dice
    const show = (...children) => mine === this.#asked && this.#show(...children);
    if (!this.#decided(state)) return show(el("p", {class: "muted"}, t("advice.none")));
    try {
      const {seat, token, path} = this.#session;
      const {api, signal} = this.#context;
      const {body} = await api.request("GET", `${path}/advice`, {
        token: this.#shared ? seat.tokens.players[player] : token, quiet: this.#shared, signal: AbortSignal.any([signal, this.#last.signal]),
      });
      if (mine !== this.#asked) return;
      this.#advise(body.options ?? []);
      show(body.equity === undefined ? this.#plays(body) : this.#chances(body));
    } catch (problem) {
      show(el("p", {class: "muted"}, problem.code === "nothing-to-decide" ? t("advice.none") : problem.message));
    }
  }

  #show(...children) {
    this.#body.ariaBusy = "false";
    fill(this.#body, ...children);
  }

  #advise(options) {
    this.#options = options;
    this.dispatchEvent(new Event("advised"));
  }

  #decided({phase, players, turn}) {
    const {kind} = this.#game;
    if (kind !== "community") return kind === "ranking" ? turn?.dice.length > 0 : Boolean(turn);
    const own = players.find(({id}) => id === (this.#shared ? this.#player : this.#session.seat.me));
    return phase === "betting" && own && !own.folded && !own.out;
  }

  /** What a choice costs; what it returns says so once it counts. */
  chose({action, keep = [], box = undefined}) {
    const dice = action === "roll" ? keep.map((place) => this.#session.now.state.turn?.dice?.[place]) : [];
    if (this.#game.kind === "community") this.#close();
    this.#cost.textContent = "";
    const chosen = this.#options.find((option) => samePlay(option, {action, dice, box}));
    if (!chosen || this.#options.length < 2) return null;
    const values = {play: playName(chosen, this.#game), best: playName(this.best, this.#game)};
    const cost = chosen.loss < 0.0005 ? t("advice.best", values) : t("advice.cost", {...values, loss: lost(chosen.loss, this.#game)});
    return () => {
      this.#cost.textContent = cost;
    };
  }

  get #shared() {
    return this.#session.seat.one && this.#game.kind === "community";
  }

  #close() {
    this.#asked++;
    this.#details.open = false;
    fill(this.#body);
  }

  #plays(body) {
    const {options, exact, hands, standard_error: error} = body;
    const value = ({expected_total: total, chance, expected}) => worth(total ?? chance ?? expected, this.#game);
    return [
      el("p", null, t(`advice.now.${this.#game.kind}`, {name: this.#player, value: value(body)})),
      exact === false && el("p", {class: "muted"}, t("advice.about", {error})),
      hands && this.#ranks(hands, this.#game.hands),
      options.length > 0 && el("ol", {class: "options"}, options.map((option) => el("li", null,
        el("button", {class: "quiet", onclick: () => this.dispatchEvent(new CustomEvent("chosen", {detail: option}))}, play(option, this.#game)),
        el("span", {class: "value"}, value(option)),
        el("span", {class: "loss"}, loss(option.loss, this.#game))))),
    ];
  }

  #chances({equity, break_even: breakEven, ranks}) {
    return [
      el("p", null, t("advice.now.community", {value: worth(equity, this.#game)})),
      breakEven > 0 && el("p", null, t(equity >= breakEven ? "advice.call" : "advice.fold", {share: worth(breakEven, this.#game)})),
      this.#ranks(ranks, this.#game.ranks),
    ];
  }

  #ranks(chances, entries) {
    const possible = entries.filter(({id}) => chances[id] > 0.0005);
    return possible.length > 0 && el("table", {class: "chances"}, el("caption", null, t("advice.chances")), el("tbody", null, possible.map(({id, name}) =>
      el("tr", null, el("th", {scope: "row"}, name),
        el("td", null, number(chances[id], {style: "percent", maximumFractionDigits: 1})),
        el("td", {"aria-hidden": true}, el("meter", {min: 0, max: 1, value: chances[id]}))))));
  }
}

customElements.define("advice-panel", AdvicePanel);

export function play(play, game) {
  const keeps = play.action === "roll" && play.dice?.length > 0;
  return el("span", {class: "play"}, keeps ? t("plays.keeps") : playName(play, game),
    keeps && el("span", {class: "dice small"}, play.dice.map((face) => die(face, {dice: game.dice}))));
}

function playName({action, dice = [], box, score}, game) {
  if (action === "roll") return dice.length ? t("plays.keep", {dice: names(dice.map((face) => dieName(face, game.dice)))}) : t("plays.roll_all");
  const entry = box && game.boxes.find(({id}) => id === box);
  if (entry) return t(`plays.${action}`, {box: entry.name, score: score ?? 0});
  return t(`action.${action}`, {count: 0}, title(action));
}

function samePlay(one, other) {
  const kept = ({dice = []}) => dice.map(String).sort().join();
  return one.action === other.action && one.box === other.box && kept(one) === kept(other);
}

function shares({kind}) {
  return kind === "ranking" || kind === "community";
}

function worth(value, game) {
  return shares(game)
    ? number(value, {style: "percent", maximumFractionDigits: 1})
    : t("plays.points", {count: rounded(value)});
}

function lost(value, game) {
  return shares(game) ? t("plays.share", {value: rounded(value * 100)}) : worth(value, game);
}

function loss(value, game) {
  return value < 0.0005 ? "" : `−${worth(value, game)}`;
}

function rounded(value) {
  const unit = Math.abs(value) < 0.1 ? 1000 : 10;
  return Math.round(value * unit) / unit;
}

const WORST = 3;

/** @type {View} */
export async function view(root, [id], context) {
  const {players, curve: moves, turning_point: turning} = await part(id, "review", context);
  const reviews = Object.entries(players);
  if (!reviews.length) throw new Error(t("review.unknown"));
  const game = await context.catalogue.entry(reviews[0][1].variant);
  fill(root,
    el("h1", null, t("review.title", {game: game.name})),
    why(reviews),
    moves.length > 0 && curve(moves),
    turning && [turningPoint(turning), replay(id, turning, game, context)],
    summary(reviews),
    reviews.map(([name, review]) => choices(name, review, game)),
    el("p", {class: "row"},
      el("a", {class: "button", href: `#/session/${id}`}, t("review.back")),
      seatIn(id)?.proof && el("a", {class: "button", href: `#/verify/${id}`}, t("verify.title"))));
}

function turningPoint({player, turn, moved_by: by, before, after}) {
  const [from, to] = [before, after].map((chance) => number(chance, {style: "percent"}));
  return el("p", {class: "card"}, t(`review.turning.${by}`, {name: player, turn, from, to}));
}

function replay(id, {player, turn}, {repeats}, context) {
  return el("p", null, begins(t("review.replay"), context, async () => {
    const {players, state: {order = players}, variant, house_rules, dice, advice, computers} = await part(id, "", context);
    const {events, cards: paper = {}} = await part(id, "events", context);
    const cards = Object.fromEntries(order.map((name) => [name, {...paper[name]}]));
    let turns = 0;
    for (const {what, player: name, box, score = 0} of news(events)) {
      if (box && name === player && ++turns === turn) break;
      if (box) cards[name][box] = score;
      if (what === "repeat_bonus") cards[name][repeats.card_field] = (cards[name][repeats.card_field] ?? 0) + 1;
    }
    return [{variant, players: order, house_rules, dice, advice, computers, cards}, {...seatIn(id)}];
  }));
}

function why(reviews) {
  const [[name, best], second] = [...reviews].sort(([, one], [, other]) => other.total - one.total);
  if (!second || best.total === second[1].total) return null;
  return el("p", {class: "verdict true"}, t("review.why", {
    name,
    other: second[0],
    ahead: Math.round(best.total - second[1].total),
    luck: signed(best.luck - second[1].luck),
    skill: signed(second[1].loss - best.loss),
  }));
}

function signed(value) {
  return number(value, {signDisplay: "exceptZero", maximumFractionDigits: 1});
}

function summary(reviews) {
  /** @type {[string, (review: any) => string][]} */
  const rows = [
    ["review.start", ({start}) => number(rounded(start))],
    ["review.luck", ({luck}) => signed(luck)],
    ["review.loss", (review) => signed(-review.loss)],
    ["sheet.total", ({total}) => number(total)],
    ["review.accuracy", ({accuracy}) => number(accuracy / 100, {style: "percent"})],
  ];
  return el("div", {class: "pad", tabindex: "0", role: "group", "aria-label": t("review.summary")}, el("table", {class: "sheet"},
    el("thead", null, el("tr", null, el("td"), reviews.map(([name]) => el("th", {scope: "col"}, name)))),
    el("tbody", null, rows.map(([key, value]) => el("tr", {class: key === "sheet.total" && "sum"},
      el("th", {scope: "row"}, t(key)), reviews.map(([, review]) => el("td", null, value(review))))))));
}

function choices(name, {decisions}, game) {
  const costly = decisions.filter(({word}) => word !== "good").sort((a, b) => b.loss - a.loss);
  return el("section", null,
    el("h2", null, t("review.choices", {name})),
    costly.length ? list(costly.slice(0, WORST), game) : el("p", null, t("review.perfect")),
    el("details", null, el("summary", null, t("review.all", {count: decisions.length, names: names([name])})), list(decisions, game)));
}

function list(decisions, game) {
  return el("ol", {class: "choices"}, decisions.map(({turn, roll, dice, luck, played, best, loss: cost, word}) => el("li", null,
    el("div", {class: "row"},
      el("span", null, t("review.when", {turn, roll, count: roll})),
      diceRow(dice, {dice: game.dice, label: t("setup.dice")}),
      el("span", {class: "muted"}, t("review.roll_luck", {luck: signed(luck)}))),
    el("div", {class: "row"},
      el("span", {class: `badge ${word}`}, t(`review.word.${word}`)), play(played, game), el("span", {class: "loss"}, loss(cost, game))),
    cost >= 0.0005 && el("div", {class: "row muted"}, t("review.best"), play(best, game)))));
}

export function curve(moves) {
  const steps = moves.filter(({player, turn}, at) => !player || player !== moves[at + 1]?.player || turn !== moves[at + 1].turn)
    .map(({turn, chances}) => ({label: turn ?? "–", values: Object.values(chances).map((chance) => Math.round(chance * 100))}));
  const players = Object.keys(moves[0].chances);
  const x = (at) => (580 * at) / (steps.length - 1 || 1);
  const caption = t("review.odds");
  return el("figure", {class: "curve"},
    el("figcaption", null, caption, el("span", {class: "legend"}, players.map((name, line) => el("span", null,
      svg("svg", {viewBox: "0 0 28 12", "aria-hidden": true}, svg("path", {class: `line line-${line % 6}`, d: "M0 6H28"})), name)))),
    svg("svg", {viewBox: "-44 -20 640 256", role: "img", "aria-label": caption},
      [0, 50, 100].map((value) => [
        svg("path", {class: "grid", d: `M0 ${200 - 2 * value}h580`}),
        svg("text", {x: -6, y: 204 - 2 * value, "text-anchor": "end"}, value),
      ]),
      steps.map(({label}, at) => at % Math.ceil(steps.length / 14) === 0 && svg("text", {x: x(at), y: 226, "text-anchor": "middle"}, label)),
      players.map((_, line) => svg("path", {class: `line line-${line % 6}`, d: `M${steps.map(({values}, at) => `${x(at)} ${200 - 2 * values[line]}`).join("L")}`}))),
    el("details", null, el("summary", null, t("curve.figures")), el("table", null, el("thead", null, el("tr", null, [t("review.turn"), ...players].map((name) => el("th", {scope: "col"}, name)))),
      el("tbody", null, steps.map(({label, values}) => el("tr", null, el("th", {scope: "row"}, label), values.map((value) => el("td", null, value))))))));
}
