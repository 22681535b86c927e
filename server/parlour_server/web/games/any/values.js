// The words for a game: its own phrases where it has some, otherwise the names that its data uses. The terminal client
// has the same keys: GAME.event.E, GAME.act.DO, GAME.act.DO.FIELD, GAME.view.FIELD, GAME.view.FIELD.KEY,
// GAME.value.TEXT
// and GAME.manual.N.

import { hasPlaces, known, plain, playerOf, say } from "../../core/phrases.js";

const SEATS = [
  "seat",
  "player",
  "turn",
  "winner",
  "loser",
  "dealer",
  "leader",
  "starter",
  "by",
  "of",
  "target",
  "asked",
];

export const NOTHING = "–";

/**
 * A name of a field as words.
 * @param {unknown} name
 */
export const spaced = (name) => String(name).replaceAll("_", " ").trim();

/** @param {string[]} each */
const listed = (each, between = ", ") => {
  const words = each.join(between);
  return words ? [words] : ["", "none"];
};

/**
 * The phrase `key` of the room's game, null if it has none that fits.
 * @param {Room} room
 * @param {string} key
 * @param {Plain} fields
 */
export function own(room, key, fields) {
  const whole = `${room.game}.${key}`,
    player = playerOf(room);
  /** @type {import("../../core/phrases.js").Format} */
  const worded = (value) => {
    const [words, ...keys] = plain(value);
    return [typeof value === "string" ? shown(room, value) : words, ...keys];
  };
  /** @type {import("../../core/phrases.js").Format} */
  const list = (value) => listed([value].flat().map((each) => worded(each)[0]));
  try {
    return known(whole)
      ? say(whole, fields, {
          "": worded,
          select: worded,
          player,
          players: (seats) => listed(seats.map((/** @type {number} */ seat) => player(seat)[0])),
          list,
          seats: (value) => {
            const said = Object.entries(value)
              .filter(([, each]) => each !== null)
              .map(([seat, each]) => `${player(Number(seat))[0]} ${list(each)[0] || "–"}`);
            return listed(said, said.some((each) => each.includes(",")) ? "; " : ", ");
          },
        })
      : null;
  } catch {
    return null; // a phrase of others may lack a field or a format
  }
}

/**
 * The name of a field of the view, or of a key of the map in it; empty for one that is not shown.
 * @param {Room} room
 * @param {string} field
 */
export const heading = (room, field, key = "") =>
  own(room, `view.${field}${key && "."}${key}`, {}) ?? spaced(key || field);

/**
 * What the game says of a field with this value, null if it only has a name for it.
 * @param {Room} room
 * @param {string} field
 * @param {any} value
 */
export function sentence(room, field, value) {
  const key = `${room.game}.view.${field}`;
  return known(key) && hasPlaces(key)
    ? own(room, `view.${field}`, { ...(Array.isArray(value) || typeof value !== "object" ? {} : value), value })
    : null;
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
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === "boolean") return say("page.any.switch", { on: value });
  if (SEATS.includes(field) && isSeat(room, value)) return playerOf(room)(value)[0];
  if (typeof value === "string") return own(room, `value.${value}`, {}) ?? value;
  if (Array.isArray(value))
    return (
      value
        .map((each) => shown(room, each, field))
        .join(value.some((each) => each !== null && typeof each === "object") ? "; " : ", ") || NOTHING
    );
  if (typeof value === "object")
    return (
      Object.entries(value)
        .map(([name, each]) => `${spaced(name)} ${shown(room, each, name)}`)
        .join(", ") || NOTHING
    );
  return String(value);
}
