// What moves on a table of UNO: cards from a seat to the pile and from the deck to a hand, the felt, words over a seat.

import { framed, h, put } from "../../core/dom.js";
import { arrive, bubble, fly, moving, place, shake } from "../../core/motion.js";
import { say } from "../../core/phrases.js";
import { sign } from "./cards.js";

const MOST = 6, // cards that fly at the same time
  PLAY = 180,
  STEP = 60, // ms between two cards
  LIGHT = 500,
  WASH = 420;
const BUBBLES = ["uno", "skip", "caught", "challenge", "accept"]; // events

export class Motion {
  /** @type {DOMRect | null} Where the card on top comes from. */
  #from = null;
  /** @type {string | undefined} The colour of the felt before the table changes. */
  #colour;

  /** @param {import("./widget.js").Widget} widget */
  constructor(widget) {
    this.widget = widget;
  }

  /**
   * Show events: note where things are before the table changes; what flies or is said comes in the frame after it has.
   * @param {Room} room
   * @param {Plain[]} events
   */
  async news(room, events) {
    this.#colour = this.widget.felt.dataset.colour;
    const ended = events.some(({ e }) => e === "round"); // the result covers the seats
    /** @type {Map<Element, { words: string[], kind: string }>} By what it is said over. */
    const said = new Map();
    /** @type {[to: DOMRect | null, n: number][]} */
    const drawn = [];
    for (const event of events) {
      const { e, seat, n, jump, uno } = event,
        own = seat === room.seat,
        el = own ? this.widget.controls?.hand : this.widget.seats.item(seat);
      if (e === "play") this.#from = own ? (this.widget.controls?.laid() ?? null) : place(el);
      if (e === "draw" && n) drawn.push([place(el), n]);
      const what = e === "play" ? (uno ? "uno" : jump ? "jump" : null) : BUBBLES.includes(e) ? e : null;
      const words = e === "draw" && n > 1 ? `+${n}` : what && say("page.uno.bubble", { said: what });
      if (!words || !el || ended) continue;
      const before = said.get(el);
      said.set(el, {
        words: [...(before?.words ?? []), words],
        kind: e === "uno" || uno ? "loud" : (before?.kind ?? ""),
      });
    }
    const deck = place(this.widget.deck);
    await framed();
    for (const [el, { words, kind }] of said) bubble(el, words.join(" · "), kind);
    for (const [to, n] of drawn)
      for (let card = 0; card < Math.min(n, MOST); card++)
        fly(h("span", { class: "deck" }), deck, to, { delay: STEP * card });
  }

  /**
   * Let the new card on top come from where it was, and another light on the felt come up. When the card lies, a draw
   * card slams, and a wild one washes the table in its colour.
   * @param {HTMLElement} card
   * @param {Plain} view
   */
  laid(card, { top, colour }) {
    const { felt, piles } = this.widget,
      from = this.#from,
      lit = colour !== this.#colour;
    this.#from = null;
    if (!from || !moving()) return;
    if (lit) felt.animate({ opacity: [0, 1] }, { duration: LIGHT, pseudoElement: "::before" });
    requestAnimationFrame(() => {
      const [to, around] = [place(card), place(felt)]; // before anything moves
      const flight = arrive(card, from, PLAY);
      piles.classList.toggle("landing", flight !== null);
      flight?.finished.finally(() => piles.classList.remove("landing"));
      setTimeout(() => {
        if (sign(top).startsWith("+")) shake(piles);
        if (top >= 100 && colour) this.#wash(felt, to, around, colour);
      }, PLAY);
    });
  }

  /**
   * @param {Element} felt
   * @param {DOMRect | null} from
   * @param {DOMRect | null} around
   * @param {string} colour
   */
  #wash(felt, from, around, colour) {
    if (!from || !around) return;
    const wash = h("i", { class: `wash ${colour}`, "aria-hidden": "true" });
    put(wash, {
      "--x": `${from.left + from.width / 2 - around.left}px`,
      "--y": `${from.top + from.height / 2 - around.top}px`,
      "--across": `${1.5 * Math.hypot(around.width, around.height)}px`,
    });
    felt.prepend(wash);
    wash
      .animate(
        [
          { scale: 0, opacity: 0.75 },
          { scale: 0.7, opacity: 0.5, offset: 0.6 },
          { scale: 1, opacity: 0 },
        ],
        { duration: WASH, easing: "ease-out", pseudoElement: "::before" },
      )
      .finished.finally(() => wash.remove());
  }
}
