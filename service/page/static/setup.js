/** A new game: its players, people and computers, and its options, as the catalogue describes them; and the rules of a game, to choose and to read. */

import {newKey} from "./api.js";
import {el, fill} from "./dom.js";
import {keep, read, write} from "./stored.js";
import {number, t, title} from "./texts.js";

/** The house rule for the seconds of the clock, in every game. No clock runs unless somebody sets it. */
const CLOCK = "turn_seconds";
/** The players of the last game that was set up, and how each game was. */
const PLAYERS = "dice-table-players", OPTIONS = "dice-table-options";
const STRENGTHS = ["easy", "medium", "hard", "best"];

/** @typedef {{name: string, strength?: string, key?: string}} Player A computer has a strength. */

/**
 * A new game to set up; with `play` in the query, which says against whom or where, it begins at once.
 * @param {Element} root @param {string[]} params the id of the game
 */
export async function view(root, [variant], context) {
  const {api, catalogue, query, say, signal, go} = context;
  const game = await catalogue.entry(variant);
  const options = read(OPTIONS)?.[variant] ?? {house_rules: {[CLOCK]: null}};
  const play = query.get("play");
  if (play) {
    const begun = await begin(context, bodyOf(game, atOnce(game, play), options), {one: play === "one"});
    history.replaceState(null, "", begun); // who goes back doesn't come here
    return go(begun);
  }
  const {field, players} = lineUp(game, seated(game, read(PLAYERS) ?? atOnce(game, "computer")));
  const me = el("select", {name: "me"});
  const rules = houseRules(game, undefined, options.house_rules, moreOptions(game, options, me));
  const invite = el("button", {type: "submit", class: "large", value: "own"}, t("home.own"));
  const form = el("form", {class: "setup", onsubmit: async (event) => {
    event.preventDefault();
    const {submitter} = event;
    const chosen = new FormData(form);
    const kept = {house_rules: {...rules.chosen, [CLOCK]: rules.value(CLOCK)}, dice: chosen.get("dice"), advice: chosen.has("advice")};
    const all = players();
    write(PLAYERS, all);
    write(OPTIONS, {...read(OPTIONS), [variant]: kept});
    submitter.disabled = true;
    try {
      const body = {...bodyOf(game, all, kept), seed: chosen.get("seed") || undefined};
      go(await begin(context, body, {one: submitter.value === "one", me: all.find(({key}) => key === me.value)?.name ?? null}));
    } catch (problem) {
      if (!signal.aborted) say(problem.message);
      submitter.disabled = false;
      submitter.focus();
    }
  }},
  field, el("p", {class: "row"}, el("button", {type: "submit", class: "primary large", value: "one"}, t("setup.start")), invite), rules.details);
  const update = () => {
    const {value} = me;
    const people = players().filter(({strength}) => !strength);
    invite.hidden = people.length < 2;
    fill(me, people.map(({key, name}) => el("option", {value: key, selected: key === value}, name)),
      el("option", {value: "screen", selected: value === "screen"}, t("setup.screen")));
  };
  field.addEventListener("names", update);
  api.addEventListener("making", () => say(t("main.making"), "good"), {signal});
  update();
  fill(root, el("h1", null, game.name), el("p", {class: "lead"}, game.summary), form, rulesOf(game),
    el("p", null, el("a", {class: "button", href: "#/"}, t("main.home"))));
}

const person = (place) => ({name: t("score.player", {number: place})});

/** A computer with a name that nobody has. @param {Player[]} others @returns {Player} */
function computer(others, strength = "medium") {
  const names = Array.from({length: others.length + 1}, (_, at) => (at ? `${t("setup.computer")} ${at + 1}` : t("setup.computer")));
  return {name: names.find((name) => !others.some((each) => each.name === name)), strength};
}

/** The players whom a game takes, and others if they are too few. @param {Player[]} known */
function seated({players: {min, max}, links}, known) {
  const all = known.filter(({strength}) => links.choose || !strength).slice(0, max ?? undefined);
  while (all.length < min) all.push(person(all.length + 1));
  return all;
}

/** Who plays if a game begins at once: the first person against a computer as strong as the last one, or the first two. */
function atOnce(game, play) {
  const known = read(PLAYERS) ?? [];
  const [one = person(1), two = person(2)] = known.filter(({strength}) => !strength);
  return seated(game, [one, play === "computer" && game.links.choose ? computer([one], known.findLast(({strength}) => strength)?.strength) : two]);
}

/** @param {Player[]} players */
function bodyOf({id}, players, options) {
  const computers = players.filter(({strength}) => strength).map(({name, strength}) => [name, strength]);
  return {variant: id, players: players.map(({name}) => name), computers: computers.length ? Object.fromEntries(computers) : undefined, ...options};
}

/**
 * Creates a session, and returns the address of its table on this device: `one` that goes round, or
 * that of the player `me`, by default the first person. Who is alone with computers has a device of
 * their own. Raises `Problem`.
 * @param {any} context of the view
 * @param {any} body of the request
 * @param {Partial<import("./stored.js").Seat>} seat
 */
export async function begin({api, signal}, body, {one, me, series}) {
  const {variant, players, computers = {}} = body;
  const {body: {id, tokens}} = await api.request("POST", "/v1/sessions", {body, key: newKey(), signal});
  const people = players.filter((name) => !Object.hasOwn(computers, name));
  const shared = Boolean(one && (people.length !== 1 || players.length === 1));
  keep(id, {variant, players, one: shared, me: shared ? null : one || me === undefined ? people[0] : me, at: Date.now(), tokens, series});
  return `#/session/${id}`;
}

/** The players as chips that can be edited, and a function that says who they are. @param {Player[]} known */
function lineUp({players: {min, max}, links}, known) {
  let made = 0;
  const list = el("ol", {class: "list players"});
  /** @returns {Player[]} */
  const players = () => [...list.children].map((chip) => ({
    key: chip.dataset.key, name: chip.querySelector("input").value.trim(), strength: chip.querySelector("select")?.value,
  }));
  const chip = ({name, strength}) => el("li", {class: "seat", "data-key": ++made},
    el("span", {class: "face", "aria-hidden": true}),
    el("input", {value: name, maxlength: 64, autocomplete: "off", oninput: update}),
    strength && el("select", null, STRENGTHS.map((each) => el("option", {value: each, selected: each === strength}, t(`strength.${each}`)))),
    el("button", {type: "button", class: "quiet", onclick: ({target}) => {
      target.closest("li").remove();
      update();
      more.firstChild.focus();
    }}, "×"));
  const add = (player) => {
    list.append(chip(player));
    update();
    list.lastChild.querySelector("input").select();
  };
  const more = el("p", {class: "row"},
    el("button", {type: "button", onclick: () => add(person(list.children.length + 1))}, t("score.add_player")),
    links.choose && el("button", {type: "button", onclick: () => add(computer(players()))}, t("setup.add_computer")));
  const field = el("fieldset", null, el("legend", null, t("session.players")), list, more);
  function update() {
    const all = players();
    all.forEach(({name, strength}, at) => {
      const [face, input, select, remove] = ["span", "input", "select", "button"].map((each) => list.children[at].querySelector(each));
      face.textContent = strength ? "" : [...name][0] ?? "";
      input.setAttribute("aria-label", t("setup.player", {place: at + 1}));
      input.setCustomValidity(!name ? t("setup.nameless") : all.findIndex((each) => each.name === name) < at ? t("setup.twice") : "");
      select?.setAttribute("aria-label", t("setup.strength", {name}));
      remove.hidden = all.length <= min;
      remove.setAttribute("aria-label", `${t("setup.remove")}: ${t("score.player", {number: at + 1})}`);
    });
    for (const button of more.children) button.hidden = all.length >= (max ?? Infinity);
    field.dispatchEvent(new Event("names"));
  }
  list.append(...known.map(chip));
  update();
  return {field, players};
}

/** What can be chosen besides the house rules: who rolls, words for the dice, advice, and for whom this device is if others are invited. */
function moreOptions(game, {dice, advice}, me) {
  return [
    choice("dice", "server", t("setup.dice.server"), dice !== "client"),
    choice("dice", "client", t("setup.dice.client"), dice === "client"),
    el("label", {class: "field"}, t("setup.seed"), el("input", {name: "seed", maxlength: 64, autocomplete: "off"}),
      el("small", {class: "muted"}, t("setup.seed.meaning"))),
    game.links.advise && el("label", {class: "check"}, el("input", {type: "checkbox", name: "advice", checked: advice}), t("setup.advice")),
    el("label", {class: "field"}, t("setup.me"), me),
  ];
}

function choice(name, value, text, checked) {
  return el("label", {class: "check"}, el("input", {type: "radio", name, value, checked}), text);
}

/**
 * The house rules of a game. `changed` is called after each change that is valid.
 * @param {any} game the entry of the catalogue
 * @param {() => void} [changed]
 * @param {Record<string, any>} [before] the rules that were chosen before
 * @param {import("./dom.js").Child[]} [more] further options of a new game, which has a clock, too
 */
export function houseRules(game, changed = () => {}, before = {}, more) {
  const fields = game.house_rules.filter(({name}) => more || name !== CLOCK)
    .map((rule) => ruleField(rule, rule.name in before ? before[rule.name] : rule.default));
  const details = el("details", {class: "card", onchange: ({target}) => target.reportValidity() && changed()},
    el("summary", null, t(more ? "setup.options" : "setup.house_rules")), more, el("div", {class: "rules"}, fields.map(({field}) => field)));
  details.addEventListener("invalid", () => { // no browser shows what is wrong in closed details
    details.open = true;
  }, true);
  return {
    details: (more ?? fields).length > 0 && details,
    /** The value of a house rule, or undefined if the game has none of that name. */
    value: (name) => fields.find((field) => field.name === name)?.value(),
    /** The house rules that differ from their defaults, or undefined. */
    get chosen() {
      const all = fields.filter((field) => field.value() !== field.default);
      return all.length ? Object.fromEntries(all.map((field) => [field.name, field.value()])) : undefined;
    },
  };
}

/** The field of a house rule, and its value; a field that is wrong keeps its last value. */
function ruleField({name, type, choices, nullable, minimum, maximum, step, meaning, clause, default: usual}, chosen) {
  const about = el("small", {class: "muted", id: `about-${name}`}, `${meaning} (${clause})`);
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
    input.disabled = Boolean(none && none.checked);
  }
  follow();
  const value = () => {
    if (input.disabled) return null;
    if (input.validity.valid) last = input.valueAsNumber;
    return last;
  };
  return made(value, el("label", {class: "field"}, title(name), input), none && el("label", {class: "check"}, none, t("setup.none")));
}

/** The rules of a game, with the house rules in force, to look up what a reason cites. */
export function rulesOf({rules, boxes, house_rules: all}, inForce) {
  return el("details", {class: "card"}, el("summary", null, t("setup.rules")),
    el("dl", {class: "clauses"}, rules.map(({clause, text}) => [el("dt", null, clause), el("dd", null, text)])),
    boxes && [el("h2", null, t("play.sheet")), el("dl", {class: "clauses"}, boxes.map((box) =>
      [el("dt", null, box.name), el("dd", null, box.points === null ? box.scores : box.needs)]))],
    inForce && all.length > 0 && [el("h2", null, t("setup.house_rules")), el("dl", {class: "clauses"}, all.map(({name, clause}) =>
      [el("dt", null, clause), el("dd", null, title(name), ": ", worded(inForce[name]))]))]);
}

function worded(value) {
  if (typeof value === "boolean") return t(`setup.${value}`);
  if (typeof value === "string") return title(value);
  return value === null ? t("setup.none") : number(value);
}
