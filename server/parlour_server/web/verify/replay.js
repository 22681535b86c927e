// Replay a match from its records, and verify that it ended as its file says.

import { hex, sha256, utf8 } from "../core/fair.js";
import { canonical } from "./game_file.js";

const ABORTED = ["aborted", "expired"];

/** A match that can be shown at each of its records; `at` is how many of them have been done. */
export class Replay {
  constructor(records, Match) {
    Object.assign(this, { records, Match });
    this.#begin();
  }

  /** The match of checked `records`, by the rules that `games` has for it. Fails for a game that is not known here. */
  static async of(records, games) {
    const { game, rules } = records[0];
    if (!games[game]?.rules || rules !== 1) throw new Error(`version ${rules} of ${game} is not known here`);
    return new Replay(records, (await games[game].rules()).Match);
  }

  #begin() {
    this.match = new this.Match(this.records[0]);
    this.told = this.match.log;
    this.at = 1;
  }

  get record() { return this.records[this.at - 1]; }

  /** Go to just after so many records, at least one. Fails, naming the line, where the match cannot have gone so. */
  seek(at) {
    if (at < this.at) this.#begin();
    while (this.at < at) {
      try {
        this.told = this.match.follow(this.records[this.at]);
      } catch (error) {
        throw new Error(`line ${this.at + 1}: ${error.message}`);
      }
      this.at++;
    }
  }

  view(viewer) { return this.match.view(viewer); }

  /** What the last record came to, as `viewer` may see it. */
  events(viewer) { return this.told.map((event) => this.match.shown(event, viewer)).filter(Boolean); }

  /** Play it to its end: every deal derived, every move made. Fails if that is not what the file says. */
  verify() {
    const over = this.records.at(-1);
    this.seek(this.records.length);
    if (hex(sha256(utf8(canonical(this.match.canonical())))) !== over.state) throw new Error("played again, the match ends in another state than the file says");
    const scores = Object.keys(over.scores).map((seat) => over.scores[seat]);
    if (!ABORTED.includes(over.why) && String(scores) !== String(this.match.scores)) throw new Error("the scores are not those that were played");
  }
}
