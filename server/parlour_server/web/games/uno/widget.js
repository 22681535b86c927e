// The table of UNO as everybody sees it: opponents, piles, turn line.

import { button, clean, h, keyed, set, style, text, who } from "../../core/dom.js";
import { playerOf, say, timeLeft } from "../../core/phrases.js";
import { SHAPES, cardFace, cardName, colourName, rule } from "./cards.js";

const URGENT = 20_000; // ms, what a full bar of time stands for
const BACKS = 8; // cards drawn one by one
const SIDES = [0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4]; // by opponents: how many sit on each side, the others across the table

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
 * Where opponents sit, clockwise from our left: [column, line] of the grid, and how many sit across.
 * @param {number} count
 */
function places(count) {
  const sides = SIDES[count] ?? 4,
    across = Math.max(1, count - 2 * sides);
  /** @param {number} seat */
  const at = (seat) =>
    seat < sides
      ? [1, 1 + sides - seat]
      : seat >= count - sides
        ? [across + 2, 2 + seat - (count - sides)]
        : [2 + seat - sides, 1];
  return { sides: Math.max(1, sides), across, at };
}

/** @param {string} name */
const hue = (name) => [...name].reduce((sum, letter) => (31 * sum + Number(letter.codePointAt(0))) % 360, 7);

export class Widget {
  /** @type {import("./controls.js").Controls | null} */
  controls = null;
  /** @type {import("./motion.js").Motion | null} */
  motion = null;
  /** @type {Room} */
  room;
  /** @type {Plain | null} The event that ended the last round. */
  last = null;
  /** @type {number | undefined} */
  topCard;
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
    this.felt = h("div", { class: "felt" }, this.others, this.piles);
    this.el = h("section", { class: "uno", "aria-label": "UNO" }, this.felt, this.line);
  }

  /** @param {Room} room */
  async scoreboard(room) {
    return (await import("./scoreboard.js")).scoreboard(room, this.last);
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
    if (live && this.topCard !== undefined) this.#moving();
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
        h("span", { class: "head" }),
        h("span", { class: "backs", "aria-hidden": "true" }),
        h("span", { class: "tally" }, h("span", { class: "count" }), h("span", { class: "score" })),
        h("span", { class: "shout" }),
        h("span", { class: "face", "aria-hidden": "true" }, h("i")),
      );
    const { sides, across, at: where } = places(seats.length);
    this.felt.style.setProperty("--sides", String(sides));
    this.felt.style.setProperty("--across", String(across));
    keyed(this.others, seats, make).forEach((item, at) => {
      const seat = seats[at],
        row = room.row(seat),
        count = view.counts[seat],
        out = view.out.includes(seat);
      const [head, backs, tally, shout, face] = item.children,
        [number, score] = tally.children;
      const kind = row?.by === "standin" ? "standin" : row?.here === false ? "away" : row?.kind;
      const [column, line] = where(at),
        name = clean(room.name(seat));
      item.style.setProperty("--column", String(column));
      item.style.setProperty("--line", String(line));
      item.style.setProperty("--hue", String(hue(name)));
      text(face.children[0], [...name][0]?.toUpperCase() ?? "");
      head.replaceChildren(
        who(room.name(seat), { title: name }),
        h("span", { class: "dim" }, kind ? ` ${say("page.room.kind", { kind })}` : ""),
      );
      text(backs, "▮".repeat(Math.min(count, BACKS)) + (count > BACKS ? "…" : ""));
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
    if (this.topCard !== view.top) {
      const card = cardFace(view.top),
        below = this.topCard === undefined ? null : cardFace(this.topCard);
      below?.classList.add("below");
      this.topCard = view.top;
      this.top.replaceChildren(
        ...(below ? [below] : []),
        card,
        h("span", { class: "unseen" }, say("page.uno.on_top", { card: cardName(view.top) })),
      );
      this.motion?.laid(card);
    }
    const facts = [
      view.colour && h("span", { class: `colour ${view.colour}` }, `${SHAPES[view.colour]} ${colourName(view.colour)}`),
      h("span", { class: "direction" }, say("page.uno.direction", { clockwise: view.direction === 1 })),
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
      /** @type {HTMLElement} */ (item.lastChild).style.setProperty(
        "--left",
        rest === null ? "0" : Math.min(100, (100 * rest) / URGENT).toFixed(0),
      );
    }
  }
}
