/** Scores what lies on a real table: dice are entered, and the service says what they are worth. */

import {unloaded} from "./api.js";
import {el, fill} from "./dom.js";

/** @param {Element} root @param {string[]} params the id of the game */
export async function view(root, [variant], context) {
  const {catalogue, t} = context;
  const game = await catalogue.entry(variant);
  const {entry} = await import(`./score/${game.kind}.js`).catch(unloaded);
  const result = el("section", {class: "result", "aria-live": "polite", "aria-label": t("score.result")});
  const parts = entry(game, asking(game, result, context));
  fill(root,
    el("h1", null, t("score.title", {game: game.name})),
    el("p", {class: "lead"}, t(`score.lead.${game.kind}`)),
    el("div", {class: "beside"}, parts.aside ? el("div", null, parts.entry, result) : [parts.entry, result], parts.aside));
}

/**
 * @typedef {{ask: (operation: string, body: object) => Promise<any>,
 *   show: (work: () => Promise<any>) => Promise<void>}} Asking `ask` sends an operation of the game;
 *   `show` puts what `work` returns into the result, unless a later call was faster.
 */

/** @returns {Asking} */
function asking(game, result, {api, signal}) {
  let last = 0;
  return {
    async ask(operation, body) {
      return (await api.request("POST", game.links[operation], {body, signal})).body;
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
