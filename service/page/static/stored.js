/** What the browser keeps, such as seats in games, with their tokens. */

const GAMES = "dice-table-games";
const MOST = 20;
export const TAB = "sessionStorage";

/** Until the page is closed. */
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

/** The newest first. @returns {[string, Seat][]} */
export function seats() {
  return Object.entries(read(GAMES) ?? {}).filter(([, seat]) => whole(seat)).sort(([, one], [, other]) => other.at - one.at);
}

/** @param {string} id @returns {Seat | undefined} */
export function seatIn(id) {
  const seat = new Map(seats()).get(id);
  return seat && {...seat, ...read(GAMES, TAB)?.[id]};
}

/** The link of a second player is for this tab alone. @param {string} id @param {Seat} seat */
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
