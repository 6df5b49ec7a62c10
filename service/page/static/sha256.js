/** SHA-256 (FIPS 180-4) and HMAC: on pages that came over plain HTTP, browsers have none. */

const BLOCK = 64;
/** The first 32 bits of the fractional parts of the roots of the first primes: square roots to begin with, cube roots for each round. */
const START = [], ROUNDS = [];

for (let number = 2; ROUNDS.length < 64; number++) {
  let factor = 2;
  while (number % factor) factor++;
  if (factor < number) continue;
  if (START.length < 8) START.push(fraction(Math.sqrt(number)));
  ROUNDS.push(fraction(Math.cbrt(number)));
}

function fraction(root) {
  return ((root % 1) * 2 ** 32) | 0;
}

function rotated(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  const view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 128;
  view.setUint32(padded.length - 4, bytes.length * 8);
  let state = START;
  for (let start = 0; start < padded.length; start += BLOCK) state = compressed(state, view, start);
  state.forEach((word, at) => view.setInt32(4 * at, word));
  return padded.slice(0, 32);
}

function compressed(state, view, start) {
  const words = [];
  let [a, b, c, d, e, f, g, h] = state;
  ROUNDS.forEach((constant, at) => {
    const [x, y] = [words[at - 15], words[at - 2]];
    words[at] = at < 16 ? view.getInt32(start + 4 * at)
      : (words[at - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)) + words[at - 7] + (rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10))) | 0;
    const one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constant + words[at];
    const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
}

/** The HMAC-SHA-256 with a key of at most 64 bytes, as a function of the message. */
export function keyed(key) {
  const pad = (value) => Array.from({length: BLOCK}, (_, at) => key[at] ^ value);
  return (message) => sha256(Uint8Array.from([...pad(0x5c), ...sha256(Uint8Array.from([...pad(0x36), ...message]))]));
}
