// A saved game: whether it is sound, and the match in it played once more. Without a page, so that it can be tested without one.

import { commitment, hex, join, sha256, utf8 } from "./fair.js";

const RULES = { uno: () => import("./uno_match.js"), minesweeper: () => import("./mines_match.js") };
const ABORTED = ["aborted", "expired"];

/** Plain data the one way it is written: keys sorted, no spaces. */
export const canonical = (value) =>
  Array.isArray(value) ? `[${value.map(canonical).join(",")}]`
  : value !== null && typeof value === "object" ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`
  : JSON.stringify(value);

/** The records of a game file whose chain and commitment are right. Fails with what is wrong. */
export function check(content, digest = null) {
  let chain = new Uint8Array();
  const records = content.trimEnd().split("\n").map((line, at) => {
    const { h: hash, ...record } = JSON.parse(line);
    chain = sha256(join(chain, utf8(canonical(record))));
    if (line !== canonical({ ...record, h: hex(chain) })) throw new Error(`line ${at + 1}: its hash or form is wrong`);
    return record;
  });
  const begun = records[0];
  if (digest !== null && digest !== hex(chain)) throw new Error("this is not the record that the digest belongs to");
  if (begun.r !== "begun" || records.at(-1).r !== "over") throw new Error("this is not the file of a whole match");
  if (commitment(begun.secret) !== begun.commit) throw new Error("line 1: the commitment is not that of the secret");
  if (!begun.context.endsWith(`/${begun.match}`)) throw new Error("line 1: the context is not that of the match");
  return { records, digest: hex(chain) };
}

/** A match that can be shown at each of its records; `at` is how many of them have been done. */
export class Retelling {
  constructor(records, Match) {
    Object.assign(this, { records, Match });
    this.#begin();
  }

  /** The match of checked `records`. Fails for a game that is not known here. */
  static async of(records) {
    const { game, rules } = records[0];
    if (!RULES[game] || rules !== 1) throw new Error(`version ${rules} of ${game} is not known here`);
    return new Retelling(records, (await RULES[game]()).Match);
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
