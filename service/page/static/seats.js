/** The games that this device takes part in, with their tokens, kept in the browser. */

const STORED = "dice-table-games";
const MOST = 20;
let remembered = null;

/**
 * @typedef {{variant: string, players: string[], one: boolean, me: string | null, at: number,
 *   tokens: {table?: string, players: Record<string, string>}}} Seat `one` says that all players
 *   share this device; otherwise it is that of `me`, or with null a screen for all.
 */

/** All seats by the id of their session, the newest first. @returns {[string, Seat][]} */
export function seats() {
  return Object.entries(read()).sort(([, one], [, other]) => other.at - one.at);
}

/** The seat in a session, or undefined. @returns {Seat | undefined} */
export function seatIn(id) {
  return read()[id];
}

/** Keeps a seat; the oldest are forgotten. @param {string} id @param {Seat} seat */
export function keep(id, seat) {
  const all = {...read(), [id]: seat};
  const newest = Object.entries(all).sort(([, one], [, other]) => other.at - one.at).slice(0, MOST);
  write(Object.fromEntries(newest));
}

/** Forgets the seat in a session that is gone. */
export function forget(id) {
  const {[id]: _, ...others} = read();
  write(others);
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}");
  } catch {
    return remembered ?? {};
  }
}

function write(all) {
  remembered = all;
  try {
    localStorage.setItem(STORED, JSON.stringify(all));
  } catch {
    // a browser that stores nothing remembers until the page is closed
  }
}
