// Keeps the files of the page, so that it starts without a network; and nothing else: no room, no answer of the server.
// It is no module, and is served beside the start page: only so may it answer for it.

const worker = /** @type {any} */ (globalThis);
const HOME = new URL("./", worker.location.href).href;
const OURS = `parlour ${HOME} `; // another parlour may be at another path
const PATIENCE = 5_000; // ms

/**
 * The name of the cache for a file of the page, by the version in its address; null for anything else.
 * @param {string} url
 */
function place(url) {
  const [, version] = url.startsWith(`${HOME}web/`) ? url.slice(HOME.length).split("/") : [];
  return version ? OURS + version : null;
}

/**
 * A file of the page. It never changes: its address has the version of the page.
 * @param {string} url
 * @param {string} name The name of its cache.
 */
async function file(url, name) {
  const cache = await caches.open(name),
    found = await cache.match(url);
  if (found) return found;
  const answer = await fetch(url);
  if (answer.ok) await cache.put(url, answer.clone());
  return answer;
}

/**
 * The start page: as the server has it, or as it was kept if there is no answer.
 * @param {Request} request
 */
async function start(request) {
  const kept = await caches.match(HOME);
  if (!kept) return fetch(request);
  const asked = fetch(request).then((answer) => (answer.status < 500 ? answer : kept)); // a proxy without its server
  const late = new Promise((done) => setTimeout(() => done(kept), PATIENCE));
  return Promise.race([asked, late]).catch(() => kept);
}

/**
 * Keep files of one version and its start page, and drop all other versions.
 * @param {string[]} files
 */
async function keep(files) {
  const name = place(files[0]),
    page = await fetch(HOME, { cache: "no-cache" });
  if (!name || !page.ok || !(await page.clone().text()).includes(`web/${name.slice(OURS.length)}/`)) return; // upgraded
  await Promise.all(files.filter((url) => place(url) === name).map((url) => file(url, name)));
  await (await caches.open(name)).put(HOME, page);
  const old = (await caches.keys()).filter((other) => other.startsWith(OURS) && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
}

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request,
    name = place(url);
  if (method !== "GET") return;
  if (name) event.respondWith(file(url, name));
  else if (mode === "navigate" && url.split("#")[0] === HOME) event.respondWith(start(event.request));
});

worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keep(event.data)));
