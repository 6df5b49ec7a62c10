/** Verifies the dice of a finished game, in this browser alone. */

import {Problem} from "./api.js";
import {diceRow} from "./draw/pots.js";
import {el, fill} from "./dom.js";
import {drawnAgain} from "./fair.js";
import {seatIn} from "./seats.js";
import {part} from "./session.js";
import {t, words} from "./texts.js";

/** @param {Element} root @param {string[]} params the id of a session of this device, if any */
export async function view(root, [id], context) {
  const result = el("section", {class: "result", "aria-live": "polite", "aria-label": t("score.result")});
  const text = el("textarea", {id: "history", rows: 6, spellcheck: "false"});
  const file = el("input", {type: "file", accept: ".json,application/json", "aria-label": t("verify.file"), onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    text.value = await chosen.text();
    verify();
  }});

  async function verify(own) {
    fill(result, el("p", {class: "muted"}, t("verify.working")));
    fill(result, await shown(text.value, context, own));
  }

  fill(root,
    el("h1", null, t("verify.title")),
    el("p", {class: "lead"}, t("verify.lead")),
    result,
    el("details", {open: !id}, el("summary", null, t("verify.other")),
      el("form", {class: "card", onsubmit: (event) => {
        event.preventDefault();
        verify();
      }},
      el("p", null, el("label", {for: "history"}, t("verify.paste"))), text,
      el("p", {class: "row"}, el("button", {class: "primary"}, t("verify.verify")), file))),
    el("p", {class: "row"}, id ? el("a", {class: "button", href: `#/session/${id}`}, t("review.back"))
      : el("a", {class: "button", href: "#/"}, t("main.home"))));
  if (id) {
    text.value = JSON.stringify(await part(id, "events", context));
    await verify(id);
  }
}

/** The result for a history as text, of the session `id` if that is known. */
async function shown(text, {catalogue}, id) {
  const no = (key, values) => el("p", {class: "verdict"}, el("strong", null, t("verify.unknown")), t(key, values));
  if (!globalThis.crypto?.subtle) return no("verify.insecure");
  try {
    const history = JSON.parse(text);
    if (history.dice === "client") return no("verify.typed");
    if (history.fairness.seed === null) return no("verify.running");
    const game = await catalogue.entry(history.variant);
    const {committed, rolls, wrong, missing} = await drawnAgain(history, game, seatIn(id ?? history.id));
    const values = {rolls: rolls.length, dice: rolls.reduce((sum, {dice}) => sum + dice.length, 0)};
    const hidden = rolls.filter(({written}) => written === null).length;
    const bad = !committed || wrong || missing;
    return [
      el("div", {class: `verdict ${bad ? "false" : "true"}`},
        el("strong", null, t(bad ? "verify.false" : "verify.true")),
        el("p", null, !committed ? t("verify.no_commitment") : wrong ? t("verify.wrong", {version: wrong.version})
          : missing ? t("verify.missing", {version: missing}) : t("verify.matches", values)),
        !bad && hidden > 0 && el("p", null, t("verify.hidden", {count: hidden})),
        wrong && [compared(wrong.written ?? [], "verify.written", game), compared(wrong.dice, "verify.seed", game)]),
      el("dl", {class: "proof"}, [
        ["verify.seed", history.fairness.seed],
        ["verify.client_seed", history.fairness.client_seed || t("verify.none")],
        ["verify.commitment", history.fairness.commitment],
      ].map(([key, value]) => [el("dt", null, t(key)), el("dd", null, el("code", null, value))])),
      el("details", null, el("summary", null, t("verify.rolls", values)), list(rolls, wrong, game)),
    ];
  } catch (error) { // whatever a text has in the place of something else
    return error instanceof Problem && error.status !== 404 ? el("p", {class: "bad"}, error.message) : no("verify.no_history");
  }
}

function compared(dice, key, game) {
  return el("div", {class: "row"}, el("span", {class: "label"}, t(key)), diceRow(dice, {dice: game.dice, label: t(key)}));
}

/** The first rolls; a long game has thousands. */
function list(rolls, wrong, game) {
  return el("ol", {class: "rolls"}, rolls.slice(0, 300).map((roll) => el("li", {class: roll === wrong && "bad"},
    el("span", null, roll.player, " · ", t(`action.${roll.action}`, {}, words(roll.action))),
    diceRow(roll.dice, {dice: game.dice, label: roll.player}))));
}
