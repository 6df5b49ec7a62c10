// Plays with a generated client, and prints what it saw as JSON.
import { type Action, type Session, act, create, history, read, remove } from "./api.js";

/** The state of a session of dice-poker; the variant tells its type. */
function dicePoker(session: Session | undefined) {
  if (session?.variant !== "dice-poker") throw new Error(`not dice-poker: ${session?.variant}`);
  return session.state;
}

/** What an action does: compiles only if its name tells its type. */
function about(action: Action): string {
  switch (action.action) {
    case "score":
    case "cross_out":
      return `${action.action} ${action.box}`;
    case "roll":
      return `roll, keeping ${action.keep?.length ?? 0}`;
    default:
      return action.action;
  }
}

const started = await create(
  {
    variant: "dice-poker",
    players: ["ann", "ben"],
    dice: "client",
    house_rules: { turn_seconds: null },
  },
  crypto.randomUUID(),
);
const { id, tokens } = started;
const [ann, ben] = [tokens.players["ann"]!, tokens.players["ben"]!];

const turns: [string, Action][] = [
  [ann, { action: "roll", dice: [5, 5, 5, 4, 2] }],
  [ann, { action: "roll", keep: [0, 1, 2], dice: [5, 5, 5, 6, 6] }],
  [ann, { action: "score", box: "full_house" }],
  [ben, { action: "roll", dice: [1, 2, 3, 4, 6] }],
  [ben, { action: "score", box: "small_straight" }],
  [ann, { action: "roll", dice: [6, 6, 6, 6, 1] }],
  [ann, { action: "cross_out", box: "five_of_a_kind" }],
];
const played = [];
let { version } = started;
for (const [token, action] of turns) {
  const key = crypto.randomUUID();
  const first = await act(id, token, version, key, action);
  const again = await act(id, token, version, key, action);
  const { cards } = dicePoker(first.session);
  played.push({
    action: about(action),
    version: first.session?.version,
    totals: [cards["ann"]?.total, cards["ben"]?.total],
    same: JSON.stringify(first) === JSON.stringify(again),
  });
  version = first.session?.version ?? 0;
}

const illegal = await act(id, ben, version, crypto.randomUUID(), { action: "score", box: "chance" });
if (!illegal.error || !("actions" in illegal.error)) throw new Error("not an illegal action");
const stale = await act(id, ben, 1, crypto.randomUUID(), {
  action: "roll",
  dice: [1, 1, 1, 1, 1],
});

const seen = dicePoker(await read(id, tokens.table));
const events = await history(id, tokens.table);
if (events.variant !== "dice-poker") throw new Error(events.variant);
const removed = await remove(id, tokens.table);

const holdem = await create(
  { variant: "texas-holdem-dice", players: ["cid", "dot"] },
  crypto.randomUUID(),
);
if (holdem.variant !== "texas-holdem-dice") throw new Error(holdem.variant);
const bet = holdem.actions.find((legal) => legal.action === "bet");
if (bet?.amount?.minimum === undefined) throw new Error("nobody can bet");
const bettor = holdem.tokens.players[bet.player!]!;
const { session: after } = await act(holdem.id, bettor, holdem.version, crypto.randomUUID(), {
  action: "bet",
  amount: bet.amount.minimum,
});
if (after?.variant !== "texas-holdem-dice") throw new Error(after?.variant);

console.log(
  JSON.stringify({
    played,
    illegal: {
      status: illegal.status,
      detail: illegal.error.detail,
      actions: illegal.error.actions.map((legal) => [legal.action, legal.player]),
    },
    stale: { status: stale.status, title: stale.error?.title },
    to_act: seen.to_act,
    events: events.events.map((event) => event.action),
    removed,
    holdem: { pocket: after.state.pocket?.length, pot: after.state.pot },
  }),
);
