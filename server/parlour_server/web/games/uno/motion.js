// What moves on a table of UNO: cards from a seat to the pile, from the deck to a hand, and words over a seat.

import { h } from "../../core/dom.js";
import { arrive, bubble, fly, place } from "../../core/motion.js";
import { say } from "../../core/phrases.js";

const MOST = 6; // cards that fly at the same time
const BUBBLES = ["uno", "skip", "caught", "challenge", "accept"]; // events

export class Motion {
  /** @type {DOMRect | null} Where the card on top comes from. */
  #from = null;

  /** @param {import("./widget.js").Widget} widget */
  constructor(widget) {
    this.widget = widget;
  }

  /**
   * Show events before the table changes.
   * @param {Room} room
   * @param {Plain[]} events
   */
  news(room, events) {
    const ended = events.some(({ e }) => e === "round"); // the result covers the seats
    /** @type {Map<Element, { words: string[], kind: string }>} By what it is said over. */
    const said = new Map();
    for (const event of events) {
      const { e, seat, n, jump, uno } = event,
        own = seat === room.seat,
        el = own ? this.widget.controls?.hand : this.#seat(seat);
      if (e === "play") this.#from = own ? (this.widget.controls?.laid() ?? null) : place(el);
      if (e === "draw" && n) this.#draw(place(el), n);
      const what = e === "play" ? (uno ? "uno" : jump ? "jump" : null) : BUBBLES.includes(e) ? e : null;
      const words = e === "draw" && n > 1 ? `+${n}` : what && say("page.uno.bubble", { said: what });
      if (!words || !el || ended) continue;
      const before = said.get(el);
      said.set(el, {
        words: [...(before?.words ?? []), words],
        kind: e === "uno" || uno ? "loud" : (before?.kind ?? ""),
      });
    }
    for (const [el, { words, kind }] of said) bubble(el, words.join(" · "), kind);
  }

  /**
   * Let the new card on top come from where it was.
   * @param {HTMLElement} card
   */
  laid(card) {
    arrive(card, this.#from);
    this.#from = null;
  }

  /** @param {number} seat */
  #seat(seat) {
    return [...this.widget.others.querySelectorAll("li")].find((item) => item.dataset.key === String(seat));
  }

  /**
   * @param {DOMRect | null} to
   * @param {number} n
   */
  #draw(to, n) {
    const from = place(this.widget.deck);
    for (let card = 0; card < Math.min(n, MOST); card++)
      fly(h("span", { class: "deck" }), from, to, { delay: 80 * card });
  }
}
