// The controls of a player of UNO: the hand, and a button for each answer.

import { announce, button, h, keyed, put, set, text } from "../../core/dom.js";
import { draggable } from "../../core/drag.js";
import { capital, say } from "../../core/phrases.js";
import { SHAPES, cardFace, cardName, colourName, rule, symbol } from "./cards.js";
import { asked, challenged, chance, decided, mayCall, movesOf, open, spoken, together, whyNot } from "./moves.js";
import { said } from "./words.js";

/** @type {Record<string, string>} Answers by their keys. */
const ANSWERS = { d: "draw", p: "pass", a: "accept", x: "challenge" };
/** @type {Record<string, string>} */
const COLOUR_KEYS = { r: "red", y: "yellow", g: "green", b: "blue" };

const FANNED = 12; // cards of a hand that are held as a fan; more lie in rows

const KEYS = {
  "1–9, 0": "play",
  "← →": "move",
  d: "draw",
  p: "keep",
  "a x": "challenge",
  u: "call",
  c: "catch",
  j: "jump",
  "r y g b": "colour",
  m: "several",
};

export const keys = () => [
  ...Object.entries(KEYS).map(([key, does]) => [key, say(`page.help.uno.${does}`)]),
  [say("page.help.key.esc"), say("page.help.key.back")],
];

/** @typedef {[label: string, press: () => unknown, more: Props]} Item - a button of the menu */
/** @typedef {(label: string, press: () => unknown, more?: Props) => void} Add */

export class Controls {
  /** @type {Room} */
  room;
  /** @type {UnoMoves} */
  moves = movesOf({ question: null, may: [], view: null });
  /** @type {Way[] | null} */
  asking = null;
  calls = false;
  marking = false;
  /** @type {number[]} */
  marked = [];
  /** @type {Set<number>} */
  fresh = new Set();
  /** @type {number | null} */
  acted = null;
  /** @type {{ rid: number, cards: (number | null)[] } | null} */
  sent = null;
  /** @type {{ rid: number, words: string } | null} */
  remarked = null;
  prompted = 0;
  spoken = "";
  /** @type {Item[]} */
  items = [];
  menuKey = "";
  /** @type {number | undefined} The card that has the focus. */
  current;
  /** @type {DOMRect | undefined} */
  from;

  /** @param {import("./widget.js").Widget} widget */
  constructor(widget) {
    this.widget = widget;
    this.view = widget.view;
    this.menu = h("div", { class: "menu row", role: "group", "aria-label": say("page.room.actions") });
    this.hand = h("ul", { class: "hand", "aria-label": say("page.uno.hand") });
    widget.el.append(this.menu, this.hand);
    draggable(this.hand, widget.piles, (card) => this.#press(Number(card)));
  }

  get drawable() {
    return this.moves.answers.has("draw") || this.moves.answers.has("accept");
  }

  /**
   * @param {Room} room
   * @param {Plain[]} events
   */
  news(room, events) {
    for (const event of events) {
      if (event.seat === room.seat && event.e === "draw") for (const card of event.cards ?? []) this.fresh.add(card);
      if (["play", "pass", "deal"].includes(event.e) && (event.seat ?? room.seat) === room.seat) this.fresh.clear();
    }
  }

  /**
   * Update to the room as it is now.
   * @param {Room} room
   */
  take(room) {
    const { question, view } = room;
    this.room = room;
    this.moves = movesOf(room);
    const rids = new Set([question?.rid, ...room.may.map(({ rid }) => rid)]);
    this.asking = this.asking?.filter(([rid]) => rids.has(rid)) ?? null;
    if (!this.asking?.length) this.asking = this.moves.answers.get("colour") ?? null;
    if (this.sent !== null && !this.view.acting(this.sent.rid) && !this.view.pace.behind) this.sent = null;
    if (!question) this.#unmark();
    if (!mayCall(view, Math.max(1, this.marked.length))) this.calls = false;
  }

  /**
   * Our own turn line; null if it is the same for everybody.
   * @param {Room} room
   */
  turn(room) {
    const { view, question } = room;
    if (question) {
      const [head, rules] = asked(room, this.moves),
        { remarked } = this;
      return [head, remarked?.rid === question.rid ? remarked.words : rules];
    }
    const words = view.turn === null && chance(this.moves);
    return words ? [say("uno.turn.quick"), words] : null;
  }

  /** @param {Room} room */
  show(room) {
    const { question, view } = room;
    if (question && question.rid !== this.prompted)
      announce(`${asked(room, this.moves).join(". ").replace(rule(view), spoken(view))}.`);
    this.prompted = question?.rid ?? this.prompted;
    const reactions = [...this.moves.reactions.keys()].join();
    if (reactions && reactions !== this.spoken) announce(this.#reactionWords());
    this.spoken = reactions;
    this.#menu();
    this.#hand();
  }

  #reactionWords() {
    const { reactions } = this.moves;
    return say("page.uno.react", Object.fromEntries([...reactions.keys()].map((what) => [what, true])));
  }

  // --- what can be answered ---

  #menu() {
    const { moves, room } = this,
      jumps = moves.reactions.get("jump") ?? [];
    /** @type {Item[]} */
    const items = [];
    /** @type {Add} */
    const add = (label, press, more = {}) => items.push([label, press, more]);
    const about = this.asking && open(this.asking);
    if (about) this.#narrowing(about, add);
    if (moves.reactions.has("uno"))
      add("UNO!", () => this.#go(moves.reactions.get("uno")), { class: "loud", key: "u" });
    for (const way of moves.reactions.get("catch") ?? [])
      add(capital(say("uno.do.catch", { who: room.name(way[1].seat) })), () => this.#go([way]), {
        class: "loud",
        key: "c",
      });
    for (const card of new Set(jumps.map(([, action]) => action.card))) {
      add(
        capital(say("uno.do.jump", { card: cardName(card) })),
        () => this.#go(jumps.filter(([, action]) => action.card === card)),
        { class: "loud", key: "j" },
      );
    }
    if (!about && this.sent?.rid !== room.question?.rid) this.#answers(add);
    if (room.underWay && mayCall(room.view, Math.max(1, this.marked.length)) && !moves.reactions.has("uno")) {
      add(capital(say("uno.do.call")), () => this.#toggleCall(), { key: "u", "aria-pressed": String(this.calls) });
    }
    if (room.view.out.includes(room.seat) && this.view.canSkip) add(say("room.skip"), () => this.view.skip());
    if (room.question && room.table.options.multi_play && !about) {
      add(say("page.uno.several"), () => this.#toggleMarking(), { key: "m", "aria-pressed": String(this.marking) });
      if (this.marked.length > 1)
        add(capital(say("uno.do.together", { n: this.marked.length })), () => this.#go(together(room, this.marked)), {
          class: "main",
        });
    }
    this.items = items;
    this.widget.el.classList.toggle("hit", Boolean(room.view.pending) && items.length < 3);
    this.#draw(items, about);
  }

  /**
   * @param {Item[]} items
   * @param {Choice | null} about
   */
  #draw(items, about) {
    const key = items.map(([label, , more]) => label + more["aria-pressed"]).join();
    if (key === this.menuKey) return;
    this.menuKey = key;
    const { activeElement } = document,
      had = this.menu.contains(activeElement) && activeElement?.getAttribute("data-label");
    this.menu.replaceChildren(
      ...(about ? [h("span", {}, say(about.field === "card" ? "page.uno.card" : `uno.ask.${about.field}`))] : []),
      ...items.map(([label, , { key: hot, ...more }], at) =>
        button(
          [
            label,
            ...(hot && this.view.app.prefs.keys
              ? [" ", h("kbd", { "aria-hidden": "true" }, hot === "Escape" ? "esc" : hot)]
              : []),
          ],
          () => this.items[at][1](),
          { "data-label": label, ...more },
        ),
      ),
    );
    if (about && this.room.question) this.menu.querySelector("button")?.focus({ preventScroll: true });
    else if (had)
      [...this.menu.querySelectorAll("button")].find((el) => el.dataset.label === had)?.focus({ preventScroll: true });
    if (had && !this.menu.contains(document.activeElement)) this.#step(0);
  }

  /** @param {Add} add */
  #answers(add) {
    for (const [key, what] of Object.entries(ANSWERS)) {
      const ways = this.moves.answers.get(what);
      const about = what === "challenge" && { title: said(this.room, "uno.challenge", challenged(this.room)) };
      if (ways) add(capital(say(`uno.do.${what}`, challenged(this.room))), () => this.#go(ways), { key, ...about });
    }
  }

  /**
   * @param {Choice} choice
   * @param {Add} add
   */
  #narrowing({ field, values }, add) {
    for (const value of values) {
      const label =
        field === "colour"
          ? `${SHAPES[value]} ${colourName(value)}`
          : field === "card"
            ? cardName(value)
            : this.room.name(value);
      const key = field === "colour" ? value[0] : null;
      add(label, () => this.#go(this.asking?.filter(([, action]) => action[field] === value)), {
        class: field === "colour" ? `colour ${value}` : "",
        key,
      });
    }
    if (!this.moves.answers.has("colour")) add(capital(say("uno.do.back")), () => this.#back(), { key: "Escape" });
  }

  #hand() {
    const { moves, room } = this;
    /** @type {number[]} */
    const cards = room.view.hand ?? [];
    const jumps = new Set((moves.reactions.get("jump") ?? []).map(([, action]) => action.card));
    /** @param {number} card */
    const make = (card) => {
      const item = h(
        "li",
        {},
        button(cardFace(card), () => this.#press(card), { class: "play" }),
      );
      put(item, { "--nth": cards.indexOf(card) });
      return item;
    };
    const middle = (cards.length - 1) / 2,
      slant = `${cards.length <= FANNED ? Math.min(3, 22 / cards.length) : 0}deg`;
    this.hand.style.setProperty("--gaps", String(Math.max(1, cards.length - 1)));
    this.hand.classList.toggle("fan", cards.length <= FANNED);
    this.hand.classList.toggle("gathered", room.view.phase === "pause");
    this.hand.classList.toggle("able", moves.plays.size + jumps.size > 0);
    if (cards.length !== this.hand.children.length)
      this.hand.classList.toggle("dealt", !this.hand.children.length && room.events.some(({ e }) => e === "deal"));
    keyed(this.hand, cards, make).forEach((item, at) => {
      const card = cards[at],
        el = /** @type {HTMLElement} */ (item.firstChild),
        can = moves.plays.has(card) || jumps.has(card),
        mark = this.marked.indexOf(card);
      const words = say("page.uno.held_card", {
        card: cardName(card),
        can: can ? (jumps.has(card) ? "jump" : "play") : null,
        fresh: this.fresh.has(card),
        marked: mark >= 0,
      });
      set(el, {
        "aria-label": words,
        "aria-disabled": can || this.marking ? null : "true",
        "aria-pressed": this.marking ? String(mark >= 0) : null,
        tabindex: at === this.#roving(cards) ? 0 : -1,
        class: [
          "play",
          can && "can",
          mark >= 0 && "marked",
          this.fresh.has(card) && "fresh",
          this.sent?.cards.includes(card) && "sent",
        ]
          .filter(Boolean)
          .join(" "),
      });
      put(el, { "--at": at - middle, "--slant": slant });
      el.dataset.hot = at < 10 ? String((at + 1) % 10) : "";
    });
  }

  /** @param {number[]} cards */
  #roving(cards) {
    const at = cards.indexOf(this.current ?? -1);
    return at >= 0
      ? at
      : Math.max(
          0,
          cards.findIndex((card) => this.moves.plays.has(card)),
        );
  }

  // --- what a person does ---

  /** @param {number} card */
  #press(card) {
    const { moves, room } = this;
    this.current = card;
    if (this.marking) return this.#mark(card);
    const jumps = moves.reactions.get("jump")?.filter(([, action]) => action.card === card);
    const ways = moves.plays.get(card) ?? (jumps?.length ? jumps : null);
    if (ways) return this.#go(ways);
    this.#shake(card);
    this.remark(whyNot(room, card));
  }

  /** @param {Way[] | undefined} ways */
  #go(ways) {
    if (!ways?.length) return;
    if (open(ways)) {
      this.asking = ways;
      return this.#menu();
    }
    const [rid, action] = decided(ways, this.calls),
      cards = action.cards ?? [action.card ?? null];
    if (this.sent?.rid === rid || this.view.acting(rid)) return;
    this.asking = null;
    this.calls = false;
    this.acted = action.card ?? null;
    this.from = this.#place(cards[0]);
    this.sent = { rid, cards };
    this.#unmark();
    this.view.act?.(rid, action);
    text(this.widget.rule, "…");
    this.#menu();
    this.#hand();
  }

  /** @param {number | null} card */
  #place(card) {
    return (this.#item(card)?.firstElementChild ?? this.hand).getBoundingClientRect();
  }

  /** @param {number | null} card */
  #item(card) {
    return [...this.hand.querySelectorAll("li")].find((item) => item.dataset.key === String(card));
  }

  /** Where the card was that we have played last. */
  laid() {
    return this.from ?? this.hand.getBoundingClientRect();
  }

  deck() {
    this.#answer(this.moves.answers.has("accept") ? "accept" : "draw");
  }

  /** @param {string} what */
  #answer(what) {
    const ways = this.moves.answers.get(what);
    if (ways) this.#go(ways);
    else this.remark(this.room.question ? say("uno.why.cannot", { do: what }) : say("uno.why.not_turn"));
  }

  #toggleCall() {
    this.calls = !this.calls;
    this.#menu();
  }

  #toggleMarking() {
    this.marking = !this.marking;
    this.marked = [];
    this.#menu();
    this.#hand();
  }

  /** @param {number} card */
  #mark(card) {
    const at = this.marked.indexOf(card);
    if (at >= 0) this.marked.splice(at, 1);
    else if (this.marked.length && symbol(this.marked[0]) !== symbol(card)) return this.remark(say("uno.why.together"));
    else this.marked.push(card);
    this.#menu();
    this.#hand();
  }

  #unmark() {
    this.marking = false;
    this.marked = [];
  }

  #back() {
    this.asking = this.moves.answers.get("colour") ?? null;
    this.#unmark();
    this.#menu();
    this.#hand();
  }

  refused() {
    this.sent = null;
    this.view.show();
    if (this.acted !== null) this.#shake(this.acted);
  }

  /**
   * Say in the turn line why something was not done.
   * @param {string} words
   */
  remark(words) {
    const { question, view } = this.room;
    this.remarked = question && { rid: question.rid, words };
    text(this.widget.rule, words);
    announce(words.replace(rule(view), spoken(view)));
  }

  /** @param {number} card */
  #shake(card) {
    const el = this.#item(card);
    el?.classList.remove("shake");
    void el?.offsetWidth; // restart the animation
    el?.classList.add("shake");
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const about = this.asking && open(this.asking),
      cards = [...this.hand.querySelectorAll("button")],
      hot = this.items?.find(([, , more]) => more.key === key);
    if (about && /^[0-9]$/.test(key)) return this.#choose((Number(key) + 9) % 10, about), true;
    if (about?.field === "colour" && COLOUR_KEYS[key]) return hot?.[1](), true;
    if (/^[0-9]$/.test(key)) return cards[(Number(key) + 9) % 10]?.click(), true;
    if (key === "ArrowLeft" || key === "ArrowRight") return this.#step(key === "ArrowRight" ? 1 : -1);
    if (hot) return hot[1](), true;
    const answer = key === "k" ? "pass" : ANSWERS[key];
    if (answer) return this.#answer(answer), true;
    return false;
  }

  /** Move the focus to the hand. */
  refocus() {
    return this.#step(0);
  }

  /** @param {number} by */
  #step(by) {
    const buttons = [...this.hand.querySelectorAll("button")],
      at = buttons.findIndex((el) => el === document.activeElement);
    const next =
      at < 0 ? buttons.find((el) => el.tabIndex === 0) : buttons[(at + by + buttons.length) % buttons.length];
    if (!next) return false;
    this.current = Number(next.parentElement?.dataset.key);
    for (const el of buttons) el.tabIndex = el === next ? 0 : -1;
    next.focus();
    return true;
  }

  /**
   * Choose a value by its number; other buttons of the menu have none.
   * @param {number} at
   * @param {Choice} about
   */
  #choose(at, about) {
    if (at < about.values.length) this.items[at][1]();
  }

  hints() {
    const { plays, answers, reactions } = this.moves;
    /** @type {[key: string, label: string][]} */
    const found = [];
    if (reactions.has("uno")) found.push(["u", "UNO!"]);
    if (reactions.has("catch")) found.push(["c", say("uno.key.catch")]);
    if (reactions.has("jump")) found.push(["j", say("uno.key.jump")]);
    if (plays.size) found.push(["1–9", say("uno.key.play")]);
    for (const [key, what] of Object.entries(ANSWERS)) if (answers.has(what)) found.push([key, say(`uno.key.${what}`)]);
    return found;
  }
}
