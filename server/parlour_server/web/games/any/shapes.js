// The parts of a view, recognised by their shape: boards, cards, tables, and values of each seat. text/any/shapes.py of
// the terminal client does the same, and describes it. Uses no DOM.

import { heading, sentence, shown } from "./values.js";

const WIDEST = 64,
  LEAST = 3,
  SHORT = 12;
const BOARDS = ["board", "grid", "rows", "cells", "field", "map"],
  MARKS = ["line", "marks", "last", "path"],
  HANDS = ["hand", "card", "dice", "deck", "pile", "trick"];
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
 * @param {Room} room
 * @param {string} field
 * @param {any} value
 * @returns {Part | null}
 */
function part(room, field, value) {
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
    return {
      kind: "board",
      name,
      rows: values.map((row) => [...row].map((cell) => (EMPTY.includes(cell) ? "" : shown(room, cell)))),
    };
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
  const words = values.map((each) => shown(room, each, field.replace(/s$/, "")));
  return values.every(scalar) && words.every((word) => word.length <= SHORT)
    ? { kind: "cards", name, values, words }
    : { kind: "table", name, heads: [], rows: words.map((word) => [word]) };
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
