/**
 * Keeps the page and the catalogue of the games on this device, for times without a network. All else, a session above all, is
 * between the page and the service. The service writes `RELEASE` before these lines: its version, and its files.
 */

const OURS = "dice-table-";
const CACHE = OURS + RELEASE.version;
/** The catalogue outlives a release: it is read anew whenever there is a network. */
const GAMES = `${OURS}games`;

/** The address of the service; this worker is at `play/worker.js`, below it. */
const BASE = new URL("..", location);
const PAGE = new URL("play", BASE).href;
const FOLDER = new URL(`play/${RELEASE.version}/`, BASE).href;
const CATALOGUE = new URL("v1/variants", BASE).href;
/** After so many ms without an answer, what is kept counts. */
const SILENCE = 5000;

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  const address = origin + pathname;
  if (request.method !== "GET") return;
  if (address === PAGE) event.respondWith(newest(PAGE, CACHE, false));
  else if (address === CATALOGUE || address.startsWith(`${CATALOGUE}/`)) event.respondWith(newest(request, GAMES, true));
  else if (address.startsWith(FOLDER)) event.respondWith(kept(request));
});

/** Keeps the page with its files. While a release is under way, another one may answer: then nothing is kept, and the browser tries again later. */
async function keep() {
  const cache = await caches.open(CACHE);
  const files = RELEASE.files.map((name) => FOLDER + name);
  await cache.addAll([PAGE, ...files]);
  const all = await Promise.all(files.map((file) => cache.match(file)));
  const page = await (await cache.match(PAGE)).text();
  const same = page.includes(RELEASE.version) && all.every(({headers}) => headers.get("Cache-Control").includes("immutable"));
  if (!same) throw new Error("another release answers");
  await skipWaiting();
}

/** Drops what other releases kept, and serves the pages that are open. */
async function begin() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && ![CACHE, GAMES].includes(name));
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

/** The answer of the service; what is kept only if it has none. */
async function newest(asked, name, keeps) {
  const cache = await caches.open(name);
  const before = await cache.match(asked);
  try {
    const answer = await fetch(asked, before && {signal: AbortSignal.timeout(SILENCE)});
    if (before && answer.status >= 500) return before;
    if (keeps && answer.ok) await cache.put(asked, answer.clone());
    return answer;
  } catch (error) {
    if (!before) throw error;
    return before;
  }
}

/** A file of this release, which never changes. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}
