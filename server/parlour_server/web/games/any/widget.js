// The table of any game: its seats, what the view says, and a button for each legal action. Where actions name cells of
// the board, pressing the cells chooses one.

import { button, clean, h, keyed, style, text, who } from "../../core/dom.js";
import { say, timeLeft } from "../../core/phrases.js";
import { columnName, fieldName, fits, grouped, holds, matching, options, placeName, valueIn, ways } from "./actions.js";
import { boardOf, parts, seats } from "./shapes.js";
import { shown } from "./values.js";

const MOST = 400; // buttons
const MANY = 12; // buttons from which there is a filter
const SHORT = 60; // letters of a map that is a chip
const DIGITS = "1234567890";
const HUES = ["red", "blue", "green", "yellow"];
/** @type {Record<string, string>} */
const KNOWN = { x: "red", r: "red", o: "blue", b: "blue", y: "yellow", g: "green", 0: "red", 1: "blue" };

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
 * Whether a table is a map that fits on a chip.
 * @param {Part & { kind: "table" }} part
 */
const brief = ({ heads, rows }) =>
  !heads.length && rows.every((row) => row.length === 2) && rows.flat().join(" ").length <= SHORT;

export class Widget {
  /** @type {Room} */
  room;
  /** @type {AnyWay[]} */
  ways = [];
  /** @type {[number, number][]} The cells that were pressed so far. */
  cells = [];
  /** @type {any} The card that was pressed. */
  card;
  /** @type {Map<string, AnyWay>} The action that each group has now. */
  set = new Map();
  asked = "";

  /** @type {Part | null} */
  board = null;
  /** @type {Controls | null} */
  controls = null;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    style("styles/forms.css");
    style("games/any/widget.css");
    this.head = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.seconds, this.rule);
    this.players = h("table", { class: "list players" });
    this.table = h("div", { class: "table" });
    this.filter = h("input", {
      type: "search",
      "aria-label": say("page.any.filter"),
      placeholder: say("page.any.filter"),
      hidden: true,
      oninput: () => this.#choices(),
    });
    this.menu = h("div", { class: "menu row", role: "group", "aria-label": say("page.room.actions") });
    this.groups = h("div", { class: "groups" });
    this.el = h(
      "section",
      { class: "any", "aria-label": say("page.any.game") },
      h("div", { class: "frame" }, this.players),
      this.table,
      this.line,
      this.filter,
      this.menu,
      this.groups,
    );
    if (view.act) this.controls = this;
  }

  manual() {
    return {};
  }
  news() {}
  refused() {
    this.#forget();
    this.#draw();
  }
  refocus() {
    return false;
  }
  take() {}
  /** @returns {[key: string, label: string][]} */
  hints() {
    return this.ways.length
      ? [
          ["1–9", say("page.any.choose")],
          ...(this.filter.hidden ? [] : /** @type {[string, string][]} */ ([["/", say("page.any.find")]])),
        ]
      : [];
  }
  /** @param {string} words */
  remark(words) {
    text(this.rule, words);
  }

  /** @param {KeyboardEvent} event */
  key({ key }) {
    const chosen = this.#offered()[DIGITS.indexOf(key)];
    if (key === "Escape") {
      this.#forget();
      this.#draw();
    } else if (key === "/" && !this.filter.hidden) setTimeout(() => this.filter.focus());
    else if (DIGITS.includes(key) && chosen) this.#go(chosen);
    else return false;
    return true;
  }

  /** @param {Room} room */
  show(room) {
    this.room = room;
    this.parts = parts(room);
    const board = boardOf(room),
      same = JSON.stringify(board);
    this.board = this.parts.find((part) => part.kind === "board" && JSON.stringify(part) === same) ?? null;
    this.ways = this.view.act ? ways(room, board?.rows ?? null) : [];
    const asked = JSON.stringify(this.ways.map(({ rid, action }) => [rid, action]));
    if (asked !== this.asked) this.#forget();
    this.asked = asked;
    this.#draw();
  }

  #draw() {
    this.#turn();
    this.#players();
    this.#table();
    this.#choices();
    this.tick(this.room);
  }

  #turn() {
    const { view, question, over } = this.room,
      name = Number.isInteger(view.turn) ? clean(this.room.name(view.turn)) : "";
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

  #players() {
    const { room } = this,
      values = (this.parts ?? []).filter((part) => part.kind === "seated");
    const heads = values.length
      ? [
          h(
            "thead",
            {},
            h("tr", {}, h("td"), h("td"), ...values.map(({ name }) => h("th", { scope: "col" }, clean(name)))),
          ),
        ]
      : [];
    const rows = room.table.seats.map((row) => {
      const kind = row.by === "standin" ? "standin" : row.here ? row.kind : "away",
        mine = row.seat === room.seat;
      return h(
        "tr",
        {
          class: [mine && "me", room.view.turn === row.seat && "on"].filter(Boolean).join(" "),
          "aria-current": room.view.turn === row.seat && "true",
        },
        h("th", { scope: "row" }, who(row.name)),
        h("td", { class: "dim" }, say("page.any.kind", { kind })),
        ...values.map(({ words }) => h("td", {}, clean(words[row.seat] ?? ""))),
      );
    });
    this.players.replaceChildren(
      h("caption", { class: "unseen" }, say("page.any.seats", { n: seats(room) })),
      ...heads,
      h("tbody", {}, ...rows),
    );
  }

  #table() {
    const marks = new Set((this.parts ?? []).flatMap((part) => (part.kind === "marks" ? part.cells.map(String) : [])));
    const chips = (this.parts ?? []).flatMap((part) =>
      part.kind === "fact"
        ? [{ name: part.name, words: part.words }]
        : part.kind === "table" && brief(part)
          ? [{ name: part.name, words: part.rows.map((row) => row.join(" ")).join(", ") }]
          : [],
    );
    const rest = (this.parts ?? []).flatMap((part) => {
      if (part.kind === "board") return this.#board(part, marks);
      if (part.kind === "cards")
        return h(
          "p",
          { class: "cards row" },
          h("span", { class: "dim" }, clean(part.name)),
          ...part.words.map((words, at) => this.#card(clean(words), part.values[at])),
          !part.words.length && "–",
        );
      if (part.kind === "table" && !brief(part))
        return h(
          "table",
          { class: "list" },
          h("caption", {}, clean(part.name)),
          part.heads.length > 0 &&
            h("thead", {}, h("tr", {}, ...part.heads.map((head) => h("th", { scope: "col" }, clean(head))))),
          h("tbody", {}, ...part.rows.map((row) => h("tr", {}, ...row.map((words) => h("td", {}, clean(words)))))),
        );
      return [];
    });
    const focused = this.table.contains(document.activeElement) ? document.activeElement?.id : null;
    this.table.replaceChildren(
      ...rest,
      ...(chips.length
        ? [
            h(
              "ul",
              { class: "chips" },
              ...chips.map(({ name, words }) =>
                h("li", {}, name && h("span", { class: "dim" }, `${clean(name)} `), clean(words)),
              ),
            ),
          ]
        : []),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  /**
   * @param {Part & { kind: "board" }} part
   * @param {Set<string>} marks
   */
  #board(part, marks) {
    const here = part === this.board,
      at = this.cells.length,
      next = here
        ? this.#fitting()
            .map((way) => way.places[at])
            .filter(Boolean)
        : [],
      picked = new Set(this.cells.map(String));
    const cell = (/** @type {string} */ sign, /** @type {number} */ row, /** @type {number} */ column) => {
      const can = next.some((place) => holds(place, row, column)),
        spot = String([row, column]);
      return h(
        "td",
        {},
        button(clean(sign), () => this.#pick([row, column]), {
          id: here ? `cell-${row}-${column}` : null,
          class: [hue(sign), can && "can", marks.has(spot) && "marked", here && picked.has(spot) && "picked"]
            .filter(Boolean)
            .join(" "),
          "aria-label": `${placeName([row, column])} ${clean(sign)}`,
          "aria-disabled": can ? null : "true",
          tabindex: can ? "0" : "-1",
        }),
      );
    };
    return h(
      "div",
      { class: "frame" },
      h(
        "table",
        { class: "board" },
        h("caption", { class: "unseen" }, clean(part.name)),
        h(
          "thead",
          {},
          h("tr", {}, h("td"), ...part.rows[0].map((_, column) => h("th", { scope: "col" }, columnName(column)))),
        ),
        h(
          "tbody",
          {},
          ...part.rows.map((signs, row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, String(row + 1)),
              ...signs.map((sign, column) => cell(sign, row, column)),
            ),
          ),
        ),
      ),
    );
  }

  /**
   * @param {string} words
   * @param {any} value
   */
  #card(words, value) {
    const can = this.ways.some(({ action }) => Object.values(action).includes(value));
    if (!can) return h("span", { class: "card" }, words);
    return button(
      words,
      () => {
        const found = this.ways.filter(({ action }) => Object.values(action).includes(value));
        if (found.length === 1) return this.#go(found[0]);
        this.card = value;
        this.#draw();
      },
      { class: `card can${value === this.card ? " picked" : ""}` },
    );
  }

  #fitting() {
    const found = this.ways.filter(
      (way) => fits(way, this.cells) && (this.card === undefined || Object.values(way.action).includes(this.card)),
    );
    return this.filter.hidden || !this.filter.value ? found : matching(found, this.filter.value);
  }

  /** The single actions and the groups that are offered now. What was searched for is not grouped. */
  #items() {
    const found = this.#fitting();
    return this.filter.hidden || !this.filter.value ? grouped(found) : found;
  }

  /** The actions of the buttons: the single ones first. */
  #offered() {
    const items = this.#items();
    return [
      ...items.flatMap((item) => ("action" in item ? [item] : [])).slice(0, MOST),
      ...items.flatMap((item) => ("fields" in item ? [this.#now(item)] : [])),
    ];
  }

  /** @param {AnyGroup} group */
  #now(group) {
    return this.set.get(group.key) ?? group.ways[0];
  }

  #choices() {
    this.filter.hidden = this.ways.length <= MANY;
    const items = this.#items(),
      found = items.flatMap((item) => ("action" in item ? [item] : [])).slice(0, MOST),
      made = new Map(found.map((way) => [JSON.stringify([way.rid, way.action]), way])),
      keys = [...made.keys()];
    keyed(this.menu, keys, (key) =>
      button("", () => {
        const way = made.get(key);
        if (way) this.#go(way);
      }),
    ).forEach((item, at) => {
      const { words } = found[at],
        key = DIGITS[at];
      item.replaceChildren(...(key ? [h("kbd", {}, key), " "] : []), clean(words));
    });
    const groups = new Map(items.flatMap((item) => ("fields" in item ? [[item.key, item]] : [])));
    keyed(this.groups, [...groups.keys()], (key) => this.#group(key)).forEach((box, at) =>
      this.#fill(box, [...groups.values()][at], DIGITS[found.length + at]),
    );
  }

  /**
   * A box for a group: a select for each of its fields, and a button.
   * @param {string} key
   */
  #group(key) {
    return h("div", { class: "row", role: "group", "data-group": key });
  }

  /**
   * @param {HTMLElement} box
   * @param {AnyGroup} group
   * @param {string | undefined} digit
   */
  #fill(box, group, digit) {
    const way = this.#now(group),
      focused = [...box.children].findIndex((child) => child.contains(document.activeElement));
    const selects = group.fields.map((field, at) => {
      const found = options(group, way, at),
        name = clean(fieldName(this.room, way, field));
      return h(
        "label",
        {},
        name,
        " ",
        h(
          "select",
          {
            onchange: (/** @type {Event} */ event) => {
              this.set.set(group.key, found[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
              this.#choices();
            },
          },
          ...found.map((each) =>
            h(
              "option",
              { selected: valueIn(each, field) === valueIn(way, field) ? "" : null },
              clean(shown(this.room, each.action[field], field)),
            ),
          ),
        ),
      );
    });
    box.replaceChildren(
      ...selects,
      button("", () => this.#go(this.#now(group))),
    );
    box.lastElementChild?.append(...(digit ? [h("kbd", {}, digit), " "] : []), clean(way.words));
    const child = box.children[focused];
    /** @type {HTMLElement | null | undefined} */ (child?.querySelector("select") ?? child)?.focus?.();
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
    this.set.clear();
    this.filter.value = "";
  }

  /** @param {AnyWay} way */
  #go({ rid, action }) {
    this.#forget();
    this.view.act?.(rid, action);
  }

  /** @param {Room} room */
  tick(room) {
    const seat = room.question || !Number.isInteger(room.view.turn) ? room.seat : room.view.turn,
      left = seat === null ? null : room.left(seat, performance.now());
    text(this.seconds, left === null ? "" : timeLeft(left));
    this.seconds.classList.toggle("danger", left !== null && left < 6_000);
  }
}
