// Plays with the packed client: `node play.js PART URL [STORED]`. Prints what it did, as JSON.
import { type Action, type LegalAction, ServiceError, Session, Unreachable } from "dice-scoring-client";

declare const process: { argv: string[] };

type Game = Session<"dice-poker">;

const [part, url, stored] = process.argv.slice(2) as [string, string, string];
const options = { pause: 20, attempts: 20 };

async function created(): Promise<[Game, Game]> {
  const game = await Session.create(
    url,
    { variant: "dice-poker", players: ["ann", "ben"], house_rules: { turn_seconds: null } },
    options,
  );
  const { ann, ben } = game.tokens.players as { ann: string; ben: string };
  const join = (token: string) => Session.join<"dice-poker">(url, game.now.id, token, options);
  return [await join(ann), await join(ben)];
}

/** Scores in the first open box after one roll. */
function decided(legal: LegalAction[]): Action {
  const box = legal.find(({ action }) => action === "score")?.box?.enum?.[0];
  return box ? ({ action: "score", box } as Action) : { action: "roll" };
}

/** Waits for each change, as a page does to show it. */
async function followed(game: Game): Promise<void> {
  while (!game.now.state.over) await game.wait();
}

/** Plays for one player to the end, and returns the actions. */
async function played(game: Game, player: string): Promise<Action[]> {
  const acted: Action[] = [];
  const shown = followed(game);
  while (!game.now.state.over) {
    if (game.now.state.to_act.includes(player)) {
      const action = decided(game.now.actions);
      await game.act(action);
      acted.push(action);
    } else {
      await game.wait();
    }
  }
  await shown;
  return acted;
}

/** A whole game of two devices at the same time. */
async function whole(): Promise<unknown> {
  const [ann, ben] = await created();
  const acted = await Promise.all([played(ann, "ann"), played(ben, "ben")]);
  const { version, state } = await ben.read();
  const { ann: anns, ben: bens } = state.cards;
  return { history: await ann.get("events"), acted, version, totals: [anns?.total, bens?.total] };
}

/** A session to go on with. */
async function started(): Promise<unknown> {
  const [ann] = await created();
  return ann.stored;
}

/** Goes on with a session while there is no network. */
async function offline(): Promise<unknown> {
  const game: Game = new Session(JSON.parse(stored), { attempts: 2, pause: 20 });
  const failed = await game.act({ action: "roll" }).catch((error: unknown) => error);
  if (!(failed instanceof Unreachable)) throw failed;
  game.queue({ action: "score", box: "chance" });
  return game.stored;
}

/** Goes on with it once there is a network. */
async function back(): Promise<unknown> {
  const game: Game = new Session(JSON.parse(stored), options);
  const { version } = await game.wait();
  return { history: await game.get("events"), version, pending: game.stored.pending };
}

async function refusal(done: Promise<unknown>): Promise<unknown> {
  const error = await done.catch((error: unknown) => error);
  if (!(error instanceof ServiceError)) throw error;
  const { code, status, detail, errors, actions, temporary } = error;
  return { code, status, detail, errors, actions: actions.map(({ action }) => action), temporary };
}

/** Actions that are refused, and one that waits behind such an action. */
async function refused(): Promise<unknown> {
  const [ann] = await created();
  const other = await Session.join<"dice-poker">(url, ann.now.id, ann.stored.token, options);
  const bank: Action = { action: "bank" };
  const wrong_player = await refusal(other.act({ action: "roll", player: "ben" }));
  ann.queue({ action: "roll" });
  ann.queue(bank);
  const illegal = await refusal(ann.act({ action: "roll" }));
  const stale = await refusal(other.act({ action: "roll" }));
  const { version } = await other.wait();
  return { wrong_player, illegal, pending: ann.stored.pending, stale, version, other: other.stored };
}

const parts: Record<string, () => Promise<unknown>> = { whole, started, offline, back, refused };
console.log(JSON.stringify(await parts[part]!()));
