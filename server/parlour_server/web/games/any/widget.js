// The table of any game: its seats, what lies in the middle, the own hand, and a button for each other action. Where
// actions name cells of the board or cards of the hand, pressing these chooses one.

import { button, changes, clean, h, keyed, put, set, text } from "../../core/dom.js";
import { say, timeLeft } from "../../core/phrases.js";
import { Seats } from "../../core/seats.js";
import { columnName, fits, grouped, holds, placeName, ways } from "./actions.js";
import { Choices, DIGITS } from "./choices.js";
import { back, disc, piece } from "./pieces.js";
import { boardOf, parts, seats } from "./shapes.js";
import { NOTHING } from "./values.js";

const SHORT = 60; // letters of a map that is a fact
const LONG = 16; // letters of a value of a seat that is a table
const FANNED = 13; // cards of a hand that are held as a fan
const FEW = 5; // cards of a hand that lie side by side
const HUES = ["red", "blue", "green", "yellow"];
/** @type {Record<string, string>} */
const KNOWN = { x: "red", r: "red", o: "blue", b: "blue", y: "yellow", g: "green", 0: "red", 1: "blue" };
/** @type {Record<string, [down: number, right: number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * The colour of a sign on a board: always the same one for the same sign.
 * @param {string} sign
 */
const hue = (sign) =>
  !sign
    ? ""
    : (KNOWN[sign.toLowerCase()] ??
      (HUES.includes(sign)
        ? sign
        : /^\d+$/.test(sign)
          ? ""
          : HUES[[...sign].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES.length]));

/**
 * Whether a table is a map that fits on a line.
 * @param {Part & { kind: "table" }} part
 */
const brief = ({ heads, rows }) =>
  !heads.length && rows.every((row) => row.length === 2) && rows.flat().join(" ").length <= SHORT;

/**
 * @template {Part["kind"]} Kind
 * @param {Part[]} all
 * @param {Kind} kind
 */
const only = (all, kind) => /** @type {(Part & { kind: Kind })[]} */ (all.filter((part) => part.kind === kind));

export class Widget {
  /** @type {Room} */
  room;
  /** @type {Part[]} */
  parts = [];
  /** @type {AnyWay[]} */
  ways = [];
  /** @type {[number, number][]} The cells that were pressed so far. */
  cells = [];
  /** @type {any} The card that was pressed. */
  card;
  asked = "";
  /** @type {string | undefined} The card of the hand that has the focus. */
  current;
  /** @type {DOMRect | null} Where the card was that we have played last. */
  from = null;

  /** @type {typeof import("../../core/motion.js") | null} What moves; loaded once the table is shown. */
  motion = null;
  /** @type {Promise<void> | undefined} */
  loading;

  /** @type {(Part & { kind: "board" }) | null} */
  board = null;
  /** @type {(Part & { kind: "cards" }) | null} */
  held = null;
  /** @type {Controls | null} */
  controls = null;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    this.head = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.seconds, this.rule);
    this.spread = h("div", { class: "spread" });
    this.facts = h("ul", { class: "facts" });
    this.middle = h("div", { class: "middle" }, this.spread, this.facts);
    this.felt = h("div", { class: "felt" }, this.middle);
    this.seats = new Seats(this.felt);
    this.choices = new Choices((way) => this.#go(way));
    this.hand = h("ul", { class: "hand", hidden: true });
    this.el = h(
      "section",
      { class: "felted any", "aria-label": say("page.any.game") },
      this.felt,
      this.line,
      this.choices.el,
      this.hand,
    );
    if (view.act) this.controls = this;
  }

  manual() {
    return {};
  }
  news() {}
  refused() {
    this.#forget();
    this.show(this.room);
  }
  refocus() {
    return this.held ? this.#step(0) : false;
  }
  take() {}
  /** @returns {[key: string, label: string][]} */
  hints() {
    /** @type {[key: string, label: string][]} */
    const found = this.ways.length ? [["1–9", say("page.any.choose")]] : [];
    return this.choices.filter.hidden ? found : [...found, ["/", say("page.any.find")]];
  }
  /** @param {string} words */
  remark(words) {
    text(this.rule, words);
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const at = DIGITS.indexOf(key),
      pressed = [...this.hand.querySelectorAll("button"), ...this.spread.querySelectorAll("button.column")],
      chosen = this.choices.of(key);
    if (key === "Escape") {
      this.#forget();
      this.#draw();
    } else if (key === "/" && !this.choices.filter.hidden) setTimeout(() => this.choices.filter.focus());
    else if (ARROWS[key]) return this.#step(ARROWS[key][1], ARROWS[key][0]);
    else if (chosen) this.#go(chosen);
    else if (at >= 0 && pressed[at]) /** @type {HTMLElement} */ (pressed[at]).click();
    else return false;
    return true;
  }

  /** Load what lets things move and be dragged. */
  async #moving() {
    const [motion, { draggable }] = await Promise.all([import("../../core/motion.js"), import("../../core/drag.js")]);
    this.motion = motion;
    if (this.view.act) draggable(this.hand, this.felt, (key) => this.#press(key));
  }

  /** @param {Room} room */
  show(room) {
    this.loading ??= this.#moving().catch(() => {});
    this.room = room;
    this.parts = parts(room);
    const board = boardOf(room),
      same = JSON.stringify(board);
    this.board = only(this.parts, "board").find((part) => JSON.stringify(part) === same) ?? null;
    this.held = room.seat === null ? null : (only(this.parts, "cards").find(({ hand }) => hand) ?? null);
    this.ways = this.view.act ? ways(room, board?.rows ?? null).filter(({ rid }) => !this.view.acting(rid)) : [];
    const asked = JSON.stringify(this.ways.map(({ rid, action }) => [rid, action]));
    if (asked !== this.asked) this.#forget();
    this.asked = asked;
    this.#draw();
  }

  #draw() {
    this.#turn();
    this.#seats();
    this.#middle();
    this.#hand();
    const onHand = new Set(this.held?.values.flatMap((value) => this.#waysOf(value)));
    const bare = this.board?.columns || (this.held?.of === "cards" && !only(this.parts, "pile").some(({ act }) => act));
    set(this.el, { "data-bare": bare ? "" : null }); // most is chosen there, so no space is kept for buttons
    this.choices.el.hidden = !this.view.act || this.room.seat === null;
    this.choices.show(
      this.room,
      this.#fitting().filter(
        (way) => way.places.length <= this.cells.length && (this.card !== undefined || !onHand.has(way)),
      ),
      !onHand.size || this.card !== undefined,
    );
    this.tick(this.room);
  }

  #turn() {
    const { view, question, over } = this.room,
      name = Number.isInteger(view.turn) ? this.room.name(view.turn) : "";
    text(this.head, say("page.any.turn", { turn: over ? "over" : question ? "yours" : name ? "other" : "none", name }));
    this.line.classList.toggle("mine", Boolean(question));
    const picked = this.cells.map((cell) => placeName(cell)).join(" ");
    text(
      this.rule,
      question && !question.legal.length
        ? say("page.any.no_actions")
        : picked
          ? say("page.any.picked", { cells: picked })
          : "",
    );
  }

  // --- round the table ---

  #seats() {
    const { room, parts } = this,
      [backs] = only(parts, "backs"),
      owned = this.board?.owners.some((row) => row.some((owner) => owner >= 0)),
      values = only(parts, "seated").filter(short),
      badges = only(parts, "badge"),
      laid = [...only(parts, "open"), ...only(parts, "laid")],
      sealed = only(parts, "sealed");
    set(this.felt, { "data-board": this.board ? "" : null, "data-laid": laid.length || sealed.length ? "" : null });
    this.seats.show(
      room,
      seats(room),
      (seat) => {
        const shows = laid.some(({ kind, hands }) => kind === "open" && hands[seat].length),
          hidden = shows || seat === room.seat ? null : (backs?.counts[seat] ?? null);
        return {
          count: hidden,
          of: backs?.of,
          tally: {
            ...(hidden !== null && { count: `${backs.name} ${hidden}` }),
            ...Object.fromEntries(
              values.map(({ name, words }, at) => [`points ${at}`, `${name} ${words[seat] ?? ""}`]),
            ),
            ...Object.fromEntries(
              badges.filter(({ seats }) => seats.includes(seat)).map(({ name }, at) => [`badge ${at}`, name]),
            ),
          },
          before:
            laid.length || sealed.length || owned ? (el) => this.#before(el, seat, laid, sealed, Boolean(owned)) : null,
        };
      },
      true,
    );
  }

  /**
   * Show what lies before a seat: open cards, the last one laid, one face down on top, and its piece on the board.
   * @param {HTMLElement} el
   * @param {number} seat
   * @param {(Part & { kind: "open" | "laid" })[]} laid
   * @param {(Part & { kind: "sealed" | "badge" })[]} sealed
   * @param {boolean} owned
   */
  #before(el, seat, laid, sealed, owned) {
    const down = sealed.filter(({ seats }) => seats.includes(seat)),
      held = seat === this.room.seat && Boolean(this.held), // we see them in our hand
      shown = laid.map(({ kind, hands }) => (kind === "laid" ? hands[seat].slice(-1) : held ? [] : hands[seat])),
      all = laid.map(({ name, hands }) => hands[seat].length && `${name}: ${hands[seat].join(", ")}`),
      words = [...all, ...down.map(({ name }) => name)].filter(Boolean).join("; ");
    const was = Boolean(el.querySelector(".down, .deck")),
      had = el.childElementCount > 0;
    if (!changes(el, JSON.stringify([shown, down.length, words, owned]))) return;
    const open = shown.flatMap((cards, at) => cards.map((card) => piece(card, laid[at].of))),
      backs = down.map(({ of }) => back(of));
    el.replaceChildren(
      ...(owned ? [h("span", { class: disc(seat) })] : []),
      ...open,
      ...backs,
      h("span", { class: "unseen" }, words),
    );
    set(el, { title: words || null, class: `before${down.length && open.length ? " covered" : ""}` });
    put(el, { "--n": open.length });
    if (!had) return;
    const from =
      seat === this.room.seat ? this.from : (this.motion?.place(this.seats.item(seat)?.firstElementChild) ?? null);
    for (const card of backs) this.motion?.arrive(card, from);
    if (was && !backs.length) for (const card of open) card.classList.add("turned");
  }

  // --- in the middle ---

  #middle() {
    const marks = new Set(only(this.parts, "marks").flatMap(({ cells }) => cells.map(String)));
    const tables = [...only(this.parts, "table").filter((part) => !brief(part)), ...this.#long()],
      lying = this.parts.filter(
        (part) => ["board", "pile"].includes(part.kind) || (part.kind === "cards" && part !== this.held),
      ),
      shown = /** @type {Part[]} */ ([...lying, ...tables]);
    const made = keyed(
      this.spread,
      shown.map(({ kind, name }) => `${kind} ${name}`),
      (key) => h(key.startsWith("board ") ? "div" : "figure", { class: key.split(" ")[0] }),
    );
    shown.forEach((part, at) => {
      const el = made[at];
      if (part.kind === "board") this.#board(el, part, marks);
      else if (part.kind === "pile") this.#pile(el, part);
      else if (part.kind === "cards") this.#lying(el, part);
      else if (part.kind === "table") this.#listed(el, part);
    });
    const facts = this.parts.flatMap((part) =>
      part.kind === "fact"
        ? part.words === NOTHING
          ? []
          : [part]
        : part.kind === "table" && brief(part)
          ? [{ name: part.name, words: part.rows.map((row) => row.join(" ")).join(", ") }]
          : [],
    );
    this.facts.replaceChildren(
      ...facts.map(({ name, words }) =>
        h("li", {}, name && h("span", { class: "dim" }, `${name} `), h("b", {}, words)),
      ),
    );
  }

  /** Values of the seats that are too long to stand there, as tables. */
  #long() {
    return only(this.parts, "seated")
      .filter((part) => !short(part))
      .map(({ name, words }) => ({
        kind: "table",
        name,
        heads: [],
        rows: this.room.table.seats.map((row) => [row.name, words[row.seat] ?? ""]),
      }));
  }

  /**
   * @param {HTMLElement} el
   * @param {Part & { kind: "pile" }} part
   */
  #pile(el, { n, words, act }) {
    const way = this.ways.find(({ action }) => act && action.do === act && Object.keys(action).length === 1);
    if (!el.firstChild)
      el.append(
        act && this.view.act ? button("", () => this.#take(act), { class: "deck" }) : h("span", { class: "deck" }),
        h("figcaption"),
      );
    const [deck, caption] = el.children;
    set(deck, {
      class: `deck${n ? "" : " empty"}`,
      "aria-hidden": deck.tagName === "SPAN" ? "true" : null,
      "aria-label": deck.tagName === "SPAN" ? null : way ? way.words : words,
      "aria-disabled": way || deck.tagName === "SPAN" ? null : "true",
    });
    el.classList.toggle("can", Boolean(way));
    text(caption, words);
  }

  /** @param {string} act */
  #take(act) {
    const way = this.ways.find(({ action }) => action.do === act && Object.keys(action).length === 1);
    if (way) this.#go(way);
  }

  /**
   * Show cards that lie open; new ones come from the pile, if there is one.
   * @param {HTMLElement} el
   * @param {Part & { kind: "cards" }} part
   */
  #lying(el, { name, values, words, of }) {
    const had = Boolean(el.firstChild),
      can = values.map((value) => !this.held && this.#waysOf(value).length > 0);
    if (!changes(el, JSON.stringify([name, words, can, this.card]))) return;
    const cards = values.map((value, at) => {
      const shown = piece(words[at], of);
      return can[at]
        ? button([shown, h("span", { class: "unseen" }, words[at])], () => this.#pressed(value), {
            class: `play can${value === this.card ? " marked" : ""}`,
          })
        : h("span", { class: "lying" }, shown, h("span", { class: "unseen" }, words[at]));
    });
    el.replaceChildren(
      h(
        "span",
        { class: `row${cards.length > 1 ? " many" : ""}` },
        ...cards,
        !cards.length && h("span", { class: "empty piece card" }),
      ),
      h("figcaption", {}, name),
    );
    const from = this.motion?.place(this.spread.querySelector(".deck")) ?? null;
    if (had && cards.length === 1 && from) this.motion?.arrive(cards[0], from);
  }

  /**
   * @param {HTMLElement} el
   * @param {Part & { kind: "table" }} part
   */
  #listed(el, part) {
    el.replaceChildren(
      h(
        "table",
        { class: "list" },
        h("caption", {}, part.name),
        part.heads.length > 0 &&
          h("thead", {}, h("tr", {}, ...part.heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...part.rows.map((row) => h("tr", {}, ...row.map((words) => h("td", {}, words))))),
      ),
    );
  }

  // --- the board ---

  /**
   * @param {HTMLElement} el
   * @param {Part & { kind: "board" }} part
   * @param {Set<string>} marks
   */
  #board(el, part, marks) {
    const { rows, columns, name } = part,
      here = part === this.board;
    const first = changes(el, `${columns} ${rows.length} ${rows[0].length}`);
    if (first) el.replaceChildren((columns ? this.#columnsOf : this.#cellsOf).call(this, rows, here));
    put(el, { "--columns": rows[0].length, "--rows": rows.length });
    set(el.firstElementChild ?? el, { "aria-label": name });
    if (columns) this.#showColumns(el, part, marks, first);
    else this.#showCells(el, part, marks);
  }

  /** @param {string[][]} rows */
  #columnsOf(rows) {
    return h(
      "div",
      { class: "columns", role: "group" },
      ...rows[0].map((_, x) =>
        button(
          rows.map(() => h("span", { class: "hole" }, h("span"))),
          () => this.#pick([0, x]),
          { class: "column" },
        ),
      ),
    );
  }

  /**
   * @param {HTMLElement} el
   * @param {Part & { kind: "board" }} part
   * @param {Set<string>} marks
   * @param {boolean} first
   */
  #showColumns(el, { rows, owners }, marks, first) {
    el.querySelectorAll(".column").forEach((column, x) => {
      const can = this.ways.some(({ places: [place] }) => place && holds(place, 0, x)),
        free = rows.filter((row) => !row[x]).length,
        discs = rows
          .map((row, y) => (row[x] ? this.#ownerName(owners[y][x], row[x]) : ""))
          .filter(Boolean)
          .reverse();
      set(column, {
        "aria-label": say("page.any.column", { column: columnName(x), discs: discs.join(", ") || null }),
        "aria-disabled": can ? null : "true",
      });
      rows.forEach((row, y) => {
        const hole = column.children[y],
          shown = /** @type {HTMLElement} */ (hole.firstElementChild),
          look = row[x] ? `${disc(Math.max(0, owners[y][x]))}${marks.has(String([y, x])) ? " won" : ""}` : "";
        set(hole, { class: `hole${can && y === free - 1 ? ` next by${(this.room.seat ?? 0) % 4}` : ""}` });
        const fell = Boolean(look) && !shown.className;
        set(shown, { class: look || null });
        if (fell && !first && this.motion?.moving())
          shown.animate(
            [
              { translate: `0 -${115 * (y + 1)}%` },
              { translate: "0 0", offset: 0.75 },
              { translate: "0 -7%", offset: 0.87 },
              { translate: "0 0" },
            ],
            { duration: 140 + 55 * y, easing: "cubic-bezier(.5,0,.9,.7)" },
          );
      });
    });
  }

  /**
   * @param {number} owner
   * @param {string} sign
   */
  #ownerName(owner, sign) {
    return owner < 0 ? sign : this.room.name(owner);
  }

  /**
   * @param {string[][]} rows
   * @param {boolean} here
   */
  #cellsOf(rows, here) {
    return h(
      "table",
      { class: "grid" },
      h(
        "thead",
        {},
        h("tr", {}, h("td"), ...rows[0].map((_, column) => h("th", { scope: "col" }, columnName(column)))),
      ),
      h(
        "tbody",
        {},
        ...rows.map((signs, row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, String(row + 1)),
            ...signs.map((_, column) =>
              h(
                "td",
                {},
                button("", () => this.#pick([row, column]), { id: here ? `cell-${row}-${column}` : null }),
              ),
            ),
          ),
        ),
      ),
    );
  }

  /**
   * @param {HTMLElement} el
   * @param {Part & { kind: "board" }} part
   * @param {Set<string>} marks
   */
  #showCells(el, part, marks) {
    const here = part === this.board,
      at = this.cells.length,
      next = here
        ? this.#fitting()
            .map((way) => way.places[at])
            .filter(Boolean)
        : [],
      picked = new Set(this.cells.map(String)),
      all = [...el.querySelectorAll("button")];
    part.rows.forEach((signs, row) =>
      signs.forEach((sign, column) => {
        const cell = all[row * signs.length + column],
          owner = part.owners[row][column],
          can = next.some((place) => holds(place, row, column)),
          spot = String([row, column]);
        if (changes(cell, `${owner} ${sign}`))
          cell.replaceChildren(...(owner < 0 ? [clean(sign)] : [h("span", { class: disc(owner) })]));
        set(cell, {
          class: [
            owner < 0 && hue(sign),
            can && "can",
            marks.has(spot) && "marked",
            here && picked.has(spot) && "picked",
          ]
            .filter(Boolean)
            .join(" "),
          "aria-label": `${placeName([row, column])} ${sign && this.#ownerName(owner, sign)}`,
          "aria-disabled": can ? null : "true",
          tabindex: can ? "0" : "-1",
        });
      }),
    );
  }

  // --- the hand ---

  #hand() {
    const { held, hand } = this;
    hand.hidden = !held;
    if (!held) return;
    const { values, words, of, name } = held,
      n = values.length,
      keys = values.map(
        (value, at) => `${JSON.stringify(value)} ${values.slice(0, at).filter((each) => each === value).length}`,
      );
    put(hand, { "--gaps": Math.max(1, n - 1), "--n": Math.max(5, n) });
    set(hand, { "aria-label": name, class: `hand ${of}${n <= FANNED ? " fan" : ""}${n <= FEW ? " few" : ""}` });
    const fresh = new Set([...hand.children].map((item) => /** @type {HTMLElement} */ (item).dataset.key));
    const items = keyed(hand, keys, (key) =>
      h(
        "li",
        {},
        button("", () => this.#press(key), { class: "play" }),
      ),
    );
    const roving = Math.max(0, keys.indexOf(this.current ?? ""));
    items.forEach((item, at) => {
      const el = /** @type {HTMLElement} */ (item.firstChild),
        found = this.#waysOf(values[at]);
      if (changes(el, words[at])) el.replaceChildren(piece(words[at], of));
      set(el, {
        "aria-label": found.length === 1 ? found[0].words : words[at],
        "aria-disabled": found.length ? null : "true",
        "data-hot": found.length && at < 10 ? DIGITS[at] : "",
        tabindex: at === roving ? 0 : -1,
        class: `play${found.length ? " can" : ""}${this.card === values[at] && found.length ? " marked" : ""}`,
      });
      put(item, { "--nth": at });
      put(el, {
        "--at": at - (n - 1) / 2,
        "--slant": `${of === "cards" && n <= FANNED ? Math.min(3, 22 / n) : 0}deg`,
      });
    });
    const dealt = !fresh.size && this.room.events.length > 0;
    hand.classList.toggle("dealt", dealt);
    hand.classList.toggle("able", hand.querySelector(".can") !== null);
    const from = this.motion?.place(this.spread.querySelector(".deck")) ?? null;
    if (fresh.size && !dealt)
      for (const item of items) if (!fresh.has(item.dataset.key)) this.motion?.arrive(item, from);
  }

  /**
   * The actions that a card stands for: those that have its value, but for those that are chosen by their fields.
   * @param {any} value
   */
  #waysOf(value) {
    const alone = new Set(grouped(this.ways).flatMap((item) => ("action" in item ? [item] : [])));
    return this.ways.filter((way) => alone.has(way) && way.values.includes(value));
  }

  /** @param {string} key */
  #press(key) {
    const at = [...this.hand.children].findIndex((item) => /** @type {HTMLElement} */ (item).dataset.key === key);
    this.current = key;
    this.from = this.motion?.place(this.hand.children[at]?.firstElementChild) ?? null;
    if (at >= 0 && this.held) this.#pressed(this.held.values[at]);
  }

  /** @param {any} value */
  #pressed(value) {
    const found = this.#waysOf(value);
    if (found.length === 1) return this.#go(found[0]);
    this.card = found.length ? value : undefined;
    this.#draw();
  }

  // --- what a person does ---

  #fitting() {
    const card = this.card === undefined ? null : this.#waysOf(this.card);
    return this.ways.filter((way) => fits(way, this.cells) && (!card || card.includes(way)));
  }

  /**
   * Move the focus on the board, between columns, or in the hand.
   * @param {number} right
   */
  #step(right, down = 0) {
    const cells = /** @type {HTMLElement[]} */ ([...this.spread.querySelectorAll("button.column, .grid button")]),
      cards = /** @type {HTMLElement[]} */ ([...this.hand.querySelectorAll("button")]),
      active = /** @type {HTMLElement} */ (document.activeElement),
      all = cards.includes(active) || !cells.length ? cards : cells,
      wide = all === cells && this.board && !this.board.columns ? this.board.rows[0].length : 1,
      at = all.indexOf(active);
    const next =
      at < 0
        ? ((this.board?.columns ? null : all.find((el) => el.tabIndex === 0)) ?? all[Math.floor(all.length / 2)])
        : all[(at + right + down * wide + all.length) % all.length];
    if (!next || (down && wide === 1)) return false;
    if (all === cards) {
      this.current = next.parentElement?.dataset.key;
      for (const el of cards) el.tabIndex = el === next ? 0 : -1;
    }
    next.focus();
    return true;
  }

  /** @param {[number, number]} cell */
  #pick(cell) {
    for (const cells of [[...this.cells, cell], [cell]]) {
      const found = this.ways.filter((way) => fits(way, cells));
      if (found.length === 1) return this.#go(found[0]);
      if (!found.length) continue;
      this.cells = cells;
      return this.#draw();
    }
    this.#forget();
    this.#draw();
  }

  #forget() {
    this.cells = [];
    this.card = undefined;
    this.choices.forget();
  }

  /** @param {AnyWay} way */
  #go({ rid, action }) {
    this.#forget();
    this.view.act?.(rid, action);
    this.show(this.room); // nothing more can be chosen until the server has answered
  }

  /** @param {Room} room */
  tick(room) {
    const seat = room.question || !Number.isInteger(room.view.turn) ? room.seat : room.view.turn,
      left = seat === null ? null : room.left(seat, performance.now());
    text(this.seconds, left === null ? "" : timeLeft(left));
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
    this.seats.tick(room, this.line, Boolean(room.question));
  }
}

/**
 * Whether the values of all seats are short.
 * @param {Part & { kind: "seated" }} part
 */
function short({ words }) {
  return words.every((each) => each.length <= LONG);
}
