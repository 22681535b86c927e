// How a game is played, from its phrases GAME.manual.1, GAME.manual.2 …

import { known, say } from "../../core/phrases.js";

/**
 * The module of a game.
 * @param {string} name
 */
export const manual = (name) => ({
  /** @param {Plain} options */
  howTo(options) {
    const found = [];
    for (let n = 1; known(`${name}.manual.${n}`); n++) found.push(say(`${name}.manual.${n}`, options));
    return found;
  },
});
