// How a listed room is played, in words.

import { say, times } from "../core/phrases.js";
import { game, terms } from "./games.js";

/**
 * The rules that the options of a room result in, and its clock. Rows from older servers have no options: their rules
 *   are
 * in English.
 * @param {Protocol.RoomRow} row
 * @returns {Promise<string[]>}
 */
export async function played({ game: name, options, clock = null, rules = [], seats, ...more }) {
  if (!options) return rules;
  const words = await game(name).words();
  return [...words.rules(options, name), say("page.lobby.clock", times(clock)), ...terms(more, seats)];
}
