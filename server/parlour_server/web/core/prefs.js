// What this person prefers, kept in the browser: single-key shortcuts, sound, the pace of moves.

const USUAL = { keys: true, sound: true, pace: 1 };

export class Prefs {
  /** `read(name)` and `write(name, value)` reach the storage; an unknown value is null. */
  constructor({ read, write }) {
    for (const [name, usual] of Object.entries(USUAL)) Object.defineProperty(this, name, { get: () => read(name) ?? usual, set: (value) => write(name, value) });
  }
}
