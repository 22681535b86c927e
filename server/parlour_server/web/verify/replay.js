// Replay a match from its records, and verify that it ended as its file says.

import { hex, sha256, utf8 } from "../core/fair.js";
import { say } from "../core/phrases.js";
import { canonical, wrong } from "./game_file.js";

/**
 * @type {Record<string, { versions: number[], load(): Promise<{ Match: { new (begun: any): any, OPTIONS: string[] }
 * }> }>}
 */
const RULES = {
  uno: { versions: [1], load: () => import("./uno.js") },
  minesweeper: { versions: [1, 2, 3], load: () => import("./minesweeper.js") },
};

/**
 * A match that begins now, by the newest rules.
 * @param {string} game
 * @param {Plain} begun The first record, without the version of the rules.
 */
export async function fresh(game, begun) {
  const { versions, load } = RULES[game],
    { Match } = await load();
  return new Match({ ...begun, rules: versions.at(-1) });
}

const ABORTED = ["aborted", "expired"];

/** A match at any of its records; `at` is the number of records done. */
export class Replay {
  /** @type {any} */
  match;
  /** @type {Plain[]} */
  log = [];
  at = 1;

  /**
   * @param {Plain[]} records
   * @param {any} Match
   */
  constructor(records, Match) {
    this.records = records;
    this.Match = Match;
    this.#begin();
  }

  /**
   * The match of checked `records`. Fails for an unknown game, and for an option whose rule is not known.
   * @param {Plain[]} records
   */
  static async of(records) {
    const { game, rules, options } = records[0];
    if (!Object.hasOwn(RULES, game)) throw wrong("game", null, { game });
    if (!RULES[game].versions.includes(rules)) throw wrong("version", null, { version: rules, game });
    const { Match } = await RULES[game].load(),
      option = Object.keys(options).find((name) => options[name] && !Match.OPTIONS.includes(name));
    if (option) throw wrong("option", null, { option, game });
    return new Replay(records, Match);
  }

  /** Another replay of the match, from its beginning. */
  copy() {
    return new Replay(this.records, this.Match);
  }

  /** It knows all viewers. */
  async load() {}

  #begin() {
    this.match = new this.Match(this.records[0]);
    this.log = this.match.log;
    this.at = 1;
  }

  /** @returns {Plain} */
  get record() {
    return this.records[this.at - 1];
  }

  /**
   * Go to the state after `at` records, at least one. Fails at the first record that breaks the rules, naming its line.
   * @param {number} at
   */
  seek(at) {
    if (at < this.at) this.#begin();
    while (this.at < at) {
      try {
        this.log = this.match.follow(this.records[this.at]);
      } catch (error) {
        throw new Error(say("page.replay.wrong.line", { n: this.at + 1, what: error.message }));
      }
      this.at++;
    }
  }

  /** @param {number | null} viewer */
  view(viewer) {
    return this.match.view(viewer);
  }

  /**
   * The events of the last record, as `viewer` may see them.
   * @param {number | null} viewer
   */
  events(viewer) {
    return this.log.map((event) => this.match.redact(event, viewer)).filter(Boolean);
  }

  /** Replay to the end: derive every deal, make every move. Fails if the file says otherwise. */
  verify() {
    const over = this.records[this.records.length - 1];
    this.seek(this.records.length);
    if (hex(sha256(utf8(canonical(this.match.canonical())))) !== over.state) throw wrong("state");
    const { outcome } = this.match;
    if (
      outcome === null
        ? !ABORTED.includes(over.why)
        : Object.keys(outcome).some((name) => canonical(outcome[name]) !== canonical(over[name]))
    )
      throw wrong("result");
  }
}
