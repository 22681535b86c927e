// The table of UNO as everybody sees it: opponents, piles, turn line.

import { button, changes, clean, h, keyed, set, style, text, who } from "../../core/dom.js";
import { face } from "../../core/faces.js";
import { playerOf, say, timeLeft } from "../../core/phrases.js";
import { SHAPES, cardFace, cardName, colourName, rule } from "./cards.js";

const URGENT = 20_000; // ms, what a full bar of time stands for
const BACKS = 9; // cards drawn one by one
const PILED = 3; // cards of the pile that are seen
// by opponents: how many sit on each side, the others across the table; the second for an upright phone
const SIDES = [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3],
  LOW_SIDES = [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3];

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
 * Where opponents sit, clockwise from our left: [column, line] of the grid, and how many sit across. A phone has twelve
 * columns: those across share them, those on the sides have three each.
 * @param {number} count
 */
function places(count) {
  const sides = SIDES[count] ?? 3,
    low = LOW_SIDES[count] ?? 3;
  /**
   * @param {number} seat
   * @param {number} sides
   * @returns {[side: number, line: number]} -1 for the left, 1 for the right, 0 across
   */
  const at = (seat, sides) =>
    seat < sides ? [-1, 1 + sides - seat] : seat >= count - sides ? [1, 2 + seat - (count - sides)] : [0, 1];
  const across = Math.max(1, count - 2 * sides),
    wide = 12 / Math.max(1, count - 2 * low);
  /** @param {number} seat */
  const place = (seat) => {
    const [side, line] = at(seat, sides),
      [lowSide, lowLine] = at(seat, low);
    return {
      "--align": side ? "center" : "start",
      "--low-align": lowSide ? "center" : "start",
      "--column": side < 0 ? 1 : side > 0 ? across + 2 : 2 + seat - sides,
      "--line": line,
      "--low-column":
        lowSide < 0 ? "1 / span 3" : lowSide > 0 ? "10 / span 3" : `${1 + (seat - low) * wide} / span ${wide}`,
      "--low-line": lowLine,
    };
  };
  return { "--sides": Math.max(1, sides), "--across": across, "--low-sides": Math.max(1, low), low, place };
}

/**
 * The slant of a card on the pile, in degrees.
 * @param {number} card
 */
const slant = (card) => ((card * 37) % 19) - 9;

/**
 * @param {HTMLElement} el
 * @param {Record<string, string | number>} values
 */
const put = (el, values) => {
  for (const [name, value] of Object.entries(values)) el.style.setProperty(name, String(value));
};

export class Widget {
  /** @type {import("./controls.js").Controls | null} */
  controls = null;
  /** @type {import("./motion.js").Motion | null} */
  motion = null;
  /** @type {Room} */
  room;
  /** @type {Plain | null} The event that ended the last round. */
  last = null;
  /** @type {number[]} The last cards of the pile, the one on top at the end. */
  pile = [];
  factsKey = "";
  /** @type {Promise<any> | undefined} */
  sitting;
  /** @type {Promise<void> | undefined} */
  loading;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.others = h("ul", { class: "others", "aria-label": say("page.room.players") });
    this.deck = button("", () => this.controls?.deck(), { class: "deck" });
    this.top = h("div", { class: "top" });
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
      h("figure", {}, this.top, h("figcaption", {}, say("page.uno.discard"))),
      this.facts,
    );
    this.lamp = h("div", { class: "lamp", "aria-hidden": "true" });
    this.felt = h("div", { class: "felt" }, this.lamp, this.others, this.piles);
    this.el = h("section", { class: "uno", "aria-label": "UNO" }, this.felt, this.line);
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
    if (live && this.pile.length) this.#moving();
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
    this.sitting ??= Promise.all([import("./controls.js"), style("games/uno/controls.css")]);
    const [{ Controls }] = await this.sitting;
    if (this.controls) return;
    this.controls = new Controls(this);
    this.view.show();
  }

  /** @param {Room} room */
  #seats(room) {
    const { view } = room,
      first = room.seat === null ? 0 : room.seat + 1,
      n = view.counts.length;
    /** @type {number[]} */
    const counts = view.counts;
    const seats = counts.map((_, step) => (first + step) % n).filter((seat) => seat !== room.seat);
    const make = () =>
      h(
        "li",
        {},
        h("span", { class: "face", "aria-hidden": "true" }),
        h("span", { class: "backs", "aria-hidden": "true" }),
        h(
          "span",
          { class: "plate" },
          h("span", { class: "head" }),
          h("span", { class: "tally" }, h("span", { class: "count" }), h("span", { class: "score" })),
        ),
        h("span", { class: "shout" }),
      );
    const { low, place, ...around } = places(seats.length);
    put(this.felt, around);
    set(this.felt, { "data-low": low, "data-colour": view.colour });
    keyed(this.others, seats, make).forEach((item, at) => {
      const seat = seats[at],
        row = room.row(seat),
        count = view.counts[seat],
        out = view.out.includes(seat);
      const [portrait, backs, plate, shout] = item.children,
        [head, tally] = plate.children,
        [number, score] = tally.children;
      const kind = row?.by === "standin" ? "standin" : row?.here === false ? "away" : row?.kind;
      const name = clean(room.name(seat)),
        bot = row?.kind === "bot";
      put(item, place(at));
      if (changes(portrait, `${bot} ${name}`)) portrait.replaceChildren(face(name, bot));
      const drawn = kind === "human" || kind === "bot"; // by the face
      head.replaceChildren(
        who(room.name(seat), { title: name }),
        h("span", { class: `dim${drawn ? " unseen" : ""}` }, kind ? ` ${say("page.room.kind", { kind })}` : ""),
      );
      if (changes(backs, String(count))) backs.replaceChildren(...fan(count));
      text(number, say(out ? "page.uno.out" : "page.uno.cards", { n: count }));
      text(score, say("page.uno.score", { n: view.scores[seat] }));
      text(shout, view.called.includes(seat) ? "UNO!" : "");
      item.className = `seat${view.turn === seat ? " on" : ""}${out ? " out" : ""}`;
      set(item, { "aria-current": view.turn === seat ? "true" : null });
    });
  }

  /** @param {Plain} view */
  #piles(view) {
    text(this.deckCount, say("page.uno.deck", { n: view.deck }));
    set(this.deck, {
      "aria-label": say("page.uno.draw_from", { can: this.controls?.drawable, n: view.deck }),
      "aria-disabled": this.controls?.drawable ? null : "true",
    });
    if (this.pile.at(-1) !== view.top) {
      this.pile = [...this.pile, view.top].slice(-PILED);
      const cards = this.pile.map(cardOnPile),
        card = cards[cards.length - 1];
      for (const below of cards.slice(0, -1)) below.classList.add("below");
      this.top.replaceChildren(
        ...cards,
        h("span", { class: "unseen" }, say("page.uno.on_top", { card: cardName(view.top) })),
      );
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
    text(this.head, clean(head));
    text(this.rule, rules);
    set(this.line, { class: `turn row${room.question && this.controls ? " mine" : ""}` });
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
    for (const item of this.others.querySelectorAll("li")) {
      const other = Number(item.dataset.key),
        rest = room.left(other, now);
      /** @type {HTMLElement} */ (item.firstChild).style.setProperty(
        "--left",
        rest === null ? "0" : Math.min(100, (100 * rest) / URGENT).toFixed(0),
      );
    }
    this.#light(room);
  }

  /**
   * Move the lamp to the player whose turn it is: over a seat, or before us.
   * @param {Room} room
   */
  #light({ view }) {
    const seat = this.others.querySelector("li.on"),
      own = view.turn !== null && view.turn === this.room.seat;
    const to = seat ?? (own ? this.line : null);
    this.lamp.hidden = !to;
    if (!to) return;
    const felt = this.felt.getBoundingClientRect(),
      { left, top, width, height } = to.getBoundingClientRect();
    put(this.lamp, {
      "--x": `${Math.round(left + width / 2 - felt.left)}px`,
      "--y": `${Math.round(top + height / 2 - felt.top)}px`,
    });
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

/**
 * A hand as its backs: a fan, and how many cards it has.
 * @param {number} count
 */
function fan(count) {
  const n = Math.min(count, BACKS);
  const backs = Array.from({ length: n }, (_, i) => {
    const back = h("i");
    put(back, { "--i": i, "--n": n });
    return back;
  });
  return [...backs, h("b", {}, String(count))];
}
