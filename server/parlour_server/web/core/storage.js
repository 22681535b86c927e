// What this browser keeps: the identities of a server, with their seats, and what its person prefers.

const KEPT = 12; // identities and seats

/**
 * Read what is stored under `key`, or store `value` there. Null: nothing is stored.
 * @param {() => Storage} storage
 * @param {string} key
 * @param {unknown} [value]
 */
export function stored(storage, key, value) {
  try {
    // fails if the browser forbids it
    if (value === undefined) return JSON.parse(storage().getItem(key) ?? "null");
    storage().setItem(key, JSON.stringify(value));
  } catch {
    /* not stored */
  }
  return null;
}

/**
 * The newest entries of `all`, with `more` as the newest one.
 * @param {Record<string, string>} all
 * @param {string} key
 * @param {string} more
 */
const newest = (all, key, more) =>
  Object.fromEntries([...Object.entries(all).filter(([other]) => other !== key), [key, more]].slice(-KEPT));

export class Identities {
  /**
   * `storage`: {read(), write(value)}. It is read each time, because other tabs write to it too.
   * @param {{ read(): { tokens?: Record<string, string>, seats?: Record<string, string> } | null, write(value:
   *   Plain): void }} storage
   */
  constructor(storage) {
    this.storage = storage;
  }

  get #all() {
    const { tokens = {}, seats = {} } = this.storage.read() ?? {};
    return { tokens, seats };
  }

  /** @param {string} name */
  token(name) {
    return Object.hasOwn(this.#all.tokens, name) ? this.#all.tokens[name] : null;
  }

  /**
   * The name under which this browser has a seat in a room, null without one.
   * @param {string} code
   */
  seat(code) {
    const { seats, tokens } = this.#all,
      name = Object.hasOwn(seats, code) ? seats[code] : null;
    return name !== null && Object.hasOwn(tokens, name) ? name : null;
  }

  /** The names under which this browser has a seat. */
  get seated() {
    const { seats, tokens } = this.#all;
    return [...new Set(Object.values(seats))].filter((name) => Object.hasOwn(tokens, name));
  }

  /**
   * Keep the token of a name; null forgets the name.
   * @param {string} name
   * @param {string | null} token
   */
  keep(name, token) {
    const { tokens, seats } = this.#all;
    if (token !== null) return this.storage.write({ tokens: newest(tokens, name, token), seats });
    delete tokens[name];
    this.storage.write({ tokens, seats });
  }

  /**
   * @param {string} code
   * @param {string} name
   */
  sat(code, name) {
    const { tokens, seats } = this.#all;
    if (seats[code] !== name) this.storage.write({ tokens, seats: newest(seats, code, name) });
  }

  /** @param {string} code */
  left(code) {
    const { tokens, seats } = this.#all;
    delete seats[code];
    this.storage.write({ tokens, seats });
  }
}

const MATCHES = 12;

/**
 * A finished match: its digest, our place among how many (null: lost), the time of a cleared board in ms, and what its
 * picture shows: the rows of a board, or the players from the first to the last.
 * @typedef {{ digest: string, game: string, rank: number | null, players: number, ms?: number, rows?: string[],
 *   names?: [name: string, bot: boolean][] }} KeptMatch
 */

/** The last matches that were finished in this browser, the latest first. */
export class Matches {
  /**
   * `storage`: {read(), write(value)}.
   * @param {{ read(): KeptMatch[] | null, write(all: KeptMatch[]): void }} storage
   */
  constructor(storage) {
    this.storage = storage;
  }

  get all() {
    return this.storage.read() ?? [];
  }

  /** @param {KeptMatch} match Kept once: its end comes again after a reload. */
  keep(match) {
    const { all } = this;
    if (all.every(({ digest }) => digest !== match.digest)) this.storage.write([match, ...all].slice(0, MATCHES));
  }
}

const USUAL = { keys: true, sound: 1, pace: 1, press: 400, language: /** @type {string | null} */ (null) };

export class Prefs {
  #storage;

  /**
   * `read` and `write` reach the storage; an unknown value is null.
   * @param {{ read(name: string): any, write(name: string, value: unknown): void }} storage
   */
  constructor(storage) {
    this.#storage = storage;
  }

  get keys() {
    return this.#read("keys");
  }
  set keys(on) {
    this.#storage.write("keys", on);
  }

  /** The volume, from 0 to 1. */
  get sound() {
    return Number(this.#read("sound")); // it was once on or off
  }
  set sound(volume) {
    this.#storage.write("sound", volume);
  }

  get pace() {
    return this.#read("pace");
  }
  set pace(factor) {
    this.#storage.write("pace", factor);
  }

  /** How many ms a touch lasts until it is a long press. */
  get press() {
    return this.#read("press");
  }
  set press(ms) {
    this.#storage.write("press", ms);
  }

  get language() {
    return this.#read("language");
  }
  set language(name) {
    this.#storage.write("language", name);
  }

  /**
   * @template {keyof typeof USUAL} Name
   * @param {Name} name
   * @returns {(typeof USUAL)[Name]}
   */
  #read(name) {
    return this.#storage.read(name) ?? USUAL[name];
  }
}
