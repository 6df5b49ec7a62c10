/** Score cards. At the table: the dice of the turn, and the sheet with what each box would get. Scored: the cards of a game on paper. */

import {arrange, el, fill} from "../dom.js";
import {DiceEntry, halves, inSight, sheet, standings} from "../draw.js";
import {players} from "../score.js";
import {read, TAB, write as store} from "../stored.js";
import {names, number, t, title} from "../texts.js";
import {after as rolledNow, turnDice, typed} from "../turn.js";

export {rolled} from "../turn.js";

/** The state after a move, with the card of who wrote: that of the newest state, as the next turn is another player's. */
export function after(state, event, game, {cards}) {
  const wrote = event.news.find(({box}) => box);
  return wrote ? {...state, cards: {...state.cards, [wrote.player]: cards[wrote.player]}} : rolledNow(state, event, game);
}

export function felt(table) {
  const {state, entry} = table;
  const {turn} = state;
  if (state.over) return standings(state.places);
  if (!turn) return el("p", null, t("play.who_begins"));
  return [
    el("p", {class: "row between turn-line"}, el("strong", null, turn.player),
      el("span", null, t("play.round", {round: turn.round, rounds: entry.boxes.length})),
      el("span", null, t("play.rolls_left", {count: turn.rolls_left}))),
    (turn.dice || !typed(table)) && turnDice(table, turn.dice),
  ];
}

/** What can be done with the sheet now: the actions, and whether boxes are crossed out. Some rules allow no crossing out for all dice. */
function writing({actions, draft}) {
  const [score, cross] = ["score", "cross_out"].map((each) => actions.find(({action}) => action === each));
  return {score, cross, crossing: Boolean(cross && draft.crossing)};
}

/** The points of an open box and the action that writes them, or null. Zeros are offered only to who crosses a box out. */
function offer(table, box) {
  const {score, cross, crossing} = writing(table);
  const worth = crossing ? 0 : table.state.turn?.scores?.[box];
  const action = crossing ? cross : score;
  return action?.box.enum.includes(box) && (worth || crossing) ? {worth, action} : null;
}

/** The button that writes the box that is chosen on the sheet. */
export function commit(table) {
  const {box} = table.draft;
  const {score, cross} = writing(table);
  if (!(score ?? cross)) return null;
  const chosen = box && offer(table, box);
  return el("button", {
    type: "button", class: chosen ? "primary commit" : "commit", disabled: !chosen, "data-key": "commit", "data-action": chosen && chosen.action.action,
    onclick: () => table.act(chosen.action, {box}),
  }, chosen ? t(chosen.worth ? "play.write" : "play.cross", {score: chosen.worth}) : t("play.write_none"));
}

const named = ({entry}, box) => entry.boxes.find(({id}) => id === box).name;

/** Chooses a box, and says what it gives; once it is chosen, writes it. */
async function choose(table, box, {worth, action}) {
  const {draft, state} = table;
  if (draft.box === box) return table.act(action, {box});
  const values = {box: named(table, box), count: worth};
  draft.box = box;
  draft.preview = t("play.preview", values);
  table.draw();
  const {scores, [counterOf(table)]: repeats} = state.cards[state.turn.player];
  const again = state.turn[`${counterOf(table)}_points`] > 0 ? 1 : 0;
  const card = {...scores, [box]: worth, ...(repeats !== undefined && {[counterOf(table)]: repeats + again})};
  const {total} = await table.ask("score", {card});
  if (table.draft !== draft || draft.box !== box) return;
  draft.preview = t("play.preview_total", {...values, total});
  table.draw();
}

const counterOf = ({entry}) => entry.repeats?.card_field ?? "";

export function side(table) {
  const {state, entry, draft} = table;
  const order = state.order ?? Object.keys(state.cards);
  const {turn} = state;
  const {cross, crossing} = writing(table);
  const cell = (name, box) => {
    const offered = name === turn?.player && offer(table, box.id);
    if (!offered) return null;
    return el("button", {
      type: "button", class: "write", "data-key": `box ${box.id}`, "data-action": offered.action.action, "aria-pressed": draft.box === box.id,
      "aria-label": t(offered.worth ? "plays.score" : "plays.cross_out", {score: offered.worth, box: box.name}),
      onclick: () => choose(table, box.id, offered).catch(() => {}), // the points are there without the new total
    }, offered.worth);
  };
  const cards = order.map((name) => ({name, card: state.cards[name], current: !state.over && name === turn?.player}));
  const crossOut = cross && el("button", {type: "button", class: "quiet crossing", "aria-pressed": crossing, "data-key": "crossing", onclick: () => {
    table.draft = {...draft, crossing: !crossing, box: null, preview: null};
    table.draw();
  }}, t("play.crossing"));
  if (table.narrow) return oneCard(table, cards, cell, crossOut);
  return [
    el("div", {class: "pad", tabindex: "0", role: "group", "aria-label": t("play.sheet"), "data-key": "pad"},
      sheet(cards, {game: entry, caption: t("play.sheet"), cell: (column, box) => cell(order[column], box)})),
    el("p", {class: "row crossing-row"}, crossOut),
  ];
}

/** The card of one player in two columns, and the totals of all, which show another card. */
function oneCard(table, cards, cell, crossOut) {
  const {state, entry, draft} = table;
  const wrote = state.news.findLast(({what}) => what === "written" || what === "crossed_out");
  // What was written stays in sight until the next one rolls.
  const newest = state.turn?.dice || !wrote ? state.turn?.player : wrote.player;
  const shown = cards.find(({name}) => name === (draft.seen ?? newest)) ?? cards[0];
  return [
    el("div", {class: "totals", role: "group", "aria-label": t("play.totals")}, cards.map(({name, card}) => el("button", {
      type: "button", class: "quiet", "aria-pressed": name === shown.name, "data-key": `card ${name}`, onclick: () => {
        draft.seen = name;
        table.draw();
      },
    }, el("span", null, name), el("strong", null, card.total)))),
    el("div", {class: "pad two", role: "group", "aria-label": t("play.sheet_of", {name: shown.name}), "data-key": "pad"}, halves(shown, {game: entry, cell})),
    el("p", {class: "row crossing-row"}, crossOut),
  ];
}

/** Which box has the most points now. It is no advice: the best play is often another one. */
function most({box, score}, {boxes}) {
  return t("score.most", {box: boxes.find(({id}) => id === box).name, score});
}

const DICE = "dice";
/** The sheet is kept in the tab, over a reload or another language. */
const STORED = "dice-table-sheet-";

/** @param {any} game @param {import("../score.js").Asking} asking */
export function entry(game, {ask, show, rules}) {
  const dice = new DiceEntry(game);
  const pad = el("div", {class: "pad"});
  const list = el("div", {class: "row"});
  const aside = el("div", null, pad, list);
  const kept = read(STORED + game.id, TAB) ?? [];
  const seated = players(game.players, {start: 1, names: kept.map(({name}) => name), changed, renamed});
  /** What is written on each card; the sums that belong to it come from the newest answer. */
  const written = new Map(seated.list.map(({key}, at) => [key, kept[at]?.scores ?? {}]));
  let sums = new Map();
  /** What names a player, by what is done once the name changes: what is being clicked stays. */
  let labels = [];
  const lines = new Map();
  let turn = null;
  let current = 0;
  /** The player whose column is on screen. */
  let seen = 0;
  let asked = 0;
  let pending;
  dice.rows = [{key: DICE, label: t("setup.dice"), count: game.dice.count}];

  function scores({key}) {
    if (!written.has(key)) written.set(key, {});
    return written.get(key);
  }

  const {card_field: counter, bonus_rule: bonus} = game.repeats ?? {};
  /** How often a player had the bonus for repeats, which stands below the boxes. */
  const repeats = {id: counter, name: t("sheet.count", {bonus: title(bonus ?? "")}), possible: game.boxes.map((_, at) => at)};

  /** The card as it is sent: without that bonus, repeats are not counted. */
  const sent = (player) => ({...scores(player), [counter]: rules.value(bonus) ? scores(player)[counter] : undefined});

  const card = (player) => ({upper: 0, bonus: 0, total: 0, ...sums.get(player.key), scores: scores(player)});

  /** The open boxes of the player whose turn it is. */
  function open() {
    const mark = scores(seated.list[current]);
    return game.boxes.map(({id}) => id).filter((box) => (mark[box] ?? null) === null);
  }

  function changed() {
    const mine = ++asked;
    current = Math.min(current, seated.list.length - 1);
    save();
    const rolled = dice.values(DICE, game.dice.count);
    const mark = scores(seated.list[current]);
    const boxes = open();
    const complete = !rolled.includes(undefined) && boxes.length > 0;
    turn = null;
    if (sums.size) draw();
    pending = (async () => {
      const answers = await Promise.all(seated.list.map(async (player) => [player.key, await added(player)]));
      let rated = null;
      try {
        const used = game.repeats && mark[game.repeats.box];
        if (complete) rated = await ask("evaluate", {dice: rolled, open_boxes: boxes, ...((used ?? null) !== null && {[game.repeats.box]: used})});
      } finally { // what was refused is on the sheet too, where it can be changed
        if (mine === asked) {
          sums = new Map(answers);
          turn = rated;
          draw();
        }
      }
    })();
    show(result);
  }

  async function result() {
    await pending;
    const wrong = seated.list.map(({key, name}) => [name, sums.get(key)?.problem]).filter(([, problem]) => problem);
    return [
      wrong.map(([name, {message}]) => el("p", {class: "bad"}, t("session.about", {names: name, reason: message}))),
      best(), !wrong.length && await leader(),
    ];
  }

  function renamed() {
    save();
    for (const label of labels) label();
    show(result);
  }

  /** The sums of a card, or why it has none; they are asked for only if it has changed, or a house rule. */
  async function added(player) {
    const text = JSON.stringify([sent(player), rules.chosen]);
    const known = sums.get(player.key);
    if (known?.text === text) return known;
    try {
      return {...await ask("score", {card: sent(player)}), text};
    } catch (problem) {
      return {upper: "–", bonus: "–", total: "–", problem};
    }
  }

  function save() {
    store(STORED + game.id, seated.list.map((player) => ({name: player.name, scores: scores(player)})), TAB);
  }

  /** Calls `label` now, and for each new name. */
  function labelled(label) {
    label();
    labels.push(label);
  }

  function best() {
    const {name} = seated.list[current];
    if (!open().length) return el("p", {class: "muted"}, t("score.full", {name}));
    if (!turn) return el("p", {class: "muted"}, t("score.wait_dice", {count: game.dice.count}));
    return [
      el("p", {class: "label"}, most(turn.best, game)),
      el("p", {class: "muted"}, t("score.write", {name})),
    ];
  }

  async function leader() {
    if (seated.list.length < 2) return null;
    const ranked = await ask("rank", {players: seated.list.map((player) => ({id: player.name, card: sent(player)}))});
    return [
      el("h2", null, t("score.leads", {names: names(ranked.winners), count: ranked.winners.length})),
      el("ol", null, ranked.places.map(({players: tied, total, reason}) => el("li", null,
        el("strong", null, names(tied)), ` ${number(total)} `, el("span", {class: "muted"}, reason)))),
    ];
  }

  function draw() {
    const focused = aside.contains(document.activeElement) ? document.activeElement : null;
    labels = [];
    const columns = seated.list.map((player, at) => {
      const name = document.createTextNode("");
      labelled(() => name.data = player.name);
      return {name, card: card(player), current: seated.list.length > 1 && at === current};
    });
    arrange(list, [...seated.list.map(line), seated.add, wipe]);
    const {scrollLeft} = pad;
    fill(pad, sheet(columns, {game: rules.value(bonus) ? {...game, boxes: [...game.boxes, repeats]} : game, caption: t("play.sheet"), cell}));
    pad.scrollLeft = scrollLeft;
    if (seen !== current) inSight(pad, scrollLeft);
    seen = current;
    if (!focused || focused === document.activeElement) return;
    const same = [...aside.querySelectorAll("[aria-label]")].find((each) => each.ariaLabel === focused.ariaLabel);
    (focused.isConnected ? focused : same)?.focus();
  }

  const wipe = el("button", {type: "button", class: "quiet", onclick: () => {
    if (!confirm(t("score.wipe"))) return;
    written.clear();
    dice.clear();
  }}, t("score.new_sheet"));

  /** The name of a player below the sheet, and the button that makes it their turn. */
  function line(player, at) {
    if (!lines.has(player.key)) {
      const button = el("button", {type: "button", onclick: () => {
        current = seated.list.indexOf(player);
        changed();
      }}, t("score.turn"));
      lines.set(player.key, {button, whole: el("span", {class: "row"}, player.input, button, player.remove)});
    }
    const {button, whole} = lines.get(player.key);
    button.hidden = seated.list.length < 2;
    button.ariaPressed = at === current;
    labelled(() => button.ariaLabel = t("score.turn_of", {name: player.name}));
    return whole;
  }

  function cell(column, box, score) {
    const player = seated.list[column];
    if (turn && column === current && score === null && box !== repeats) {
      const worth = turn.scores[box.id];
      return el("button", {
        type: "button", class: `write ${turn.best.box === box.id ? "most" : ""}`,
        "aria-label": t("plays.score", {score: worth, box: box.name}),
        onclick: () => write(player, box, worth),
      }, worth);
    }
    const select = el("select", {onchange: (event) => {
      scores(player)[box.id] = event.target.value === "" ? null : Number(event.target.value);
      changed();
    }}, box !== repeats && el("option", {value: "", selected: score === null}, "–"),
    box.possible.map((each) => el("option", {value: each, selected: score === each}, each)));
    labelled(() => select.ariaLabel = t("score.cell", {name: player.name, box: box.name}));
    return select;
  }

  /** Writes the dice on a card, with the bonus that they may earn besides, and goes on to the next player. */
  function write(player, box, score) {
    const own = scores(player);
    own[box.id] = score;
    if (turn[`${counter}_points`] > 0) own[counter] = (own[counter] ?? 0) + 1;
    current = (seated.list.indexOf(player) + 1) % seated.list.length;
    dice.clear();
    dice.querySelector("[aria-current]").focus();
  }

  dice.addEventListener("change", changed);
  return {entry: el("section", {class: "card"}, dice), aside, changed};
}
