/** The games that this device takes part in, with their tokens, kept in the browser. */

const STORED = "dice-table-games";
const MOST = 20;
const remembered = {};

/**
 * @typedef {{variant: string, players: string[], one: boolean, me: string | null, at: number,
 *   tokens: {table?: string, players: Record<string, string>}, proof?: string, version?: number}}
 *   Seat `one` says that all players share this device; otherwise it is that of `me`, or with null
 *   a screen for all. `proof` is the commitment to the seed of the dice, as it was when this device
 *   first saw it, and `version` the last version that it saw when it opened the table, or at the end.
 */

/** All seats by the id of their session, the newest first. @returns {[string, Seat][]} */
export function seats() {
  return Object.entries(read("localStorage")).filter(([, seat]) => whole(seat)).sort(([, one], [, other]) => other.at - one.at);
}

/** The seat in a session, or undefined. @returns {Seat | undefined} */
export function seatIn(id) {
  const known = read("localStorage");
  const seat = Object.hasOwn(known, id) && known[id];
  return whole(seat) ? {...seat, ...read("sessionStorage")[id]} : undefined;
}

/**
 * Keeps a seat; the oldest are forgotten. Whoever opens the link of a second player takes that seat
 * in this tab alone.
 * @param {string} id @param {Seat} seat
 */
export function keep(id, seat) {
  const {one, me} = seat;
  write("sessionStorage", {...read("sessionStorage"), [id]: {one, me}});
  const known = Object.fromEntries(seats());
  const all = {...known, [id]: {...seat, one: known[id]?.one ?? one, me: known[id] ? known[id].me : me}};
  const newest = Object.entries(all).sort(([, one], [, other]) => other.at - one.at).slice(0, MOST);
  write("localStorage", Object.fromEntries(newest));
}

/** Forgets the seat in a session that is gone. */
export function forget(id) {
  const {[id]: _, ...others} = read("localStorage");
  write("localStorage", others);
}

function whole(seat) {
  return Array.isArray(seat?.players) && seat.tokens?.players;
}

function read(storage) {
  try {
    return remembered[storage] ?? JSON.parse(globalThis[storage].getItem(STORED)) ?? {};
  } catch {
    return {};
  }
}

function write(storage, all) {
  try {
    globalThis[storage].setItem(STORED, JSON.stringify(all));
    delete remembered[storage];
  } catch {
    remembered[storage] = all; // until the page is closed
  }
}
