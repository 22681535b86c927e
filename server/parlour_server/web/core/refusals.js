// The errors of the server in words for people: what is wrong, and what to do.

import { known, say } from "./phrases.js";

/**
 * Explain an error by its code; by the server's words where there is no phrase for it.
 * @param {Refusal} error
 */
export function explained({ code, msg, message, hint, ...more }) {
  const words = (msg ?? message ?? "").replace("options: ", ""), key = `refusal.${code}`;
  return known(key) ? say(key, { ...more, msg: words }) : `${[words, hint].filter(Boolean).join(" – ")}.`;
}
