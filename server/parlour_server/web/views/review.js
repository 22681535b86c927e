// The review of a seat in a finished match: the server does it, and says how far it is.

import { announce, button, h, text } from "../core/dom.js";
import { percent, say } from "../core/phrases.js";

const AGAIN = 700; // ms between two questions
const SHOWN = 10; // mistakes

/**
 * Ask the server for a review until it is done. Fails with its refusal; null if `wanted` no longer holds.
 * @param {App} app
 * @param {string} digest
 * @param {number} seat
 * @param {(review: Protocol.ServerReview) => void} progress
 * @param {() => boolean} wanted
 */
async function reviewed(app, digest, seat, progress, wanted) {
  /** @type {Plain[]} */
  const decisions = [];
  while (wanted()) {
    /** @type {Protocol.ServerReview} */
    const review = await app.ask({ t: "review", digest, seat, after: decisions.length });
    decisions.push(...(review.decisions ?? []));
    if (review.rounds && review.after === undefined) return { ...review, decisions };
    if (review.rounds) continue;
    progress(review);
    await new Promise((done) => setTimeout(done, AGAIN));
  }
  return null;
}

/**
 * What was found, in sentences: in all, by round, and the mistakes, the most costly first. `n` is the number of an act.
 * @param {string} game
 * @param {GameReview} words
 * @param {Protocol.ServerReview} review
 * @param {string} name
 * @returns {{ n: number | null, words: string }[]}
 */
function findings(game, { action }, { decisions, rounds }, name) {
  const all = decisions ?? [],
    played = rounds ?? [],
    mistakes = all.filter(({ mistake }) => mistake).sort((a, b) => b.cost - a.cost);
  const luck = played.length ? signed(sum(played, "luck")) : null;
  return [
    {
      n: null,
      words: say(`${game}.review.sum`, {
        name,
        n: all.length,
        mistakes: mistakes.length,
        cost: share(sum(all, "cost")),
        luck,
      }),
    },
    ...played.map((each) => ({
      n: null,
      words: say(`${game}.review.round`, {
        n: each.round,
        before: share(each.before),
        after: share(each.after),
        luck: signed(each.luck),
        cost: signed(-each.cost),
      }),
    })),
    ...mistakes.slice(0, SHOWN).map((each) => ({
      n: each.n,
      words: say(`${game}.review.mistake`, {
        n: each.n,
        round: each.round,
        action: action(each.action),
        best: action(each.best),
        chance: each.chance === null ? null : share(each.chance),
        cost: share(each.cost),
        error: share(each.error),
      }),
    })),
  ];
}

/**
 * @param {Plain[]} rows
 * @param {string} field
 */
const sum = (rows, field) => rows.reduce((whole, row) => whole + row[field], 0);
/** @param {number} value */
const share = (value) => percent(value, 1);
/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${percent(Math.abs(value), 1)}`;

/** A panel with the review of one seat of a match at a time. */
export class ReviewPanel {
  /** @type {Map<number, Protocol.ServerReview>} By seat. */
  found = new Map();
  /** @type {number | null} The seat that is shown, or asked for. */
  seat = null;
  status = h("p", { class: "dim", role: "status" });
  list = h("ul", { class: "review" });
  el = h(
    "section",
    { "aria-label": say("page.replay.review"), hidden: true },
    h("h2", {}, say("page.replay.review")),
    this.status,
    this.list,
    h("p", { class: "dim" }, say("page.replay.review.note")),
  );

  /**
   * `seek` shows the position before an act; `changed` is called when a review is there.
   * @param {App} app
   * @param {string} digest
   * @param {string} game
   * @param {GameReview} words
   * @param {(act: number) => void} seek
   * @param {() => void} changed
   */
  constructor(app, digest, game, words, seek, changed) {
    this.app = app;
    this.game = game;
    this.digest = digest;
    this.words = words;
    this.seek = seek;
    this.changed = changed;
  }

  /**
   * Review a seat.
   * @param {number} seat
   * @param {string} name
   */
  async show(seat, name) {
    this.seat = seat;
    this.el.hidden = false;
    this.list.replaceChildren();
    this.el.scrollIntoView({ block: "nearest" });
    try {
      const review =
        this.found.get(seat) ??
        (await reviewed(
          this.app,
          this.digest,
          seat,
          ({ done, of }) => this.#progress(done, of),
          () => this.seat === seat,
        ));
      if (!review || this.seat !== seat) return;
      this.found.set(seat, review);
      text(this.status, "");
      const lines = findings(this.game, this.words, review, name);
      this.list.replaceChildren(
        ...lines.map(({ n, words }) => h("li", {}, n === null ? words : button(words, () => this.seek(n)))),
      );
      this.el.scrollIntoView({ block: "nearest" });
      announce(lines[0].words);
      this.changed();
    } catch (error) {
      if (this.seat === seat) text(this.status, await this.app.explain(error));
    }
  }

  /** Ask no more. */
  stop() {
    this.seat = null;
  }

  /**
   * What would have been better at an act of a seat whose review is there, null without a mistake.
   * @param {number} seat
   * @param {number} act
   */
  remark(seat, act) {
    const decision = this.found.get(seat)?.decisions?.find(({ n }) => n === act);
    if (!decision?.mistake) return null;
    const { best, cost } = decision;
    return say(`${this.game}.review.remark`, { best: this.words.action(best), cost: share(cost) });
  }

  /**
   * @param {number} done
   * @param {number} of
   */
  #progress(done, of) {
    text(this.status, say("page.replay.review.doing", { done, of }));
  }
}
