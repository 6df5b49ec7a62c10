/** A new game: its players, devices, dice and house rules, as the catalogue describes them. */

import {newKey} from "./api.js";
import {el, fill} from "./dom.js";
import {houseRules, rulesOf} from "./rules.js";
import {keep, read, write} from "./stored.js";
import {t} from "./texts.js";

const REMEMBERED = "dice-table-names";

/** @param {Element} root @param {string[]} params the id of the game */
export async function view(root, [variant], {api, catalogue, go, say, signal}) {
  const game = await catalogue.entry(variant);
  const players = playersField(game);
  const rules = houseRules(game);
  const start = el("button", {type: "submit", class: "primary"}, t("setup.start"));
  const form = el("form", {class: "setup", onsubmit: async (event) => {
    event.preventDefault();
    const lines = players.lines();
    const names = lines.map(({name}) => name);
    const chosen = new FormData(form);
    const body = {variant, players: names, house_rules: rules.chosen, dice: chosen.get("dice"), advice: chosen.has("advice")};
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
  fill(root, el("h1", null, game.name), el("p", {class: "lead", lang: "en"}, game.summary), form, rulesOf(game));
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

/** Who plays where. A clock would run while others still open their invitations: with devices of their own there is none, unless somebody sets it. */
function devicesField({field: players, lines}, clock) {
  let touched = false;
  clock?.field.addEventListener("change", () => {
    touched = true;
  });
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
    if (!touched) clock?.free(value !== "one");
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
