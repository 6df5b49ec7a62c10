/** What the browser keeps of the page, as JSON, on this device or in this tab: such as the games that it takes part in, with their tokens. */

const GAMES = "dice-table-games";
const MOST = 20;
export const TAB = "sessionStorage";

/** What the browser refused to keep, until the page is closed. */
const refused = new Map();

export function read(key, storage = "localStorage") {
  try {
    return refused.get(storage + key) ?? JSON.parse(globalThis[storage].getItem(key));
  } catch {
    return null;
  }
}

export function write(key, value, storage = "localStorage") {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
    refused.delete(storage + key);
  } catch {
    refused.set(storage + key, value);
  }
}

/**
 * @typedef {{variant: string, players: string[], one: boolean, me: string | null, at: number,
 *   tokens: {table?: string, players: Record<string, string>}, proof?: string, version?: number,
 *   over?: boolean, series?: Record<string, number>}}
 *   Seat `one` says that all players share this device; otherwise it is that of `me`, or with null
 *   a screen for all. `proof` is the commitment to the seed of the dice, as it was when this device
 *   first saw it, and `version` the last version that it saw when it opened the table, or at the end: `over`.
 *   `series` has the wins of each player in the games before, if the same ones played again.
 */

/** All seats by the id of their session, the newest first. @returns {[string, Seat][]} */
export function seats() {
  return Object.entries(read(GAMES) ?? {}).filter(([, seat]) => whole(seat)).sort(([, one], [, other]) => other.at - one.at);
}

/** The seat in a session, or undefined. @returns {Seat | undefined} */
export function seatIn(id) {
  const seat = new Map(seats()).get(id);
  return seat && {...seat, ...read(GAMES, TAB)?.[id]};
}

/**
 * Keeps a seat; the oldest are forgotten. Whoever opens the link of a second player takes that seat
 * in this tab alone.
 * @param {string} id @param {Seat} seat
 */
export function keep(id, seat) {
  const {one, me} = seat;
  write(GAMES, {...read(GAMES, TAB), [id]: {one, me}}, TAB);
  const known = Object.fromEntries(seats());
  const all = {...known, [id]: {...seat, one: known[id]?.one ?? one, me: known[id] ? known[id].me : me}};
  const newest = Object.entries(all).sort(([, one], [, other]) => other.at - one.at).slice(0, MOST);
  write(GAMES, Object.fromEntries(newest));
}

export function forget(id) {
  write(GAMES, Object.fromEntries(seats().filter(([other]) => other !== id)));
}

function whole(seat) {
  return Array.isArray(seat?.players) && seat.tokens?.players;
}
