// What this person prefers, kept in the browser: single-key shortcuts, sound, the pace of moves, the language.

const USUAL = { keys: true, sound: true, pace: 1, language: /** @type {string | null} */ (null) };

export class Prefs {
  #storage;

  /**
   * `read` and `write` reach the storage; an unknown value is null.
   * @param {{ read(name: string): any, write(name: string, value: unknown): void }} storage
   */
  constructor(storage) { this.#storage = storage; }

  get keys() { return this.#read("keys"); }
  set keys(on) { this.#storage.write("keys", on); }

  get sound() { return this.#read("sound"); }
  set sound(on) { this.#storage.write("sound", on); }

  get pace() { return this.#read("pace"); }
  set pace(factor) { this.#storage.write("pace", factor); }

  get language() { return this.#read("language"); }
  set language(name) { this.#storage.write("language", name); }

  /**
   * @template {keyof typeof USUAL} Name
   * @param {Name} name
   * @returns {(typeof USUAL)[Name]}
   */
  #read(name) { return this.#storage.read(name) ?? USUAL[name]; }
}
