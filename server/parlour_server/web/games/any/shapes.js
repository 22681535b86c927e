// The parts of a view, as the game's layout declares them, else recognised by their shape: boards, cards, tables, and
// values of each seat. text/shapes.py of the terminal client does the same, and describes it. Uses no DOM.

import { LAYOUTS } from "./layouts.js";
import { heading, sentence, shown } from "./values.js";

const WIDEST = 64,
  LEAST = 3,
  SHORT = 12;
const BOARDS = ["board", "grid", "rows", "cells", "field", "map"],
  MARKS = ["line", "marks", "last", "path"],
  HANDS = ["hand", "card", "dice", "deck", "pile", "trick"];
/** @type {Record<string, Piece>} Words in names of what a player holds and decides with. */
const OWN = { hand: "cards", cards: "cards", dice: "dice", tiles: "tiles", rack: "tiles" };
const EMPTY = [null, "", " ", ".", "-", "_"];

/** @param {any} value */
const scalar = (value) => value === null || typeof value !== "object";
/** @param {any} value */
const isCell = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);

/**
 * @param {string} field
 * @param {any[]} values
 */
function isBoard(field, values) {
  const least = BOARDS.includes(field) ? 1 : LEAST,
    [first] = values;
  if (values.length < least || values.length > WIDEST || (typeof first !== "string" && !Array.isArray(first)))
    return false;
  if (
    !values.every(
      (row) =>
        typeof row === typeof first && Array.isArray(row) === Array.isArray(first) && row.length === first.length,
    )
  )
    return false;
  return (
    first.length >= least &&
    first.length <= WIDEST &&
    values.every((row) => [...row].every((cell) => scalar(cell) && String(cell).length <= SHORT))
  );
}

/** @param {Room} room */
export const seats = (room) => 1 + Math.max(-1, ...room.table.seats.map(({ seat }) => seat));

/**
 * The parts of the view, in its order, without whose turn it is.
 * @param {Room} room
 * @returns {Part[]}
 */
export const parts = (room) =>
  Object.entries(room.view ?? {})
    .filter(([field]) => field !== "turn")
    .flatMap(([field, value]) => part(room, field, value) ?? []);

/**
 * The largest board of the view.
 * @param {Room} room
 */
export const boardOf = (room) =>
  parts(room)
    .filter((part) => part.kind === "board")
    .sort((one, other) => other.rows.length * other.rows[0].length - one.rows.length * one.rows[0].length)[0] ?? null;

/**
 * The rows of a board in words, and whose pieces they are: the place of their sign among `signs`, -1 for others.
 * @param {Room} room
 * @param {any[]} values
 */
const cells = (room, values, signs = "") => ({
  rows: values.map((row) => [...row].map((cell) => (EMPTY.includes(cell) ? "" : shown(room, cell)))),
  owners: values.map((row) => [...row].map((cell) => (cell && signs ? signs.indexOf(cell) : -1))),
});

const LISTS = ["hand", "sealed", "badge", "board"],
  EACH = ["backs", "score", "open", "laid"]; // kinds of layout that are lists, and lists with an entry a seat

/**
 * Whether a value fits a kind of layout.
 * @param {string} kind
 * @param {any} value
 * @param {number} seats
 */
const fits = (kind, value, seats) =>
  LISTS.includes(kind) || EACH.includes(kind)
    ? Array.isArray(value) && (LISTS.includes(kind) || value.length === seats)
    : kind === "pile"
      ? Number.isInteger(value)
      : kind === "cards";

/**
 * The part that a field is by the layout; null if the layout does not say, or the value does not fit it.
 * @param {Room} room
 * @param {string} field
 * @param {any} value
 * @returns {Part | null}
 */
function declared(room, field, value) {
  const { kind, of = "cards", act = "", signs = "", columns = false } = LAYOUTS[room.game]?.[field] ?? { kind: "" },
    name = heading(room, field);
  if (!fits(kind, value, seats(room))) return null;
  /** @param {any} found */
  const list = (found) => (Array.isArray(found) ? found : found === null ? [] : [found]);
  switch (kind) {
    case "hand":
    case "cards":
      return held(room, name, field, list(value), of, kind === "hand");
    case "pile":
      return { kind, name, words: sentence(room, field, value) ?? `${name} ${value}`, n: value, act };
    case "backs":
      return { kind, name, counts: value, of };
    case "score":
      return { kind: "seated", name, words: value.map((/** @type {any} */ each) => shown(room, each)) };
    case "open":
    case "laid":
      return {
        kind,
        name,
        of,
        hands: value.map((/** @type {any} */ each) => list(each).map((one) => shown(room, one))),
      };
    case "sealed":
    case "badge":
      return { kind, name, seats: value, of };
  }
  return { kind: "board", name, ...cells(room, value, signs), columns };
}

/**
 * @param {Room} room
 * @param {string} name
 * @param {string} field
 * @param {any[]} values
 * @param {Piece} of
 * @param {boolean} hand
 * @returns {Part & { kind: "cards" }}
 */
const held = (room, name, field, values, of, hand) => ({
  kind: "cards",
  name,
  values,
  words: values.map((each) => shown(room, each, field.replace(/s$/, ""))),
  of,
  hand,
});

/**
 * @param {Room} room
 * @param {string} field
 * @param {any} value
 * @returns {Part | null}
 */
function part(room, field, value) {
  const found = declared(room, field, value);
  if (found) return found;
  const said = sentence(room, field, value),
    name = heading(room, field);
  if (said !== null) return said ? { kind: "fact", name: "", words: said } : null;
  if (!name) return null;
  if (Array.isArray(value)) return list(room, name, field, value);
  if (value !== null && typeof value === "object")
    return Object.keys(value).length ? map(room, name, field, value) : null;
  return { kind: "fact", name, words: shown(room, value, field) };
}

/**
 * @param {Room} room
 * @param {string} name
 * @param {string} field
 * @param {any[]} values
 * @returns {Part}
 */
function list(room, name, field, values) {
  if (MARKS.includes(field) && values.every(isCell)) return { kind: "marks", name, cells: values };
  const ofSeats = values.length === seats(room) && values.length > 1,
    numbers = values.every((each) => each === null || typeof each === "number"),
    lists = values.every(Array.isArray);
  if (isBoard(field, values) && !(ofSeats && lists && !BOARDS.includes(field)))
    return { kind: "board", name, ...cells(room, values), columns: false };
  if (ofSeats && (lists ? !HANDS.includes(field) : numbers && !HANDS.some((word) => field.includes(word))))
    return { kind: "seated", name, words: values.map((each) => shown(room, each)) };
  if (values.length && values.every((each) => !scalar(each) && !Array.isArray(each))) {
    const fields = [...new Set(values.flatMap(Object.keys))];
    return {
      kind: "table",
      name,
      heads: fields.map((key) => heading(room, field, key)),
      rows: values.map((each) => fields.map((key) => shown(room, each[key], key))),
    };
  }
  const of = field
      .split("_")
      .map((word) => OWN[word])
      .find(Boolean),
    found = held(room, name, field, values, of ?? "cards", Boolean(of));
  return values.every(scalar) && found.words.every((word) => word.length <= SHORT)
    ? found
    : { kind: "table", name, heads: [], rows: found.words.map((word) => [word]) };
}

/**
 * @param {Room} room
 * @param {string} name
 * @param {string} field
 * @param {Plain} values
 * @returns {Part}
 */
function map(room, name, field, values) {
  const keys = Object.keys(values),
    numbers = Array.from({ length: seats(room) }, (_, seat) => String(seat));
  if (keys.length && keys.every((key) => numbers.includes(key)))
    return { kind: "seated", name, words: numbers.map((key) => (key in values ? shown(room, values[key]) : "")) };
  return {
    kind: "table",
    name,
    heads: [],
    rows: keys.map((key) => [heading(room, field, key), shown(room, values[key], key)]),
  };
}
