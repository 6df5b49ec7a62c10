/** A new game: its players, devices, dice and house rules, as the catalogue describes them. */

import {newKey} from "./api.js";
import {el, fill} from "./dom.js";
import {keep} from "./seats.js";
import {words} from "./texts.js";

const REMEMBERED = "dice-table-names";

/** @param {Element} root @param {string[]} params the id of the game */
export async function view(root, [variant], {api, catalogue, go, say, signal, t}) {
  const game = await catalogue.entry(variant);
  const players = playersField(game, t);
  const rules = game.house_rules.map((rule) => ruleField(rule, t));
  const start = el("button", {type: "submit", class: "primary"}, t("setup.start"));
  const form = el("form", {class: "setup", onsubmit: async (event) => {
    event.preventDefault();
    const names = players.names();
    const chosen = new FormData(form);
    const body = {variant, players: names, dice: chosen.get("dice"), advice: chosen.has("advice")};
    const changed = rules.filter((rule) => rule.value() !== rule.default);
    if (changed.length) body.house_rules = Object.fromEntries(changed.map((rule) => [rule.name, rule.value()]));
    if (chosen.get("seed")) body.seed = chosen.get("seed");
    start.disabled = true;
    try {
      const {body: made} = await api.request("POST", "/v1/sessions", {body, key: newKey(), signal});
      const one = chosen.get("devices") === "one";
      const me = one ? null : names[Number(chosen.get("me"))] ?? null;
      remember(names);
      keep(made.id, {variant, players: names, one, me, at: Date.now(), tokens: made.tokens});
      go(`#/session/${made.id}`);
    } catch (problem) {
      if (!signal.aborted) say(problem.message);
      start.disabled = false;
    }
  }},
  players.field, devicesField(players, t), diceField(game, t),
  rules.length > 0 && el("details", {class: "card"},
    el("summary", null, t("setup.house_rules")),
    el("div", {class: "rules"}, rules.map((rule) => rule.field))),
  el("p", {class: "row"}, start, el("a", {class: "button", href: "#/"}, t("main.home"))));
  fill(root, el("h1", null, game.name), el("p", {class: "lead", lang: "en"}, game.summary), form, rulesOf(game, t));
}

function playersField({players: {min, max}}, t) {
  const most = max ?? Infinity;
  const known = remembered();
  const list = el("ol", {class: "list players"});
  const field = el("fieldset", {class: "card"});
  const add = el("button", {type: "button", onclick: () => {
    list.append(line(""));
    update();
    list.lastChild.querySelector("input").focus();
  }}, t("setup.add_player"));
  const line = (name) => el("li", {class: "row"},
    el("input", {value: name, required: true, maxlength: 64, autocomplete: "off", oninput: () => update()}),
    el("button", {type: "button", class: "quiet", onclick: (event) => {
      event.target.closest("li").remove();
      update();
      add.focus();
    }}, t("setup.remove")));
  const names = () => [...list.querySelectorAll("input")].map((input) => input.value.trim());
  const update = () => {
    const all = names();
    list.querySelectorAll("input").forEach((input, at) => {
      input.setAttribute("aria-label", t("setup.player", {place: at + 1}));
      input.setCustomValidity(all.indexOf(all[at]) < at ? t("setup.twice") : "");
    });
    list.querySelectorAll("button").forEach((button, at) => {
      button.hidden = all.length <= min;
      button.setAttribute("aria-label", t("setup.remove_player", {place: at + 1}));
    });
    add.hidden = all.length >= most;
    field.dispatchEvent(new Event("names"));
  };
  const count = Math.min(Math.max(known.length || 2, min), most);
  for (let at = 0; at < count; at++) list.append(line(known[at] ?? t("score.player", {number: at + 1})));
  fill(field, el("legend", null, t("session.players")), list, add);
  update();
  return {field, names};
}

function devicesField({field: players, names}, t) {
  const me = el("select", {name: "me"});
  const choose = el("label", {class: "row", hidden: true}, t("setup.me"), me);
  const update = () => {
    const chosen = me.value;
    fill(me, names().map((name, at) => el("option", {value: at}, name)), el("option", {value: -1}, t("setup.screen")));
    if (chosen) me.value = chosen;
  };
  players.addEventListener("names", update);
  update();
  const toggle = (event) => {
    choose.hidden = event.target.value === "one";
  };
  return el("fieldset", {class: "card", onchange: (event) => event.target.name === "devices" && toggle(event)},
    el("legend", null, t("setup.devices")),
    choice("devices", "one", t("setup.devices.one"), true),
    choice("devices", "own", t("setup.devices.own")), choose);
}

function diceField(game, t) {
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

/** The field of a house rule, and its value. */
function ruleField(rule, t) {
  const {name, type, choices, nullable, minimum, maximum, step, meaning, clause} = rule;
  const title = t(`rule.${name}`, {}, words(name));
  const about = el("small", {class: "muted", lang: "en", id: `about-${name}`}, `${meaning} (${clause})`);
  const described = {"aria-describedby": about.id};
  if (type === "boolean") {
    const box = el("input", {type: "checkbox", checked: rule.default, ...described});
    return {name, default: rule.default, value: () => box.checked, field: el("div", {class: "rule"}, el("label", {class: "check"}, box, title), about)};
  }
  if (choices.length) {
    const select = el("select", described, choices.map((each) => el("option", {value: each, selected: each === rule.default}, words(each))));
    return {name, default: rule.default, value: () => select.value, field: el("div", {class: "rule"}, el("label", {class: "field"}, title, select), about)};
  }
  const input = el("input", {type: "number", min: minimum, max: maximum, step, required: true, value: rule.default ?? minimum, ...described});
  const none = nullable && el("input", {type: "checkbox", checked: rule.default === null, onchange: () => follow()});
  const follow = () => {
    input.disabled = Boolean(none && none.checked);
  };
  follow();
  return {
    name, default: rule.default,
    value: () => (input.disabled ? null : input.valueAsNumber),
    field: el("div", {class: "rule"}, el("label", {class: "field"}, title, input),
      none && el("label", {class: "check"}, none, t("setup.none")), about),
  };
}

function rulesOf({rules}, t) {
  return el("details", {class: "card"}, el("summary", null, t("setup.rules")),
    el("dl", {class: "clauses", lang: "en"}, rules.map(({clause, text}) => [el("dt", null, clause), el("dd", null, text)])));
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
  } catch {
    return [];
  }
}

function remember(names) {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(names));
  } catch {
    // without storage they are typed again
  }
}
