// What can be done, in words, and the cells of a board that an action names. text/actions.py of the terminal client
// does the same, and describes it. Uses no DOM.

import { own, shown, spaced } from "./values.js";

const ROWS = ["row", "y", "r"],
  COLUMNS = ["column", "col", "x", "c"],
  CELLS = ["cell", "at", "from", "to", "square", "position", "place", "start", "end", "field"],
  CARDS = ["card", "cards"];

/** @param {number} column */
export const columnName = (column) =>
  (column >= 26 ? String.fromCharCode(96 + Math.floor(column / 26)) : "") + String.fromCharCode(97 + (column % 26));

/**
 * The name of a cell, or of a whole row or column.
 * @param {Place} place
 */
export const placeName = ([row, column]) =>
  `${column === null ? "" : columnName(column)}${row === null ? "" : row + 1}`;

/**
 * The fields of an action that name cells, each with its place.
 * @param {Plain} action
 * @param {string[][]} rows
 * @returns {{ fields: string[], place: Place }[]}
 */
export function places(action, rows) {
  const taken = new Set(["do"]),
    found = [];
  for (const [field, value] of Object.entries(action)) {
    if (taken.has(field)) continue;
    const named = place(field, value, action, rows);
    if (!named) continue;
    const {
      fields,
      place: [row, column],
    } = named;
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
  if (Number.isInteger(value) && ROWS.includes(field)) {
    const column = other(COLUMNS);
    return { fields: column ? [field, column] : [field], place: [value, column ? action[column] : null] };
  }
  if (Number.isInteger(value) && COLUMNS.includes(field)) {
    const row = other(ROWS);
    return { fields: row ? [field, row] : [field], place: [row ? action[row] : null, value] };
  }
  if (Number.isInteger(value) && CELLS.includes(field))
    return { fields: [field], place: [Math.floor(value / rows[0].length), value % rows[0].length] };
  if (Array.isArray(value) && value.length === 2 && value.every(Number.isInteger))
    return { fields: [field], place: [value[0], value[1]] };
  const named = CELLS.includes(field) && typeof value === "string" ? /^([a-z]{1,2})(\d{1,2})$/.exec(value) : null;
  return (
    named && {
      fields: [field],
      place: [Number(named[2]) - 1, [...named[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0) - 1],
    }
  );
}

/**
 * An action in words.
 * @param {Room} room
 * @param {Plain} action
 * @param {string[][] | null} rows
 */
export function label(room, action, rows) {
  const named = rows ? places(action, rows) : [],
    taken = new Set(["do", ...named.flatMap(({ fields }) => fields)]);
  /** @type {Record<string, string>} */
  const cells = Object.fromEntries(named.map(({ fields: [field], place }) => [field, placeName(place)]));
  const found = own(room, `act.${action.do}`, { ...action, ...cells });
  if (found !== null) return found;
  const rest = Object.entries(action)
    .filter(([field]) => !taken.has(field))
    .map(([field, value]) => {
      const words = shown(room, value, field),
        bare = CARDS.includes(field) || typeof value === "string" || words !== String(value);
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
export const ways = (room, rows) =>
  [...(room.question ? [room.question] : []), ...room.may].flatMap(({ rid, legal }) =>
    legal.map((action) => {
      const named = rows ? places(action, rows) : [],
        taken = new Set(["do", ...named.flatMap(({ fields }) => fields)]);
      return {
        rid,
        action,
        words: label(room, action, rows),
        places: named.map(({ place }) => place),
        values: Object.entries(action).flatMap(([field, value]) => (taken.has(field) ? [] : [value])),
      };
    }),
  );

const MANY = 20; // actions of one kind above which they are a group

/**
 * The value of a field, to compare.
 * @param {AnyWay} way
 * @param {string} field
 */
export const valueIn = (way, field) => JSON.stringify(way.action[field] ?? null);

/**
 * Actions, and groups of many that differ in some fields only. text/actions.py of the terminal client describes
 *   them.
 * @param {AnyWay[]} found
 * @returns {(AnyWay | AnyGroup)[]}
 */
export function grouped(found) {
  /** @type {Map<string, AnyWay[]>} */
  const kinds = new Map();
  for (const way of found) {
    const kind = JSON.stringify([way.rid, way.action.do]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), way]);
  }
  return [...kinds].flatMap(
    /** @returns {(AnyWay | AnyGroup)[]} */ ([key, ways]) => {
      const fields = ways.length > MANY && !ways.some((way) => way.places.length) ? differing(ways) : [];
      return fields.length ? [{ key, ways, fields }] : ways;
    },
  );
}

/** @param {AnyWay[]} ways */
function differing(ways) {
  const names = [...new Set(ways.flatMap(({ action }) => Object.keys(action)))],
    counts = new Map(names.map((name) => [name, new Set(ways.map((way) => valueIn(way, name))).size]));
  const fields = names.filter((name) => (counts.get(name) ?? 0) > 1),
    values = fields.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  return values <= Math.floor(ways.length / 2) ||
    ways.every(({ action }) => fields.every((name) => Number.isInteger(action[name])))
    ? fields
    : [];
}

/**
 * An action for each value that a field of a group can have beside the values of `way` in earlier fields.
 * @param {AnyGroup} group
 * @param {AnyWay} way
 * @param {number} at
 */
export function options({ ways, fields }, way, at) {
  const kept = (/** @type {AnyWay} */ other, /** @type {string[]} */ names) => {
    const end = names.findIndex((name) => valueIn(other, name) !== valueIn(way, name));
    return end < 0 ? names.length : end;
  };
  /** @type {Map<string, AnyWay>} */
  const found = new Map();
  for (const other of ways) {
    if (kept(other, fields.slice(0, at)) < at) continue;
    const value = valueIn(other, fields[at]),
      best = found.get(value),
      later = fields.slice(at + 1);
    if (!best || kept(other, later) > kept(best, later)) found.set(value, other);
  }
  return [...found.values()];
}

/**
 * The name of a field of an action.
 * @param {Room} room
 * @param {AnyWay} way
 * @param {string} field
 */
export const fieldName = (room, way, field) => own(room, `act.${way.action.do}.${field}`, {}) ?? spaced(field);

/**
 * Whether all of `named` are among `words`, in this order.
 * @param {string[]} named
 * @param {string[]} words
 */
function inOrderOf(named, words) {
  let at = -1;
  return named.every((word) => {
    at = words.indexOf(word, at + 1);
    return at >= 0;
  });
}

/**
 * The actions that have the wanted words and numbers in this order, else those with parts of them.
 * @param {AnyWay[]} found
 * @param {string} wanted
 */
export function matching(found, wanted) {
  const tokens = (/** @type {string} */ words) =>
    words
      .toLowerCase()
      .replace(/(\d)\s*x\s*(?=\d)/g, "$1 ")
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  const named = tokens(wanted),
    parts = wanted.toLowerCase().split(/\s+/);
  const inOrder = named.length ? found.filter(({ words }) => inOrderOf(named, tokens(words))) : [];
  return inOrder.length
    ? inOrder
    : found.filter(({ words }) => parts.every((word) => words.toLowerCase().includes(word)));
}

/**
 * Whether an action names these cells first, in this order.
 * @param {AnyWay} way
 * @param {[number, number][]} cells
 */
export const fits = (way, cells) =>
  cells.length <= way.places.length && cells.every(([row, column], at) => holds(way.places[at], row, column));

/**
 * @param {Place} place
 * @param {number} row
 * @param {number} column
 */
export const holds = ([ofRow, ofColumn], row, column) =>
  (ofRow === null || ofRow === row) && (ofColumn === null || ofColumn === column);
