// The review of a seat in a finished match: the server does it, and says how far it is.

import { announce, button, h, text } from "../core/dom.js";
import { say } from "../core/phrases.js";

const AGAIN = 700; // ms between two questions

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
   * @param {GameReview} words
   * @param {(act: number) => void} seek
   * @param {() => void} changed
   */
  constructor(app, digest, words, seek, changed) {
    this.app = app;
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
      const lines = this.words.findings(review, name);
      this.list.replaceChildren(
        ...lines.map(({ n, words }) => h("li", {}, n === null ? words : button(words, () => this.seek(n)))),
      );
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
    return decision ? this.words.remark(decision) : null;
  }

  /**
   * @param {number} done
   * @param {number} of
   */
  #progress(done, of) {
    text(this.status, say("page.replay.review.doing", { done, of }));
  }
}
