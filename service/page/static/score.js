/** Scores what lies on a real table: dice are entered, and the service says what they are worth. */

import {NO_ANSWER, unloaded} from "./api.js";
import {el, fill} from "./dom.js";
import {diceRow} from "./draw.js";
import {answer, learn} from "./offline.js";
import {houseRules, rulesOf} from "./setup.js";
import {read, TAB, write} from "./stored.js";
import {names, t} from "./texts.js";

/** @param {Element} root @param {string[]} params the id of the game */
export async function view(root, [variant], context) {
  const game = await context.catalogue.entry(variant);
  const {entry} = await import(`./kinds/${game.kind}.js`).catch(unloaded);
  const result = el("section", {class: "result", "aria-live": "polite", "aria-label": t("score.result")});
  const key = `dice-table-rules-${variant}`;
  const rules = houseRules(game, () => {
    write(key, rules.chosen ?? {}, TAB);
    keepRolls();
    parts.changed();
  }, read(key, TAB) ?? {});
  const keepRolls = () => game.boxes && learn(game, rules.chosen, context.api).catch(() => {}); // a sheet can do without
  const parts = entry(game, asking(game, rules, result, context));
  fill(root,
    el("h1", null, t("score.title", {game: game.name})),
    el("p", {class: "lead"}, t(`score.lead.${game.kind}`)),
    rules.details, rulesOf(game),
    el("div", {class: "beside"}, parts.aside ? el("div", null, parts.entry, result) : [parts.entry, result], parts.aside));
  parts.changed();
  keepRolls();
}

/**
 * What a kind of game enters: its element, what lies beside it, and what is called once a house
 * rule has changed.
 * @typedef {{entry: Element, aside?: Element, changed: () => void}} Parts
 */

/**
 * @typedef {{ask: (operation: string, body: object) => Promise<any>,
 *   rules: any, show: (work: () => Promise<any>) => Promise<void>}} Asking `ask` sends an operation of the game;
 *   `rules` are its house rules;
 *   `show` puts what `work` returns into the result, unless a later call was faster.
 */

/** @returns {Asking} */
function asking(game, rules, result, {api, calm, say, signal}) {
  let last = 0;
  /** Sheets go on without the service. */
  const alone = Boolean(game.boxes);
  return {
    rules,
    async ask(operation, body) {
      const ids = (body.players ?? []).map(({id}) => id);
      if (new Set(ids).size < ids.length) throw new Error(t("setup.twice"));
      try {
        const sent = {...body, house_rules: rules.chosen};
        const answered = await api.request("POST", game.links[operation], {body: sent, signal, once: alone});
        if (alone) calm();
        return answered.body;
      } catch (problem) {
        if (!alone || problem.code !== NO_ANSWER) throw problem;
        say(t("score.alone"), "good");
        return answer(game, rules, operation, body);
      }
    },
    async show(work) {
      const mine = ++last;
      let shown;
      try {
        shown = await work();
      } catch (error) {
        shown = el("p", {class: "bad"}, error.message);
      }
      if (mine === last && !signal.aborted) fill(result, shown);
    },
  };
}

/**
 * A list of players that can be edited.
 * @param {{min: number, max: number | null}} bounds how many the game takes
 * @param {{start: number, names?: string[], changed: () => void, renamed?: () => void}} options
 *   `names` are those of a list before; `changed` is called after every edit, or for that of a name
 *   `renamed`. Somebody may click a button in the list just then: each player keeps theirs.
 */
export function players(bounds, {start, names = [], changed, renamed = changed}) {
  const most = bounds.max ?? Infinity;
  let made = 0;
  let all = Array.from({length: Math.max(start, bounds.min, names.length)}, (_, at) => player(names[at]));

  function player(name) {
    const place = ++made;
    const label = t("score.player", {number: place});
    const input = el("input", {value: name ?? label, maxlength: 64, "aria-label": t("setup.player", {place}), onchange: () => {
      show();
      renamed();
    }});
    const remove = el("button", {type: "button", class: "quiet", onclick: () => {
      all = all.filter((each) => each.input !== input);
      edited();
      add.focus();
    }}, "×");
    return {key: `player ${place}`, input, remove, get name() { return input.value.trim() || label; }};
  }

  const add = el("button", {type: "button", onclick: () => {
    all.push(player());
    edited();
  }}, t("score.add_player"));

  /** Nobody can be added or removed if more or fewer can't play. */
  function show() {
    add.disabled = all.length >= most;
    for (const {remove, name} of all) {
      remove.hidden = all.length <= Math.max(bounds.min, 1);
      remove.ariaLabel = `${t("setup.remove")}: ${name}`;
    }
  }

  function edited() {
    show();
    changed();
  }

  show();
  return {add, get list() { return all; }};
}

/**
 * The players in order, each with the hand and what separates it from the next.
 * @param {any} answer of the operation `rank`
 * @param {any} game the entry of the catalogue
 */
export function places({places, winners}, game) {
  const ranks = new Map(game.ranks?.map((rank) => [rank.id, rank.name]));
  return [
    (places.length > 1 || winners.length > 1) && el("h2", null, t("score.wins", {names: names(winners), count: winners.length})),
    el("ol", {class: "ranking"}, places.map(({place, players: tied, rank, reason, best, hands}) => el("li", null,
      el("span", {class: "place", "aria-hidden": true}, place),
      el("div", null,
        el("p", null, el("strong", null, names(tied)), rank && ` · ${ranks.get(rank)}`),
        (hands ?? (best ? [{id: names(tied), best}] : [])).map((hand) =>
          diceRow(hand.best, {dice: game.dice, label: t("score.hand_of", {name: hand.id})})),
        el("p", {class: "muted"}, reason))))),
  ];
}
