// A game that the page has no words for: its options and events, by its phrases, or as the server writes them.

import { capital, known, playerOf, say } from "../../core/phrases.js";
import { placeName, places } from "./actions.js";
import { boardOf } from "./shapes.js";
import { own, shown, spaced } from "./values.js";

/**
 * The names of the cells that an action or an event names, by field.
 * @param {Room} room
 * @param {Plain} what
 */
function named(room, what) {
  const rows = boardOf(room)?.rows;
  return rows
    ? Object.fromEntries(places(what, rows).map(({ fields: [field], place }) => [field, placeName(place)]))
    : {};
}

/**
 * The options that are set.
 * @param {Plain} options
 * @param {string} [game]
 */
export const rules = (options, game = "") =>
  Object.entries(options)
    .filter(([, value]) => value !== false && value !== null && value !== 0)
    .map(([name, value]) => {
      const key = `${game}.option.${name}`,
        label = known(key) ? say(key) : spaced(name),
        chosen = known(`${key}.${value}`) ? say(`${key}.${value}`) : String(value);
      return value === true ? label : `${label}: ${chosen}`;
    });

/**
 * The log line for an event; null if the game says that it is not worth one.
 * @param {Room} room
 * @param {Plain} event
 */
export function describe(room, event) {
  const { e, seat, ...more } = event,
    found = own(room, `event.${e}`, { ...event, ...named(room, more) });
  if (found !== null) return found || null;
  const rest = Object.entries(more)
    .map(([name, value]) => `${spaced(name)} ${shown(room, value, name)}`)
    .join(", ");
  return capital(say("page.any.event", { seat, what: spaced(e), more: rest || null }, { player: playerOf(room) }));
}
