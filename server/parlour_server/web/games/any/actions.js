// What can be done, in words, and the cells of a board that an action names. text/any/actions.py of the terminal client
// does the same, and describes it. Uses no DOM.

import { own, shown, spaced } from "./values.js";

const ROWS = ["row", "y", "r"], COLUMNS = ["column", "col", "x", "c"], CELLS = ["cell", "at", "from", "to", "square", "position", "place", "start", "end", "field"], CARDS = ["card", "cards"];

/** @param {number} column */
export const columnName = (column) => (column >= 26 ? String.fromCharCode(96 + Math.floor(column / 26)) : "") + String.fromCharCode(97 + (column % 26));

/**
 * The name of a cell, or of a whole row or column.
 * @param {Place} place
 */
export const placeName = ([row, column]) => `${column === null ? "" : columnName(column)}${row === null ? "" : row + 1}`;

/**
 * The fields of an action that name cells, each with its place.
 * @param {Plain} action
 * @param {string[][]} rows
 * @returns {{ fields: string[], place: Place }[]}
 */
export function places(action, rows) {
  const taken = new Set(["do"]), found = [];
  for (const [field, value] of Object.entries(action)) {
    if (taken.has(field)) continue;
    const named = place(field, value, action, rows);
    if (!named) continue;
    const { fields, place: [row, column] } = named;
    if ((row !== null && !rows[row]) || (column !== null && rows[0][column] === undefined)) continue;
    for (const each of fields) taken.add(each);
    found.push(named);
  }
  return found;
}

/**
 * @param {string} field
 * @param {any} value
 * @param {Plain} action
 * @param {string[][]} rows
 * @returns {{ fields: string[], place: Place } | null}
 */
function place(field, value, action, rows) {
  const other = (/** @type {string[]} */ names) => names.find((name) => Number.isInteger(action[name]));
  if (Number.isInteger(value) && ROWS.includes(field)) { const column = other(COLUMNS); return { fields: column ? [field, column] : [field], place: [value, column ? action[column] : null] }; }
  if (Number.isInteger(value) && COLUMNS.includes(field)) { const row = other(ROWS); return { fields: row ? [field, row] : [field], place: [row ? action[row] : null, value] }; }
  if (Number.isInteger(value) && CELLS.includes(field)) return { fields: [field], place: [Math.floor(value / rows[0].length), value % rows[0].length] };
  if (Array.isArray(value) && value.length === 2 && value.every(Number.isInteger)) return { fields: [field], place: [value[0], value[1]] };
  const named = CELLS.includes(field) && typeof value === "string" ? /^([a-z]{1,2})(\d{1,2})$/.exec(value) : null;
  return named && { fields: [field], place: [Number(named[2]) - 1, [...named[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1] };
}

/**
 * An action in words.
 * @param {Room} room
 * @param {Plain} action
 * @param {string[][] | null} rows
 */
export function label(room, action, rows) {
  const named = rows ? places(action, rows) : [], taken = new Set(["do", ...named.flatMap(({ fields }) => fields)]);
  /** @type {Record<string, string>} */
  const cells = Object.fromEntries(named.map(({ fields: [field], place }) => [field, placeName(place)]));
  const found = own(room, `act.${action.do}`, { ...action, ...cells });
  if (found !== null) return found;
  const rest = Object.entries(action).filter(([field]) => !taken.has(field)).map(([field, value]) => {
    const words = shown(room, value, field), bare = CARDS.includes(field) || typeof value === "string" || words !== String(value);
    return bare && typeof value !== "boolean" ? words : `${spaced(field)} ${words}`;
  });
  return [spaced(action.do ?? ""), ...Object.values(cells), ...rest].filter(Boolean).join(" ");
}

/**
 * All actions that are legal for us now, those of the question first.
 * @param {Room} room
 * @param {string[][] | null} rows
 * @returns {AnyWay[]}
 */
export const ways = (room, rows) => [...(room.question ? [room.question] : []), ...room.may].flatMap(({ rid, legal }) =>
  legal.map((action) => ({ rid, action, words: label(room, action, rows), places: rows ? places(action, rows).map(({ place }) => place) : [] })));

/**
 * Whether an action names these cells first, in this order.
 * @param {AnyWay} way
 * @param {[number, number][]} cells
 */
export const fits = (way, cells) => cells.length <= way.places.length && cells.every(([row, column], at) => holds(way.places[at], row, column));

/**
 * @param {Place} place
 * @param {number} row
 * @param {number} column
 */
export const holds = ([ofRow, ofColumn], row, column) => (ofRow === null || ofRow === row) && (ofColumn === null || ofColumn === column);
