// The words for a game: its own phrases where it has some, otherwise the names that its data uses. The terminal client
// has the same keys: GAME.event.E, GAME.act.DO, GAME.view.FIELD, GAME.value.TEXT and GAME.manual.N.

import { known, playerOf, say } from "../../core/phrases.js";

const SEATS = ["seat", "player", "turn", "winner", "loser", "dealer", "leader", "starter", "by", "of", "target", "asked"];

/**
 * A name of a field as words.
 * @param {unknown} name
 */
export const spaced = (name) => String(name).replaceAll("_", " ").trim();

/** @param {any} value */
const listed = (value) => { const words = Array.isArray(value) ? value.join(", ") : String(value); return words ? [words] : ["", "none"]; };

/**
 * The phrase `key` of the room's game, null if it has none that fits.
 * @param {Room} room
 * @param {string} key
 * @param {Plain} fields
 */
export function own(room, key, fields) {
  const whole = `${room.game}.${key}`, player = playerOf(room);
  try {
    return known(whole) ? say(whole, fields, { player, players: (seats) => listed(seats.map((/** @type {number} */ seat) => player(seat)[0])), list: listed }) : null;
  } catch {
    return null; // a phrase of others may lack a field or a format
  }
}

/**
 * @param {Room} room
 * @param {any} seat
 */
export const isSeat = (room, seat) => Number.isInteger(seat) && room.row(seat) !== undefined;

/**
 * A value in words.
 * @param {Room} room
 * @param {any} value
 * @param {string} [field]
 * @returns {string}
 */
export function shown(room, value, field = "") {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return say("page.any.switch", { on: value });
  if (SEATS.includes(field) && isSeat(room, value)) return playerOf(room)(value)[0];
  if (typeof value === "string") return own(room, `value.${value}`, {}) ?? value;
  if (Array.isArray(value)) return value.map((each) => shown(room, each, field)).join(", ") || "–";
  if (typeof value === "object") return Object.entries(value).map(([name, each]) => `${spaced(name)} ${shown(room, each, name)}`).join(", ") || "–";
  return String(value);
}
