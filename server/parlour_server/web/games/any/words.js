// A game that the page has no words for: its options and events, as the server writes them.

/** @param {unknown} value */
const shown = (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));
/** @param {unknown} name */
const spaced = (name) => String(name).replaceAll("_", " ");

/**
 * The options that are set.
 * @param {Plain} options
 */
export const rules = (options) => Object.entries(options).filter(([, value]) => value !== false && value !== null && value !== 0).map(([name, value]) => (value === true ? spaced(name) : `${spaced(name)}: ${shown(value)}`));

/**
 * An action as a label.
 * @param {any} action
 */
export function label(action) {
  if (action === null || typeof action !== "object" || Array.isArray(action)) return shown(action);
  const { do: what, ...more } = action;
  return [what && spaced(what), ...Object.entries(more).map(([name, value]) => `${spaced(name)} ${shown(value)}`)].filter(Boolean).join(", ");
}

/**
 * The log line for an event.
 * @param {Room} room
 * @param {Plain} event
 */
export function describe(room, { e, seat, ...more }) {
  const rest = Object.entries(more).map(([name, value]) => `${spaced(name)} ${shown(value)}`).join(", ");
  return `${seat === undefined || seat === null ? "" : `${seat === room.seat ? "You" : room.name(seat)}: `}${spaced(e)}${rest && ` (${rest})`}.`;
}
