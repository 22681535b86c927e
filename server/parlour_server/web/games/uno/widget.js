// The table of UNO as everybody sees it: opponents, piles, turn line.

import { button, h, put, set, style, text } from "../../core/dom.js";
import { playerOf, say, timeLeft } from "../../core/phrases.js";
import { Seats, URGENT } from "../../core/seats.js";
import { SHAPES, cardFace, cardName, colourName, rule } from "./cards.js";

const PILED = 3, // cards of the pile that are seen
  LONG = 20; // characters of a head that may need two lines

/**
 * The turn line as everybody sees it: a head, and the rule for the next card.
 * @param {Room} room
 */
function turnOf(room) {
  const { view } = room;
  if (room.over || view.phase === "over") return [say("uno.turn.match_over"), ""];
  if (view.phase === "pause") return [say("uno.turn.round_over"), say("uno.turn.next_round")];
  if (view.turn === null) return [say("uno.turn.calls"), ""];
  return view.turn === room.seat
    ? [say("uno.turn.coming"), ""]
    : [say("uno.turn.other", { seat: view.turn }, { player: playerOf(room) }), rule(view)];
}

/**
 * The slant of a card on the pile, in degrees.
 * @param {number} card
 */
const slant = (card) => ((card * 37) % 19) - 9;

export class Widget {
  /** @type {import("./controls.js").Controls | null} */
  controls = null;
  /** @type {import("./motion.js").Motion | null} */
  motion = null;
  /** @type {Room} */
  room;
  /** @type {Plain | null} The event that ended the last round. */
  last = null;
  /** @type {number | undefined} The card on top of the pile. */
  laid;
  factsKey = "";
  /** @type {Promise<any> | undefined} */
  sitting;
  /** @type {Promise<void> | undefined} */
  loading;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.deck = button("", () => this.controls?.deck(), { class: "deck" });
    this.top = h("div", { class: "top" });
    this.onTop = h("span", { class: "unseen" });
    this.facts = h("div", { class: "facts" });
    this.head = h("strong");
    this.filled = h("i");
    this.bar = h("span", { class: "clock" }, this.filled);
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.bar, this.seconds, this.rule);
    this.piles = h(
      "div",
      { class: "piles" },
      h("figure", {}, this.deck, (this.deckCount = h("figcaption"))),
      h("figure", {}, this.top, this.onTop, h("figcaption", {}, say("page.uno.discard"))),
      this.facts,
    );
    this.felt = h("div", { class: "felt" }, this.piles);
    this.seats = new Seats(this.felt);
    this.el = h("section", { class: "felted uno", "aria-label": "UNO" }, this.felt, this.line);
  }

  /** @param {Room} room */
  async scoreboard(room) {
    return (await import("./scoreboard.js")).scoreboard(room, this.last);
  }
  /** @param {Room} room */
  async inCharacters(room) {
    return (await import("./scoreboard.js")).inCharacters(room);
  }
  manual() {
    return import("./controls.js");
  }

  /**
   * @param {Room} room
   * @param {Plain[]} events
   * @param {boolean} live
   */
  news(room, events, live) {
    if (live && this.laid !== undefined) this.#moving();
    if (live) this.motion?.news(room, events);
    this.controls?.news(room, events);
    for (const event of events)
      if (event.e === "round" || event.e === "deal") this.last = event.e === "round" ? event : null;
  }

  /** Load what moves, when something happens for the first time. */
  #moving() {
    this.loading ??= import("./motion.js").then(
      ({ Motion }) => {
        this.motion = new Motion(this);
      },
      () => {},
    );
  }

  /** @param {Room} room */
  show(room) {
    const { view } = room;
    this.room = room;
    if (room.seat !== null && this.view.act && !this.controls) this.#sit();
    this.controls?.take(room);
    this.#seats(room);
    this.#piles(view);
    this.#turn(room);
    this.controls?.show(room);
    this.tick(room);
  }

  /** Load the controls for a player. */
  async #sit() {
    this.sitting ??= Promise.all([import("./controls.js"), style("styles/hand.css")]);
    const [{ Controls }] = await this.sitting;
    if (this.controls) return;
    this.controls = new Controls(this);
    this.view.show();
  }

  /** @param {Room} room */
  #seats(room) {
    const { view } = room;
    set(this.felt, { "data-colour": view.colour });
    this.seats.show(room, view.counts.length, (seat) => {
      const count = view.counts[seat],
        out = view.out.includes(seat);
      return {
        count,
        tally: {
          count: say(out ? "page.uno.out" : "page.uno.cards", { n: count }),
          score: say("page.uno.score", { n: view.scores[seat] }),
        },
        shout: view.called.includes(seat) ? "UNO!" : "",
        out,
      };
    });
  }

  /** @param {Plain} view */
  #piles(view) {
    text(this.deckCount, say("page.uno.deck", { n: view.deck }));
    set(this.deck, {
      "aria-label": say("page.uno.draw_from", { can: this.controls?.drawable, n: view.deck }),
      "aria-disabled": this.controls?.drawable ? null : "true",
    });
    if (this.laid !== view.top) {
      this.laid = view.top;
      const card = cardOnPile(view.top);
      this.top.lastElementChild?.classList.add("below");
      this.top.append(card);
      if (this.top.children.length > PILED) this.top.firstElementChild?.remove();
      text(this.onTop, say("page.uno.on_top", { card: cardName(view.top) }));
      this.motion?.laid(card, view);
    }
    const facts = [
      view.colour && h("span", { class: `colour ${view.colour}` }, `${SHAPES[view.colour]} ${colourName(view.colour)}`),
      h("span", { class: "direction unseen" }, say("page.uno.direction", { clockwise: view.direction === 1 })),
      view.pending && h("span", { class: "pending" }, say("page.uno.pending", { n: view.pending })),
      this.room.seat !== null &&
        h("span", { class: "dim" }, say("page.uno.own_score", { n: view.scores[this.room.seat] })),
    ].filter(Boolean);
    const key = facts.map((fact) => fact.textContent).join();
    set(this.piles, { "data-direction": view.direction });
    if (this.factsKey !== key) this.facts.replaceChildren(...facts);
    this.factsKey = key;
  }

  /** @param {Room} room */
  #turn(room) {
    const [head, rules] = this.controls?.turn(room) ?? turnOf(room);
    text(this.head, head);
    text(this.rule, rules);
    const mine = room.question && this.controls;
    set(this.line, { class: `turn row${mine ? " mine" : ""}${head.length > LONG ? " long" : ""}` });
  }

  /** @param {Room} room */
  tick(room) {
    const { view, question } = room,
      now = performance.now();
    const seat = question ? room.seat : view.turn,
      left = seat === null ? null : room.left(seat, now);
    this.bar.hidden = left === null;
    if (left !== null) this.filled.style.setProperty("width", `${Math.min(100, (100 * left) / URGENT).toFixed(1)}%`);
    text(this.seconds, left === null ? "" : timeLeft(left));
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
    this.seats.tick(room, this.line);
  }
}

/**
 * A card as it lies on the pile.
 * @param {number} card
 */
function cardOnPile(card) {
  const el = cardFace(card);
  put(el, { "--turn": `${slant(card)}deg`, "--off": `${slant(card) / 2}px` });
  return el;
}
