/** A new game: its players, devices, dice and house rules, as the catalogue describes them; and the rules of a game, to choose and to read. */

import {newKey} from "./api.js";
import {el, fill} from "./dom.js";
import {keep, read, write} from "./stored.js";
import {number, t, title} from "./texts.js";

/** The house rule for the seconds of the clock, in every game. */
const CLOCK = "turn_seconds";
const REMEMBERED = "dice-table-names";

/** @param {Element} root @param {string[]} params the id of the game */
export async function view(root, [variant], {api, catalogue, go, say, signal}) {
  const game = await catalogue.entry(variant);
  const players = playersField(game);
  const rules = houseRules(game);
  const start = el("button", {type: "submit", class: "primary"}, t("setup.start"));
  const form = el("form", {class: "setup", onchange: clockOf(rules.clock), onsubmit: async (event) => {
    event.preventDefault();
    const lines = players.lines();
    const names = lines.map(({name}) => name);
    const chosen = new FormData(form);
    const body = {variant, players: names, house_rules: {...rules.chosen, ...rules.clock?.chosen}, dice: chosen.get("dice"), advice: chosen.has("advice")};
    if (chosen.get("seed")) body.seed = chosen.get("seed");
    start.disabled = true;
    try {
      const {body: made} = await api.request("POST", "/v1/sessions", {body, key: newKey(), signal});
      const one = chosen.get("devices") === "one";
      const me = one ? null : lines.find(({key}) => key === chosen.get("me"))?.name ?? null;
      write(REMEMBERED, names);
      keep(made.id, {variant, players: names, one, me, at: Date.now(), tokens: made.tokens});
      go(`#/session/${made.id}`);
    } catch (problem) {
      if (!signal.aborted) say(problem.message);
      start.disabled = false;
      start.focus();
    }
  }},
  players.field, devicesField(players, rules.clock), diceField(game), rules.details,
  el("p", {class: "row"}, start, el("a", {class: "button", href: "#/"}, t("main.home"))));
  fill(root, el("h1", null, game.name), el("p", {class: "lead"}, game.summary), form, rulesOf(game));
}

function playersField({players: {min, max}}) {
  const most = max ?? Infinity;
  const known = read(REMEMBERED) ?? [];
  const list = el("ol", {class: "list players"});
  const field = el("fieldset", {class: "card"});
  const add = el("button", {type: "button", onclick: () => {
    list.append(line(""));
    update();
    list.lastChild.querySelector("input").focus();
  }}, t("setup.add_player"));
  let made = 0;
  const line = (name) => el("li", {class: "row", "data-key": ++made},
    el("input", {value: name, maxlength: 64, autocomplete: "off", oninput: () => update()}),
    el("button", {type: "button", class: "quiet", onclick: (event) => {
      event.target.closest("li").remove();
      update();
      add.focus();
    }}, t("setup.remove")));
  const lines = () => [...list.children].map((each) => ({key: each.dataset.key, name: each.querySelector("input").value.trim()}));
  const update = () => {
    const all = lines().map(({name}) => name);
    list.querySelectorAll("input").forEach((input, at) => {
      input.setAttribute("aria-label", t("setup.player", {place: at + 1}));
      input.setCustomValidity(!all[at] ? t("setup.nameless") : all.indexOf(all[at]) < at ? t("setup.twice") : "");
    });
    list.querySelectorAll("button").forEach((button, at) => {
      button.hidden = all.length <= min;
      button.setAttribute("aria-label", `${t("setup.remove")}: ${t("score.player", {number: at + 1})}`);
    });
    add.hidden = all.length >= most;
    field.dispatchEvent(new Event("names"));
  };
  const count = Math.min(Math.max(known.length || 2, min), most);
  for (let at = 0; at < count; at++) list.append(line(known[at] ?? t("score.player", {number: at + 1})));
  fill(field, el("legend", null, t("session.players")), list, add);
  update();
  return {field, lines};
}

/** A clock would run while others still open their invitations, and some games have none where dice are typed in: unless somebody sets it. */
function clockOf(clock) {
  let touched = false;
  return ({target, currentTarget}) => {
    if (!clock) return;
    touched ||= clock.field.contains(target);
    const chosen = new FormData(currentTarget);
    if (!touched) clock.free(chosen.get("devices") !== "one" || (chosen.get("dice") === "client" && clock.typed === null));
  };
}

/** Who plays where. */
function devicesField({field: players, lines}, clock) {
  const me = el("select", {name: "me", required: true, disabled: true});
  const choose = el("label", {class: "row", hidden: true}, t("setup.me"), me);
  const update = () => {
    const chosen = me.length ? me.value : "1";
    fill(me, lines().map(({key, name}) => el("option", {value: key}, name)), el("option", {value: "screen"}, t("setup.screen")));
    me.value = chosen; // none, if that player was removed
  };
  players.addEventListener("names", update);
  update();
  const toggle = ({target: {name, value}}) => {
    if (name !== "devices") return;
    choose.hidden = me.disabled = value === "one";
  };
  return el("fieldset", {class: "card", onchange: toggle},
    el("legend", null, t("setup.devices")),
    choice("devices", "one", t("setup.devices.one"), true),
    choice("devices", "own", t("setup.devices.own")), choose, clock?.field);
}

function diceField(game) {
  const advises = Boolean(game.links.advise);
  return el("fieldset", {class: "card"},
    el("legend", null, t("setup.dice")),
    choice("dice", "server", t("setup.dice.server"), true),
    choice("dice", "client", t("setup.dice.client")),
    el("label", {class: "field"}, t("setup.seed"), el("input", {name: "seed", maxlength: 64, autocomplete: "off"}),
      el("small", {class: "muted"}, t("setup.seed.meaning"))),
    advises && el("label", {class: "check"}, el("input", {type: "checkbox", name: "advice"}), t("setup.advice")));
}

function choice(name, value, text, checked = false) {
  return el("label", {class: "check"}, el("input", {type: "radio", name, value, checked}), text);
}

/**
 * The house rules of a game. `changed` is called after each change that is valid.
 * @param {any} game the entry of the catalogue
 * @param {() => void} [changed]
 * @param {Record<string, any>} [before] the rules that were chosen before
 */
export function houseRules(game, changed = () => {}, before = {}) {
  const fields = game.house_rules.map((rule) => ruleField(rule, rule.name in before ? before[rule.name] : rule.default));
  const clock = fields.find(({name}) => name === CLOCK);
  const others = fields.filter((field) => field !== clock).map(({field}) => field);
  const details = el("details", {class: "card", onchange: ({target}) => target.reportValidity() && changed()},
    el("summary", null, t("setup.house_rules")), el("div", {class: "rules"}, others));
  details.addEventListener("invalid", () => { // no browser shows what is wrong in closed details
    details.open = true;
  }, true);
  return {
    /** The field of the house rule that is the clock, which stands apart, or undefined. */
    clock,
    details: others.length > 0 && details,
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
function ruleField({name, type, choices, nullable, minimum, maximum, step, meaning, clause, default: usual, typed_default: typed}, chosen) {
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
  let last = chosen ?? minimum;
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
  return {
    ...made(value, el("label", {class: "field"}, title(name), input), none && el("label", {class: "check"}, none, t("setup.none"))),
    /** The default where dice are typed in. */
    typed,
    /** The rule as a session is asked for it: what is seen, whatever the default is. */
    get chosen() {
      return {[name]: value()};
    },
    /** Chooses no limit, or the default again. */
    free(free) {
      if (!none) return;
      none.checked = free || usual === null;
      follow();
    },
  };
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
