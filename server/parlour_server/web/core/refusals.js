// The errors of the server in words for people: what is wrong, and what to do.

import { known, load, say } from "./phrases.js";

/**
 * Explain an error by its code; by the server's words where there is no phrase for it. The phrases of `game` say why it
 * refuses an action.
 * @param {Refusal} error
 * @param {string} [game]
 */
export async function explained(error, game) {
  const { code, msg, message, hint, phrase, fields, ...more } = error;
  await Promise.all([load("refusals"), phrase && game && load(`${game}.more`).catch(() => {})]);
  const words = (msg ?? message ?? "").replace("options: ", ""),
    key = `refusal.${code}`;
  const own = [`${game}.refusal.${phrase}`, `${key}.${phrase}`].find(known);
  try {
    if (phrase && own) return say(own, fields ?? {});
  } catch {
    /* the game's words do not fit the fields */
  }
  return known(key) ? say(key, { ...more, msg: words }) : `${[words, hint].filter(Boolean).join(" – ")}.`;
}
