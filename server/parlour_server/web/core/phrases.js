// Say things to people in their language: phrases by key, in a part of ICU MessageFormat. core/phrases.py of the terminal
// client does the same, and describes it. Uses no DOM.

export const LANGUAGES = ["en", "de"];
const table = new Map(), parsed = new Map(), loading = new Map();

export let language = LANGUAGES[0];

/** Choose the first of `wanted`, such as "de-AT", that there are phrases in. */
export function use(wanted) {
  language = wanted.map((each) => String(each).slice(0, 2).toLowerCase()).find((each) => LANGUAGES.includes(each)) ?? LANGUAGES[0];
}

/** Add phrases, by key. */
export function add(phrases) { for (const [key, template] of Object.entries(phrases)) table.set(key, template); }

/** Load the phrases of a part of the page or of a game, once. */
export function load(part) {
  if (!loading.has(part)) loading.set(part, import(`../phrases/${language}/${part}.js`).then((found) => add(found.default)));
  return loading.get(part);
}

export const known = (key) => table.has(key);

const plain = (value) => [String(value), String(value)];
const FORMATS = {
  __proto__: null, "": plain, select: plain,
  plural: (n) => [String(n), `=${n}`, n === 1 ? "one" : "other"],
  seconds: (ms) => [(ms / 1000).toFixed(1).replace(/\.0$/, "").replace(".", table.get("decimal"))],
};

/** The phrase `key`. A format returns a value as text, followed by its keys among the cases. */
export function say(key, fields = {}, formats = {}) {
  if (!parsed.has(key)) parsed.set(key, pattern((table.get(key) ?? key).split(/([{}#])/)[Symbol.iterator]()));
  return filled(parsed.get(key), fields, { ...FORMATS, ...formats }, "");
}

/** The format of a seat in a room: its player's name, "you" if it is ours. */
export const playerOf = (room) => (seat) => (seat === room.seat ? [say("you"), "you"] : [room.name(seat)]);

function pattern(tokens) {
  const parts = [];
  for (let { value, done } = tokens.next(); !done && value !== "}"; { value, done } = tokens.next()) parts.push(value === "{" ? place(tokens) : value);
  return parts;
}

function place(tokens) {
  const [field, format = "", first] = tokens.next().value.split(",").map((word) => word.trim()), cases = new Map();
  for (let name = first; tokens.next().value === "{"; name = tokens.next().value.trim()) cases.set(name, pattern(tokens));
  return { field, format, cases };
}

const filled = (parts, fields, formats, shown) => parts.map((part) => (part === "#" ? shown : typeof part === "string" ? part : chosen(part, fields, formats))).join("");

function chosen({ field, format, cases }, fields, formats) {
  const value = fields[field] ?? null, [shown, ...keys] = value === null ? ["", "none"] : formats[format](value);
  const found = [...keys, "other"].find((key) => cases.has(key));
  if (found !== undefined) return filled(cases.get(found), fields, formats, shown);
  if (value === null || cases.size) throw new TypeError(`no words for ${field}`);
  return shown;
}
