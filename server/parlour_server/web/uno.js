// UNO on a page: opponents, piles, turn line, what can be answered, the hand.

import { button, clean, h, keyed, say, set, text, who } from "./dom.js";
import { SHAPES, cardName, decided, mayCall, movesOf, open, sign, suit, symbol, together, whyNot } from "./cards.js";
import { houseRules, scoring, told, turnLine } from "./uno_words.js";

const ANSWERS = { draw: ["Draw", "d"], pass: ["Keep it", "p"], accept: ["Accept", "a"], challenge: ["Challenge", "x"] };
const COLOUR_KEYS = { r: "red", y: "yellow", g: "green", b: "blue" };
const BACKS = 12; // backs that are drawn one by one

/** A card as it lies on the table; hidden from screen readers, who hear its name elsewhere. */
export function cardFace(card, small = false) {
  const mark = h("span", { class: "corner" }, sign(card)), shape = h("span", { class: "corner far" }, SHAPES[suit(card)]);
  const middle = card >= 100 ? h("span", { class: "chip quarters" }, h("i"), h("i"), h("i"), h("i"), h("b", {}, sign(card))) : h("span", { class: "chip" }, sign(card));
  return h("span", { class: `card ${suit(card)}${small ? " small" : ""}`, "aria-hidden": "true" }, mark, shape, middle);
}

export class Face {
  keys = [["1–9, 0", "play that card"], ["← →", "move in the hand"], ["d", "draw"], ["p", "keep what was drawn"], ["a x", "accept, or challenge"],
    ["u", "call UNO with the next card, or now"], ["c", "catch who has not called"], ["j", "jump in"], ["r y g b", "the colour of a wild"],
    ["m", "mark several cards"], ["esc", "back"]];
  help = [];

  constructor(view) {
    Object.assign(this, { view, asking: null, calls: false, marking: false, marked: [], fresh: new Set(), last: null, prompted: 0, spoken: "" });
    this.others = h("ul", { class: "others", "aria-label": "Players" });
    this.deck = button("", () => this.#answer(this.moves?.answers.has("accept") ? "accept" : "draw"), { class: "deck" });
    this.top = h("div", { class: "top" });
    this.facts = h("div", { class: "facts" });
    this.head = h("strong");
    this.bar = h("span", { class: "clock" }, h("i"));
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn" }, this.head, this.bar, this.seconds, this.rule);
    this.menu = h("div", { class: "menu", role: "group", "aria-label": "What you can do" });
    this.hand = h("ul", { class: "hand", "aria-label": "Your hand" });
    this.el = h("section", { class: "uno", "aria-label": "UNO" }, this.others,
      h("div", { class: "piles" }, h("figure", {}, this.deck, (this.deckCount = h("figcaption"))), h("figure", {}, this.top, h("figcaption", {}, "discard")), this.facts),
      this.line, this.menu, this.hand);
  }

  rules(room) { return [scoring(room.table.options), ...houseRules(room.table.options)]; }
  told(room, event) { return told(room, event); }

  news(room, events) {
    for (const event of events) {
      if (event.seat === room.seat && event.e === "draw") for (const card of event.cards ?? []) this.fresh.add(card);
      if (["play", "pass", "deal"].includes(event.e) && (event.seat ?? room.seat) === room.seat) this.fresh.clear();
      if (event.e === "round" || event.e === "deal") this.last = event.e === "round" ? event : null;
    }
  }

  // --- showing ---

  show(room) {
    const { view, question } = room;
    this.room = room;
    this.moves = movesOf(room);
    const open = new Set([question?.rid, ...room.may.map((offer) => offer.rid)]);
    this.asking = this.asking?.filter(([rid]) => open.has(rid)) ?? null;
    if (!this.asking?.length) this.asking = this.moves.answers.get("colour") ?? null;
    if (!question) this.#unmark();
    if (!mayCall(view, Math.max(1, this.marked.length))) this.calls = false;
    this.#seats(room);
    this.#piles(view);
    this.#turn(room);
    this.#menu();
    this.#hand();
    this.tick(room);
  }

  #seats(room) {
    const { view } = room, first = room.seat === null ? 0 : room.seat + 1, n = view.counts.length;
    const seats = view.counts.map((_, step) => (first + step) % n).filter((seat) => seat !== room.seat);
    keyed(this.others, seats, (seat) => h("li", {}, h("span", { class: "head" }), h("span", { class: "backs", "aria-hidden": "true" }), h("span", { class: "count" }),
      h("span", { class: "score" }), h("span", { class: "shout" }), h("span", { class: "clock" }, h("i")))).forEach((item, at) => {
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
    const { moves } = this, drawable = moves.answers.has("draw") || moves.answers.has("accept");
    text(this.deckCount, `deck ${view.deck}`);
    set(this.deck, { "aria-label": `Draw from the deck of ${view.deck}`, "aria-disabled": drawable ? null : "true" });
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
    const [head, rules] = turnLine(room, this.moves), mine = Boolean(room.question);
    text(this.head, clean(head));
    if (!this.remarked || room.question?.rid !== this.remarked) text(this.rule, rules);
    if (room.question?.rid !== this.remarked) this.remarked = null;
    set(this.line, { class: `turn${mine ? " mine" : ""}` });
    const words = mine ? `${head}. ${rules}.` : "";
    if (mine && room.question.rid !== this.prompted) say(words);
    this.prompted = room.question?.rid ?? this.prompted;
    const offers = [...this.moves.offers.keys()].join();
    if (offers && offers !== this.spoken) say(this.#offerWords());
    this.spoken = offers;
  }

  #offerWords() {
    const { offers } = this.moves;
    return [offers.has("uno") && "You can call UNO.", offers.has("catch") && "You can catch somebody.", offers.has("jump") && "You can jump in."].filter(Boolean).join(" ");
  }

  tick(room) {
    const { view, at, question } = room, now = performance.now();
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
      show(item.lastChild, at === undefined ? null : room.left(other, now), Math.max(20_000, room.clocks[other] ?? 0));
    }
  }

  // --- what can be answered ---

  #menu() {
    const { moves, room } = this, items = [];
    const add = (label, press, more = {}) => items.push([label, press, more]);
    const asked = this.asking && open(this.asking);
    for (const [, action] of moves.offers.get("uno") ?? []) add("UNO!", () => this.#go(moves.offers.get(action.do)), { class: "loud", key: "u" });
    for (const way of moves.offers.get("catch") ?? []) add(`Catch ${clean(room.name(way[1].seat))}`, () => this.#go([way]), { class: "loud", key: "c" });
    for (const card of new Set((moves.offers.get("jump") ?? []).map(([, action]) => action.card))) {
      add(`Jump in with ${cardName(card)}`, () => this.#go(moves.offers.get("jump").filter(([, action]) => action.card === card)), { class: "loud", key: "j" });
    }
    if (asked) this.#narrowing(asked, add);
    else this.#answers(add);
    if (room.seat !== null && mayCall(room.view, Math.max(1, this.marked.length)) && !moves.offers.has("uno")) {
      add("Call UNO with it", () => this.#toggleCall(), { key: "u", "aria-pressed": String(this.calls) });
    }
    if (room.question && room.table.options.multi_play && !asked) {
      add("Mark several", () => this.#toggleMarking(), { key: "m", "aria-pressed": String(this.marking) });
      if (this.marked.length > 1) add(`Lay ${this.marked.length} together`, () => this.#go(together(room, this.marked)), { class: "main" });
    }
    const key = items.map(([label, , more]) => label + more["aria-pressed"]).join();
    this.items = items;
    if (key === this.menuKey) return;
    this.menuKey = key;
    const prompt = asked ? [h("span", {}, { colour: "Which colour?", swap: "Swap hands with whom?", seat: "Whom?", card: "Which card?" }[asked.field])] : [];
    const had = this.menu.contains(document.activeElement);
    this.menu.replaceChildren(...prompt, ...items.map(([label, , { key: hot, ...more }], at) =>
      button([label, hot && this.view.app.singleKeys ? h("kbd", { "aria-hidden": "true" }, hot) : null], () => this.items[at][1](), more)));
    if (had || (asked && room.question)) this.menu.querySelector("button")?.focus({ preventScroll: true });
  }

  #answers(add) {
    for (const [what, [label, key]] of Object.entries(ANSWERS)) {
      const ways = this.moves.answers.get(what);
      if (ways) add(what === "accept" ? `Accept and draw ${this.room.view.pending ?? 4}` : label, () => this.#go(ways), { key });
    }
  }

  #narrowing({ field, values }, add) {
    for (const value of values) {
      const label = field === "colour" ? `${SHAPES[value]} ${value}` : field === "card" ? cardName(value) : clean(this.room.name(value));
      const key = field === "colour" ? value[0] : null;
      add(label, () => this.#go(this.asking.filter(([, action]) => action[field] === value)), { class: field === "colour" ? `colour ${value}` : "", key });
    }
    if (!this.moves.answers.has("colour")) add("Back", () => this.#back(), { key: "Escape" });
  }

  #hand() {
    const { moves, room } = this, cards = room.view.hand ?? [];
    const jumps = new Set((moves.offers.get("jump") ?? []).map(([, action]) => action.card));
    const make = (card) => h("li", {}, button(cardFace(card), () => this.#press(card), { class: "play" }));
    this.hand.style.setProperty("--n", cards.length);
    keyed(this.hand, cards, make).forEach((item, at) => {
      const card = cards[at], el = item.firstChild, can = moves.plays.has(card) || jumps.has(card), mark = this.marked.indexOf(card);
      const words = [cardName(card), can && (jumps.has(card) ? "can jump in" : "can be played"), this.fresh.has(card) && "just drawn", mark >= 0 && "marked"];
      set(el, { "aria-label": words.filter(Boolean).join(", "), "aria-disabled": can || this.marking ? null : "true", "aria-pressed": this.marking ? String(mark >= 0) : null,
        tabindex: at === this.#roving(cards) ? 0 : -1, class: `play${can ? " can" : ""}${mark >= 0 ? " marked" : ""}${this.fresh.has(card) ? " fresh" : ""}` });
      el.dataset.hot = at < 10 ? String((at + 1) % 10) : "";
    });
    this.hand.hidden = room.seat === null;
  }

  #roving(cards) {
    const at = cards.indexOf(this.current);
    if (at >= 0) return at;
    return Math.max(0, cards.findIndex((card) => this.moves.plays.has(card)));
  }

  // --- what a person does ---

  #press(card) {
    const { moves, room } = this;
    this.current = card;
    if (this.marking) return this.#mark(card);
    const jumps = moves.offers.get("jump")?.filter(([, action]) => action.card === card);
    const ways = moves.plays.get(card) ?? (jumps?.length ? jumps : null);
    if (ways) return this.#go(ways);
    this.#shake(card);
    this.remark(whyNot({ ...room, name: clean(room.name(room.view.turn)) }, card));
  }

  #go(ways) {
    if (!ways?.length) return;
    if (open(ways)) {
      this.asking = ways;
      return this.#menu();
    }
    const [rid, action] = decided(ways, this.calls);
    Object.assign(this, { asking: null, calls: false, acted: action.card ?? null });
    this.#unmark();
    this.view.act(rid, action);
    this.#menu();
  }

  #answer(what) {
    const ways = this.moves.answers.get(what);
    if (ways) this.#go(ways);
    else if (this.room.seat !== null) this.remark(this.room.question ? `There is nothing to ${what} now.` : "Nothing is asked of you now.");
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

  #mark(card) {
    const at = this.marked.indexOf(card);
    if (at >= 0) this.marked.splice(at, 1);
    else if (this.marked.length && symbol(this.marked[0]) !== symbol(card)) return this.remark("Only cards of one number go together.");
    else this.marked.push(card);
    this.#menu();
    this.#hand();
  }

  #unmark() { Object.assign(this, { marking: false, marked: [] }); }

  #back() {
    this.asking = this.moves.answers.get("colour") ?? null;
    this.#unmark();
    this.#menu();
    this.#hand();
  }

  refused() { if (this.acted !== null) this.#shake(this.acted); }

  /** Say why something was not done, in the turn line. */
  remark(words) {
    this.remarked = this.room?.question?.rid ?? null;
    text(this.rule, words);
    say(words);
  }

  #shake(card) {
    const el = [...this.hand.children].find((item) => item.dataset.key === String(card));
    el?.classList.remove("shake");
    void el?.offsetWidth; // begin anew
    el?.classList.add("shake");
  }

  key(event) {
    const { key } = event, asked = this.asking && open(this.asking), cards = [...this.hand.children];
    const hot = this.items?.find(([, , more]) => more.key === key);
    if (asked && /^[0-9]$/.test(key)) return this.items[(Number(key) + 9) % 10]?.[1](), true;
    if (asked?.field === "colour" && COLOUR_KEYS[key]) return hot?.[1](), true;
    if (/^[0-9]$/.test(key)) return cards[(Number(key) + 9) % 10]?.firstChild.click(), true;
    if (key === "ArrowLeft" || key === "ArrowRight") return this.#step(key === "ArrowRight" ? 1 : -1);
    if (hot) return hot[1](), true;
    const answer = { d: "draw", p: "pass", k: "pass", a: "accept", x: "challenge" }[key];
    if (answer) return this.#answer(answer), true;
    return false;
  }

  #step(by) {
    const buttons = [...this.hand.querySelectorAll("button")], at = buttons.indexOf(document.activeElement);
    const next = at < 0 ? buttons.find((el) => el.tabIndex === 0) : buttons[(at + by + buttons.length) % buttons.length];
    if (!next) return false;
    this.current = Number(next.parentElement.dataset.key);
    for (const el of buttons) el.tabIndex = el === next ? 0 : -1;
    next.focus();
    return true;
  }

  hints(room) {
    const { plays, answers, offers } = movesOf(room), found = [];
    if (offers.has("uno")) found.push(["u", "UNO!"]);
    if (offers.has("catch")) found.push(["c", "Catch"]);
    if (offers.has("jump")) found.push(["j", "Jump in"]);
    if (plays.size) found.push(["1–9", "Play"]);
    for (const [what, [label, key]] of Object.entries(ANSWERS)) if (answers.has(what)) found.push([key, label]);
    return found;
  }

  /** The points after a round. */
  standing(room) {
    const seats = room.view.scores.map((_, seat) => seat).sort((a, b) => room.view.scores[b] - room.view.scores[a]);
    return h("table", { class: "ranks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "player"), h("th", { scope: "col" }, "in hand"), h("th", { scope: "col" }, "points"))),
      h("tbody", {}, ...seats.map((seat) => h("tr", { class: seat === room.seat ? "me" : "" }, h("th", { scope: "row" }, who(room.name(seat))),
        h("td", {}, String(this.last?.points?.[seat] ?? "")), h("td", {}, String(room.view.scores[seat]))))));
  }
}

