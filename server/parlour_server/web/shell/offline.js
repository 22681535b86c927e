// Prepare the page to start without a network, for people who have installed it or play boards.

import { needs } from "../views/practice.js";

const installed = matchMedia("(display-mode: standalone)");

/** @param {App} app */
const wanted = ({ matches }) => installed.matches || matches.all.some(({ game }) => game === "minesweeper");

/**
 * Load what boards without a server need, and let the worker keep all files that are loaded by then.
 * @param {App} app
 */
async function prepare({ base }) {
  const url = new URL("worker.js", base).href,
    // the policy of the page allows this one script and no other
    policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("parlour-worker", {
      createScriptURL: () => url,
    });
  await Promise.all([needs(), navigator.serviceWorker.register(policy?.createScriptURL("") ?? url)]);
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]));
}

/** @param {App} app */
export function keepOffline(app) {
  if (!("serviceWorker" in navigator)) return;
  const ready = () => prepare(app).catch(() => {}); // it is tried again with the next visit
  if (wanted(app)) ready();
  else addEventListener("appinstalled", ready, { once: true });
}
