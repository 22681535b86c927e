// Say things to people in their language: phrases by key, in a part of ICU MessageFormat. core/phrases.py of the
// terminal client does the same, and describes it. Of the DOM it uses only the languages that the start page lists.

const LISTED = globalThis.document?.querySelector('meta[name="languages"]')?.getAttribute("content");
/** @type {Record<string, string>} The languages by their own names, the one that everything falls back to first. */
export const LANGUAGES = JSON.parse(LISTED || '{"en":"English"}');
const [FIRST] = Object.keys(LANGUAGES);

/**
 * A value as text, followed by its keys among the cases.
 * @typedef {(value: any) => string[]} Format
 * @typedef {{ field: string, format: string, cases: Map<string, Part[]> }} Place
 * @typedef {string | Place} Part
 */

/** @type {Map<string, string>} */
const table = new Map();
/** @type {Map<string, Part[]>} */
const parsed = new Map();
/** @type {Map<string, Promise<void>>} */
const loading = new Map();

export let language = FIRST;

/**
 * Choose the first of `wanted`, such as "de-AT", that there are phrases in.
 * @param {(string | null)[]} wanted
 */
export function use(wanted) {
  language =
    wanted.map((each) => String(each).slice(0, 2).toLowerCase()).find((each) => Object.hasOwn(LANGUAGES, each)) ??
    FIRST;
}

/**
 * Add phrases, by key.
 * @param {Record<string, string>} phrases
 */
export function add(phrases) {
  for (const [key, template] of Object.entries(phrases)) table.set(key, template);
}

/**
 * Load the phrases of a part of the page or of a game, once.
 * @param {string} part
 */
export function load(part) {
  if (!loading.has(part))
    loading.set(
      part,
      import(`../phrases/${language}/${part}.js`).then((found) => add(found.default)),
    );
  return /** @type {Promise<void>} */ (loading.get(part));
}

/**
 * Load a module, and at the same time what it needs.
 * @template Module
 * @param {Promise<Module>} module
 * @param {unknown[]} needed
 */
export const together = async (module, ...needed) => (await Promise.all([module, ...needed]))[0];

/**
 * Load a module of the page that says what a first view does not.
 * @template Module
 * @param {Promise<Module>} module
 */
export const withMore = (module) => together(module, load("page.more"));

/** @param {string} key */
export const known = (key) => table.has(key);

/**
 * A value as it is, which is also the key of its case.
 * @type {Format}
 */
export const plain = (value) => [String(value), String(value)];
/** @param {number} ms */
const seconds = (ms) =>
  (ms / 1000)
    .toFixed(1)
    .replace(/\.0$/, "")
    .replace(".", table.get("decimal") ?? ".");
/** @type {Record<string, Format>} */
const FORMATS = {
  "": plain,
  select: plain,
  plural: (n) => [String(n), `=${n}`, n === 1 ? "one" : "other"],
  seconds: (ms) => [seconds(ms)],
};

/**
 * The phrase `key`.
 * @param {string} key
 * @param {Plain} [fields]
 * @param {Record<string, Format>} [formats]
 */
export function say(key, fields = {}, formats = {}) {
  return filled(partsOf(key), fields, { ...FORMATS, ...formats }, "");
}

/**
 * Whether the phrase `key` has places for fields.
 * @param {string} key
 */
export const hasPlaces = (key) => partsOf(key).some((part) => typeof part !== "string");

/** @param {string} key */
function partsOf(key) {
  const parts = parsed.get(key) ?? pattern((table.get(key) ?? key).split(/([{}#])/).values());
  if (table.has(key)) parsed.set(key, parts);
  return parts;
}

/**
 * The phrase `key` with an element among its words, in place of the field `name`.
 * @template Inner
 * @param {string} key
 * @param {Inner} name
 * @returns {(string | Inner)[]}
 */
export function around(key, name) {
  const [before, after] = say(key, { name: "\0" }).split("\0");
  return [before, name, after];
}

/**
 * A number with `digits` after the decimal separator of the language.
 * @param {number} n
 */
export const decimal = (n, digits = 0) => n.toFixed(digits).replace(".", table.get("decimal") ?? ".");

/**
 * A share as a percentage.
 * @param {number} share
 */
export const percent = (share, digits = 0) => say("page.percent", { n: decimal(100 * share, digits) });

/**
 * A time as minutes and seconds, rounded down.
 * @param {number} ms
 */
export const clock = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/**
 * A time of an hour or more, in its two largest units.
 * @param {number} ms
 */
function long(ms) {
  const days = Math.floor(ms / 86_400_000),
    hours = Math.floor(ms / 3_600_000) % 24,
    minutes = Math.floor(ms / 60_000) % 60;
  const parts = days
    ? [
        [days, "d"],
        [hours, "h"],
      ]
    : [
        [hours, "h"],
        [minutes, "min"],
      ];
  return parts
    .filter(([n]) => n)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(" ");
}

/**
 * The times of a clock in words, for a phrase: `turn` if all turns have the same, nothing if there is no clock.
 * @param {Protocol.Clock | null} clock
 */
export function times(clock) {
  if (!clock) return {};
  const [bank, add] = [clock.bank, clock.add].map((ms) => (ms >= 3_600_000 ? long(ms) : `${seconds(ms)} s`));
  return clock.bank === clock.add && clock.bank === clock.cap ? { bank, add, turn: bank } : { bank, add };
}

/**
 * The time that is left: in seconds, if there are fewer than 100.
 * @param {number} ms
 */
export const timeLeft = (ms) => (ms >= 3_600_000 ? long(ms) : ms > 99_000 ? clock(ms) : `${Math.ceil(ms / 1000)} s`);

/**
 * Words at the start of a sentence or on a button.
 * @param {string} words
 */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * The format of a seat in a room: its player's name, "you" if it is ours.
 * @param {Room} room
 * @returns {Format}
 */
export const playerOf = (room) => (seat) => (seat === room.seat ? [say("you"), "you"] : [room.name(seat)]);

/**
 * @param {Iterator<string>} tokens
 * @returns {Part[]}
 */
function pattern(tokens) {
  const parts = [];
  for (let { value, done } = tokens.next(); !done && value !== "}"; { value, done } = tokens.next())
    parts.push(value === "{" ? place(tokens) : value);
  return parts;
}

/**
 * @param {Iterator<string>} tokens
 * @returns {Place}
 */
function place(tokens) {
  const [field, format = "", first = ""] = tokens
      .next()
      .value.split(",")
      .map((/** @type {string} */ word) => word.trim()),
    cases = new Map();
  for (let name = first; tokens.next().value === "{"; name = tokens.next().value.trim())
    cases.set(name, pattern(tokens));
  return { field, format, cases };
}

/**
 * @param {Part[]} parts
 * @param {Plain} fields
 * @param {Record<string, Format>} formats
 * @param {string} shown
 * @returns {string}
 */
const filled = (parts, fields, formats, shown) =>
  parts
    .map((part) => (part === "#" ? shown : typeof part === "string" ? part : chosen(part, fields, formats)))
    .join("");

/**
 * @param {Place} place
 * @param {Plain} fields
 * @param {Record<string, Format>} formats
 */
function chosen({ field, format, cases }, fields, formats) {
  const value = fields[field] ?? null,
    [shown, ...keys] = value === null ? ["", "none"] : formats[format](value);
  if (value !== null || format === "select") keys.push("other");
  const found = keys.map((key) => cases.get(key)).find(Boolean);
  if (found) return filled(found, fields, formats, shown);
  if (value === null || cases.size) throw new TypeError(`no words for ${field}`);
  return shown;
}
