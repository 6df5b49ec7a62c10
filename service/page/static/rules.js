/** The rules of a game and its house rules, as the catalogue has them: to choose, and to read. */

import {el} from "./dom.js";
import {named, number, t, words} from "./texts.js";

/**
 * The house rules of a game. `changed` is called after each change that is valid.
 * @param {any} game the entry of the catalogue
 * @param {() => void} [changed]
 * @param {Record<string, any>} [before] the rules that were chosen before
 */
export function houseRules(game, changed = () => {}, before = {}) {
  const fields = game.house_rules.map((rule) => ruleField(rule, rule.name in before ? before[rule.name] : rule.default));
  const clock = fields.find(({name}) => name === game.clock);
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

function title(name) {
  return t(`rule.${name}`, {}, words(name));
}

/** The field of a house rule, and its value; a field that is wrong keeps its last value. */
function ruleField({name, type, choices, nullable, minimum, maximum, step, meaning, clause, default: usual}, chosen) {
  const about = el("small", {class: "muted", lang: "en", id: `about-${name}`}, `${meaning} (${clause})`);
  const described = {"aria-describedby": about.id};
  const made = (value, ...children) => ({name, default: usual, value, field: el("div", {class: "rule"}, children, about)});
  if (type === "boolean") {
    const box = el("input", {type: "checkbox", checked: chosen, ...described});
    return made(() => box.checked, el("label", {class: "check"}, box, title(name)));
  }
  if (choices.length) {
    const select = el("select", {lang: "en", ...described}, choices.map((each) => el("option", {value: each, selected: each === chosen}, words(each))));
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
    el("dl", {class: "clauses", lang: "en"}, rules.map(({clause, text}) => [el("dt", null, clause), el("dd", null, text)])),
    boxes && [el("h2", null, t("play.sheet")), el("dl", {class: "clauses"}, boxes.map((box) =>
      [el("dt", null, named(box)), el("dd", {lang: "en"}, box.points === null ? box.scores : box.needs)]))],
    inForce && all.length > 0 && [el("h2", null, t("setup.house_rules")), el("dl", {class: "clauses"}, all.map(({name, clause}) =>
      [el("dt", null, clause), el("dd", null, title(name), ": ", worded(inForce[name]))]))]);
}

function worded(value) {
  if (typeof value === "boolean") return t(`setup.${value}`);
  if (typeof value === "string") return el("span", {lang: "en"}, words(value));
  return value === null ? t("setup.none") : number(value);
}
