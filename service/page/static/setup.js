import {BASE, newKey, openings, remember} from "./api.js";
import {copies, el, fill, names, number, read, svg, t, title, write} from "./dom.js";
import {counts, diceRow, token} from "./draw.js";
import {generate} from "./vendor/lean-qr.js";

const CLOCK = "turn_seconds";
const PLAYERS = "dice-table-players", OPTIONS = "dice-table-options";
const LOCAL = /^(localhost|127\.|0\.0|\[::1?\])/;
const QUIET = 4;
const STRENGTHS = ["easy", "medium", "hard", "best"];

/** @type {View} */
export async function view(root, [variant], context) {
  const {api, catalogue, query, say, signal, go} = context;
  const game = await catalogue.entry(variant, signal);
  const options = read(OPTIONS)?.[variant] ?? {house_rules: {[CLOCK]: null}};
  const play = query.get("play");
  if (play) {
    const begun = await begin(context, bodyOf(game, atOnce(game, play), options), {one: play === "one"});
    history.replaceState(null, "", begun); // not again by going back
    return go(begun);
  }
  const players = seated(game, read(PLAYERS) ?? atOnce(game, "computer"));
  const me = el("select");
  const invite = el("button", {type: "submit", class: "large", value: "own"}, t("home.own"));
  const rules = houseRules(game, undefined, options.house_rules, moreOptions(game, options, me));
  const form = el("form", {class: "setup", onsubmit: (event) => {
    event.preventDefault();
    const {submitter} = event;
    const chosen = new FormData(form);
    const kept = {house_rules: {...rules.chosen, [CLOCK]: rules.value(CLOCK)}, dice: chosen.get("dice"), advice: chosen.has("advice")};
    write(PLAYERS, players);
    write(OPTIONS, {...read(OPTIONS), [variant]: kept});
    const body = {...bodyOf(game, players, kept), seed: chosen.get("seed") || undefined};
    start(submitter, context, [body, {one: submitter.value === "one", me: players[me.value]?.name ?? null}]);
  }},
  lineUp(game, players, me, invite),
  el("p", {class: "row"}, el("button", {type: "submit", class: "primary large", value: "one"}, t("setup.start")), invite), rules.details);
  api.addEventListener("making", () => say(t("main.making"), "good"), {signal});
  root.dataset.game = variant;
  fill(root, el("h1", null, token(variant), game.name), el("p", {class: "lead"}, game.summary), form, rulesOf(game),
    el("p", null, el("a", {class: "button", href: "#/"}, t("main.home"))));
}

function another(others, strength) {
  for (let place = strength ? 2 : others.length + 1; ; place++) {
    const name = strength ? `${t("setup.computer")} ${place}` : t("score.player", {number: place});
    if (!others.some((each) => each.name === name)) return {name, strength};
  }
}

function seated({players: {min, max}, links}, known) {
  const all = known.filter(({strength}) => links.choose || !strength).slice(0, max ?? undefined);
  while (all.length < min) all.push(another(all));
  return all;
}

function atOnce(game, play) {
  const known = read(PLAYERS) ?? [];
  const people = known.filter(({strength}) => !strength);
  const first = people[0] ?? another([]);
  const strength = known.findLast((each) => each.strength)?.strength ?? "medium";
  return seated(game, [first, play === "computer" && game.links.choose ? {name: t("setup.computer"), strength} : people[1] ?? another([first])]);
}

function bodyOf({id}, players, options) {
  const computers = players.filter(({strength}) => strength).map(({name, strength}) => [name, strength]);
  return {variant: id, players: players.map(({name}) => name), computers: computers.length ? Object.fromEntries(computers) : undefined, ...options};
}

/** Who is alone with computers has their own device. @type {Begin} */
async function begin({api, signal}, body, {one, me, series}) {
  const {variant, players, computers = {}} = body;
  const {body: {id, tokens, state}} = await api.request("POST", "/v1/sessions", {body, key: newKey(), signal});
  const people = players.filter((name) => !Object.hasOwn(computers, name));
  openings.set(id, state);
  const shared = Boolean(one) && (people.length !== 1 || players.length === 1);
  remember(id, {variant, players, one: shared, me: shared ? null : one || me === undefined ? people[0] : me, at: Date.now(), tokens, series});
  return `#/session/${id}`;
}

/** @type {Begins} */
export function begins(text, context, ask) {
  return el("button", {class: "primary", onclick: ({target}) => start(target, context, ask())}, text);
}

async function start(button, context, terms) {
  button.disabled = true;
  try {
    const [body, seat] = await terms;
    context.go(await begin(context, body, seat));
  } catch (/** @type {any} */ problem) {
    if (!context.signal.aborted) context.say(problem.message);
    button.disabled = false;
    button.focus();
  }
}

/** @param {Game} game @param {Player[]} players */
function lineUp(game, players, me, invite) {
  const {players: {min, max}, links} = game;
  const list = el("ol", {class: "list players"});
  const add = (text, strength) => el("button", {class: "quiet", onclick: () => {
    players.push(another(players, strength));
    draw();
    list.lastChild.querySelector("input").select();
  }}, text);
  const more = el("p", {class: "row"}, add(t("score.add_player")), links.choose && add(t("setup.add_computer"), "medium"));
  let mine = players[0];
  me.onchange = () => {
    mine = players[me.value];
  };

  function draw() {
    fill(list, players.map((player, at) => el("li", {class: "seat"},
      el("span", {class: "face", "aria-hidden": true}),
      el("input", {value: player.name, maxlength: 64, autocomplete: "off", "aria-label": t("setup.player", {place: at + 1}), oninput: ({target}) => {
        player.name = target.value.trim();
        check();
      }}),
      player.strength && el("select", {"aria-label": t("setup.strength"), onchange: ({target}) => {
        player.strength = target.value;
      }}, STRENGTHS.map((each) => el("option", {value: each, selected: each === player.strength}, t(`strength.${each}`)))),
      players.length > min && el("button", {class: "quiet", "aria-label": `${t("setup.remove")}: ${t("score.player", {number: at + 1})}`, onclick: () => {
        players.splice(at, 1);
        if (mine === player) [mine] = players;
        draw();
        more.firstChild.focus();
      }}, "×"))));
    for (const button of more.children) button.hidden = players.length >= (max ?? Infinity);
    check();
  }

  function check() {
    players.forEach(({name, strength}, at) => {
      const [face, input] = list.children[at].children;
      face.textContent = strength ? "••" : name.slice(0, 1);
      input.setCustomValidity(!name ? t("setup.nameless") : players.findIndex((each) => each.name === name) < at ? t("setup.twice") : "");
    });
    const people = players.filter(({strength}) => !strength);
    invite.hidden = people.length < 2;
    fill(me, people.map((each) => el("option", {value: players.indexOf(each), selected: each === mine}, each.name)),
      el("option", {value: "", selected: !mine}, t("setup.screen")));
  }

  draw();
  return el("fieldset", null, el("legend", null, t("session.players")), list, more);
}

function moreOptions(game, {dice = "server", advice}, me) {
  return [
    ["server", "client"].map((value) => el("label", {class: "check"}, el("input", {type: "radio", name: "dice", value, checked: dice === value}), t(`setup.dice.${value}`))),
    el("label", {class: "field"}, t("setup.seed"), el("input", {name: "seed", maxlength: 64, autocomplete: "off"}),
      el("small", {class: "muted"}, t("setup.seed.meaning"))),
    game.links.advise && el("label", {class: "check"}, el("input", {type: "checkbox", name: "advice", checked: advice}), t("setup.advice")),
    el("label", {class: "field"}, t("setup.me"), me),
  ];
}

/** @param {string} id @param {Seat} seat */
export function invitations(id, {players, me, one, tokens}, computers, open) {
  const others = players.filter((name) => name !== me && !Object.hasOwn(computers, name) && Object.hasOwn(tokens.players, name));
  if (one || !others.length) return null;
  return el("details", {class: "invite", open},
    el("summary", null, t("invite.title"), " ", el("span", {class: "muted"}, names(others))),
    el("div", {class: "card"}, el("p", null, t("invite.lead")),
    LOCAL.test(location.hostname) && el("p", {class: "hint"}, t("invite.local")),
    el("ul", {class: "list invitations"}, others.map((name) => {
      const link = new URL("play", BASE);
      link.hash = `/session/${id}?${new URLSearchParams({player: name, token: tokens.players[name]})}`; // nothing after # is sent to any server
      const button = copies(t("invite.copy"), () => link.href, {"aria-label": `${t("invite.copy")}: ${name}`});
      return el("li", {"data-key": name}, el("h2", null, name, " ", el("span", {class: "there good"})), code(link.href, t("invite.code", {name})),
        el("p", {class: "row"}, el("a", {href: link, target: "_blank", rel: "noreferrer"}, t("invite.link")), button));
    }))));
}

/** Marks who is there; returns how many are missing. */
export function greet(root, players) {
  const missing = [];
  for (const {dataset: {key}, firstChild: {lastChild: there}} of root.querySelectorAll(".invitations > li")) {
    if (players.includes(key)) there.textContent = t("invite.there");
    if (!there.textContent) missing.push(key);
  }
  for (const place of root.querySelectorAll(".invite > summary > span")) place.textContent = names(missing);
  return missing.length;
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

export function houseRules(game, changed = () => {}, before = {}, more) {
  const fields = game.house_rules.filter(({name}) => more || name !== CLOCK)
    .map((rule) => ruleField(rule, rule.name in before ? before[rule.name] : rule.default));
  const details = el("details", {class: "card", onchange: ({target}) => target.reportValidity() && changed()},
    el("summary", null, t(more ? "setup.options" : "setup.house_rules")), more, el("div", {class: "rules"}, fields.map(({field}) => field)));
  details.addEventListener("invalid", () => { // or nobody would see what is wrong
    details.open = true;
  }, true);
  return {
    details: (more ?? fields).length > 0 && details,
    value: (name) => fields.find((field) => field.name === name)?.value(),
    get chosen() {
      const all = fields.filter((field) => field.value() !== field.default);
      return all.length ? Object.fromEntries(all.map((field) => [field.name, field.value()])) : undefined;
    },
  };
}

/** What is wrong keeps its last value. */
function ruleField({name, type, choices, nullable, minimum, maximum, step, meaning, default: usual}, chosen) {
  const about = el("small", {class: "muted", id: `about-${name}`}, meaning);
  const described = {"aria-describedby": about.id};
  const made = (value, ...children) => ({name, default: usual, value, field: el("div", {class: "rule"}, children, about)});
  if (type === "boolean") {
    const box = el("input", {type: "checkbox", checked: chosen, ...described});
    return made(() => box.checked, el("label", {class: "check"}, box, title(name)));
  }
  if (choices.length) {
    const select = el("select", described, choices.map((each) => el("option", {value: each, selected: each === chosen}, title(each))));
    return made(() => select.value, el("label", {class: "field"}, title(name), select));
  }
  let last = chosen ?? usual ?? minimum;
  const input = el("input", {type: "number", min: minimum, max: maximum, step, required: true, value: last, ...described});
  const none = nullable && el("input", {type: "checkbox", checked: chosen === null, onchange: follow});
  function follow() {
    input.disabled = none?.checked;
  }
  follow();
  const value = () => {
    if (input.disabled) return null;
    if (input.validity.valid) last = input.valueAsNumber;
    return last;
  };
  return made(value, el("label", {class: "field"}, title(name), input), none && el("label", {class: "check"}, none, t("setup.none")));
}

export function rulesOf({rules, boxes, ranks, hands, dice, house_rules: all}, chosen) {
  return el("details", {class: "card"}, el("summary", null, t("setup.rules")),
    ranks && el("dl", {class: "clauses rolls"}, ranks.filter(counts(chosen)).map(({name, example}) => [el("dt", null, name), el("dd", null, diceRow(example, {dice, label: name}))])),
    hands && el("dl", {class: "clauses"}, hands.map(({name, needs, points}) => [el("dt", null, name, " ", number(points)), el("dd", null, needs)])),
    el("dl", {class: "clauses"}, rules.map(({clause, text}) => [el("dt", null, clause), el("dd", null, text)])),
    boxes && [el("h2", null, t("play.sheet")), el("dl", {class: "clauses"}, boxes.map((box) =>
      [el("dt", null, box.name), el("dd", null, box.points === null ? box.scores : box.needs)]))],
    chosen && all.length > 0 && [el("h2", null, t("setup.house_rules")), el("dl", {class: "clauses"}, all.map(({name, clause}) =>
      [el("dt", null, clause), el("dd", null, title(name), ": ", worded(chosen[name]))]))]);
}

function worded(value) {
  if (typeof value === "boolean") return t(`setup.${value}`);
  if (typeof value === "string") return title(value);
  return value === null ? t("setup.none") : number(value);
}
