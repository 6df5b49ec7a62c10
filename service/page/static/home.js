import {forget, seats} from "./api.js";
import {el, fill, moment, names, read, t, write} from "./dom.js";
import {allFaces, die, minutes, token} from "./draw.js";
import {kept} from "./keeping.js";

const CHOSEN = "dice-table-game";
const MOST_DICE = 6, SOME_DICE = 5;

/** @type {View} */
export async function view(root, _params, context) {
  const {catalogue, signal} = context;
  const games = await catalogue.list(signal);
  const stage = el("div", {class: "stage"});
  const choose = (game, first = false) => {
    root.dataset.game = game.id;
    fill(stage, started(game, context));
    if (!first) stage.scrollIntoView({block: "nearest"});
    throwDice(stage.querySelector(".dice"), game, first, context).catch(() => {}); // they are only for show
  };
  const chosen = games.find(({id}) => id === read(CHOSEN)) ?? games[0];
  fill(root,
    el("div", {class: "felt board"},
      el("h1", {id: "ask"}, t("home.title")),
      unfinished(games),
      stage,
      el("div", {class: "games", role: "radiogroup", "aria-labelledby": "ask"}, games.map((game) => tile(game, game === chosen, context, () => {
        write(CHOSEN, game.id);
        choose(game);
      })))),
    goingOn(games));
  choose(chosen, true);
}

function started({id, name, summary, links}, {go}) {
  return [
    el("div", {class: "dice thrown", "aria-hidden": true}),
    el("h2", {class: "name"}, name),
    el("p", {class: "summary"}, summary),
    el("p", {class: "begin"},
      [...(links.choose ? ["computer"] : []), "one", "own"].map((play, at) => el("button", {
        class: at ? "raised" : "primary large", "aria-label": `${t(`home.${play}`)}: ${name}`, onclick: () => go(`#/new/${id}?play=${play}`),
      }, t(`home.${play}`)))),
    el("p", {class: "row"},
      el("a", {href: `#/new/${id}`, "aria-label": `${t("setup.options")}: ${name}`}, t("setup.options")),
      el("a", {href: `#/score/${id}`, "aria-label": `${t("home.score")}: ${name}`}, t("home.score"))),
  ];
}

async function throwDice(place, {id}, first, {catalogue, signal}) {
  const {dice, dice_set: set, ranks} = await catalogue.shown(id, signal);
  const suits = allFaces(dice, set);
  const count = dice.count > MOST_DICE ? SOME_DICE : dice.count;
  const straight = set ? suits[0] : suits[0].slice(-count);
  fill(place, Array.from({length: count}, (_, at) => die(ranks ? suits[at % suits.length].at(-1) : straight[at], {dice})));
  const {roll} = await import("./feel.js");
  if (!first && place.isConnected && !signal.aborted) roll([...place.children]);
}

function tile({id, name}, checked, {catalogue, signal}, onchange) {
  const facts = el("small", {class: "facts"});
  catalogue.shown(id, signal).then(({players: {min, max}}) => {
    const who = t(max ? "home.from_to" : "home.from", {min, max});
    fill(facts, minutes(id) ? t("home.facts", {who, minutes: minutes(id)}) : who);
  }, () => {});
  return el("label", {class: "game", "data-game": id},
    el("input", {type: "radio", name: "game", checked, onchange}),
    token(id),
    el("span", null, el("strong", null, name), el("span", {class: "about"}, t(`home.about.${id}`, {}, "")), facts));
}

function unfinished(games) {
  const [newest] = seats().filter(([, {over}]) => !over);
  const going = (href, ...children) => el("a", {class: "button raised going", href}, ...children);
  return el("p", {class: "row going-on"},
    newest && going(`#/session/${newest[0]}`, t("home.continue_game"), ": ", named(games, newest[1])),
    games.filter(({id}) => kept(id)?.turns?.length).map(({id, name}) => going(`#/score/${id}`, t("home.continue"), ": ", name)));
}

const named = (games, {variant}) => games.find(({id}) => id === variant)?.name ?? variant;

function goingOn(games) {
  const mine = seats();
  if (!mine.length) return null;
  return el("section", null, el("h2", null, t("home.going_on")), el("ul", {class: "list"}, mine.map(([id, seat]) => {
    const {won = []} = seat;
    const item = el("li", {class: "row"},
      token(seat.variant),
      el("a", {href: `#/session/${id}`}, named(games, seat)),
      el("span", {class: "muted"}, names(seat.players), " · ", moment(seat.at)),
      won.length > 0 && el("strong", null, seat.players.length > 1 ? t("score.wins", {count: won.length, names: names(won)}) : `${t("session.over")} ${t("plays.points", {count: seat.points})}`),
      el("button", {class: "quiet", "aria-label": `${t("setup.remove")}: ${names(seat.players)}`, onclick: () => {
        if (!confirm(t("home.forget"))) return;
        forget(id);
        const next = item.nextSibling ?? item.previousSibling;
        (next?.querySelector("button") ?? item.closest("main")).focus();
        (next ? item : item.closest("section")).remove();
      }}, t("setup.remove")));
    return item;
  })));
}
