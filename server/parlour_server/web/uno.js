// UNO on a page, as everybody sees it: opponents, piles, turn line. What a seat can do is in uno_play.js.

import { button, clean, h, keyed, set, style, text, who } from "./dom.js";
import { SHAPES, cardName, sign, suit } from "./cards.js";
import { turnOf } from "./uno_words.js";

const BACKS = 12; // backs that are drawn one by one

/** A card as it lies on the table; hidden from screen readers, who hear its name elsewhere. */
export function cardFace(card, small = false) {
  const mark = h("span", { class: "corner" }, sign(card)), shape = h("span", { class: "corner far" }, SHAPES[suit(card)]);
  const middle = h("span", { class: card < 100 ? "chip" : "chip quarters" }, card < 100 ? sign(card) : h("b", {}, sign(card)));
  return h("span", { class: `card ${suit(card)}${small ? " small" : ""}`, "aria-hidden": "true" }, mark, shape, middle);
}

export class Face {
  constructor(view) {
    Object.assign(this, { view, player: null, last: null, remarked: null });
    this.ready = style("uno.css");
    this.others = h("ul", { class: "others", "aria-label": "Players" });
    this.deck = button("", () => this.player?.deck(), { class: "deck" });
    this.top = h("div", { class: "top" });
    this.facts = h("div", { class: "facts" });
    this.head = h("strong");
    this.bar = h("span", { class: "clock" }, h("i"));
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.bar, this.seconds, this.rule);
    this.el = h("section", { class: "uno", "aria-label": "UNO" }, this.others,
      h("div", { class: "piles" }, h("figure", {}, this.deck, (this.deckCount = h("figcaption"))), h("figure", {}, this.top, h("figcaption", {}, "discard")), this.facts),
      this.line);
  }

  refused() { this.player?.refused(); }
  remark(words) { this.player?.remark(words); }
  key(event) { return this.player?.key(event) ?? false; }
  async standing(room) { return (await import("./uno_review.js")).standing(room, this.last); }
  hints() { return this.player?.hints() ?? []; }
  refocus() { return this.player?.refocus(); }
  manual() { return import("./uno_play.js"); }

  news(room, events) {
    this.player?.news(room, events);
    for (const event of events) if (event.e === "round" || event.e === "deal") this.last = event.e === "round" ? event : null;
  }

  // --- showing ---

  show(room) {
    const { view } = room;
    this.room = room;
    if (room.seat !== null && this.view.act && !this.player) this.#sit();
    this.player?.take(room);
    this.#seats(room);
    this.#piles(view);
    this.#turn(room);
    this.player?.show(room);
    this.tick(room);
  }

  /** Bring what somebody needs who plays. */
  async #sit() {
    this.sitting ??= Promise.all([import("./uno_play.js"), style("uno_play.css")]);
    const [{ Player }] = await this.sitting;
    if (this.player) return;
    this.player = new Player(this);
    this.view.show();
  }

  #seats(room) {
    const { view } = room, first = room.seat === null ? 0 : room.seat + 1, n = view.counts.length;
    const seats = view.counts.map((_, step) => (first + step) % n).filter((seat) => seat !== room.seat);
    const make = () => h("li", {}, ...["head", "backs", "count", "score", "shout"].map((part) => h("span", { class: part, "aria-hidden": part === "backs" && "true" })),
      h("span", { class: "clock" }, h("i")));
    keyed(this.others, seats, make).forEach((item, at) => {
      const seat = seats[at], row = room.row(seat), count = view.counts[seat], out = view.out.includes(seat);
      const [head, backs, number, score, shout] = item.children;
      const kind = row?.by === "standin" ? "stand-in" : row?.here === false ? "away" : row?.kind ?? "";
      head.replaceChildren(who(room.name(seat)), h("span", { class: "dim" }, ` ${kind}`));
      text(backs, "▮".repeat(Math.min(count, BACKS)) + (count > BACKS ? "…" : ""));
      text(number, out ? "out" : `${count} ${count === 1 ? "card" : "cards"}`);
      text(score, `${view.scores[seat]} points`);
      text(shout, view.called.includes(seat) ? "UNO!" : "");
      item.className = `seat${view.turn === seat ? " on" : ""}${out ? " out" : ""}`;
      set(item, { "aria-current": view.turn === seat ? "true" : null });
    });
  }

  #piles(view) {
    text(this.deckCount, `deck ${view.deck}`);
    set(this.deck, { "aria-label": `${this.player?.drawable ? "Draw from the" : "The"} deck of ${view.deck}`, "aria-disabled": this.player?.drawable ? null : "true" });
    if (this.topCard !== view.top) {
      this.topCard = view.top;
      this.top.replaceChildren(cardFace(view.top), h("span", { class: "unseen" }, `On top: ${cardName(view.top)}`));
    }
    const facts = [view.colour && h("span", { class: `colour ${view.colour}` }, `${SHAPES[view.colour]} ${view.colour}`),
      h("span", { class: "direction" }, view.direction === 1 ? "↻ clockwise" : "↺ counter-clockwise"),
      view.pending && h("span", { class: "pending" }, `+${view.pending} pending`),
      this.room.seat !== null && h("span", { class: "dim" }, `you have ${view.scores[this.room.seat]} points`)].filter(Boolean);
    const key = facts.map((fact) => fact.textContent).join();
    if (this.factsKey !== key) this.facts.replaceChildren(...facts);
    this.factsKey = key;
  }

  #turn(room) {
    const [head, rules] = this.player?.turn(room) ?? turnOf(room), rid = room.question?.rid;
    text(this.head, clean(head));
    if (!this.remarked || rid !== this.remarked) text(this.rule, rules);
    if (rid !== this.remarked) this.remarked = null;
    set(this.line, { class: `turn row${room.question && this.player ? " mine" : ""}` });
  }

  tick(room) {
    const { view, question } = room, now = performance.now();
    const show = (clock, left, of) => {
      clock.hidden = left === null;
      if (left !== null) clock.firstChild.style.setProperty("width", `${Math.min(100, (100 * left) / of).toFixed(1)}%`);
    };
    const seat = question ? room.seat : view.turn, left = seat === null ? null : room.left(seat, now);
    show(this.bar, left, Math.max(20_000, room.clocks[seat] ?? 0));
    text(this.seconds, left === null ? "" : `${Math.ceil(left / 1000)} s`);
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
    for (const item of this.others.children) {
      const other = Number(item.dataset.key);
      show(item.lastChild, room.left(other, now), Math.max(20_000, room.clocks[other] ?? 0));
    }
  }
}
