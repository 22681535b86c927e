// The side of a room: players, log and chat.

import { button, changes, clean, element, h, keyed, text, who } from "../../core/dom.js";
import { say, times } from "../../core/phrases.js";

const LOG_KEPT = 200; // lines

/**
 * Who plays a seat, in a word.
 * @param {string} kind
 */
export const kindName = (kind) => say("page.room.kind", { kind });

/**
 * What is done to players: the host manages one, a spectator asks for a seat (null: no longer), and its owner gives it.
 * @typedef {{ manage(name: string): void, ask(seat: number | null): void, give(name: string): void, wait(wait:
 *   boolean, code: string): void, seatCode?: string }} Deeds
 */

/** The log and the chat. */
export class Log {
  #atEnd = true;
  #height = 0; // a log that gets lower scrolls, too
  #end = 0; // where the lines ended when they were followed: later ones say nothing about the reader
  #frame = 0;

  /**
   * `send` sends a chat line.
   * @param {(line: string) => void} send
   */
  constructor(send) {
    this.lines = h("div", {
      class: "log",
      role: "log",
      "aria-live": "off",
      "aria-label": say("page.room.log"),
      tabindex: 0,
      onscroll: () => this.#look(),
    });
    new ResizeObserver(() => this.#follow()).observe(this.lines);
    this.input = h("input", {
      name: "chat",
      maxlength: 200,
      autocomplete: "off",
      "aria-label": say("page.room.message"),
      placeholder: say("page.room.message"),
    });
    this.form = h(
      "form",
      {
        class: "row",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const line = clean(this.input.value).trim();
          this.input.value = "";
          if (line) send(line);
        },
      },
      this.input,
      h("button", {}, say("page.room.send")),
    );
  }

  /**
   * @param {string} name
   * @param {string} line
   */
  chat(name, line) {
    this.add("said", who(name), " ", h("q", {}, line));
  }

  /**
   * @param {string} kind
   * @param {Child[]} parts
   */
  add(kind, ...parts) {
    const { lines } = this;
    lines.append(h("p", { class: kind }, ...parts));
    while (lines.children.length > LOG_KEPT) lines.firstElementChild?.remove();
    this.#follow();
  }

  #look() {
    const { lines } = this;
    if (lines.clientHeight === this.#height)
      this.#atEnd = Math.min(this.#end, lines.scrollHeight) - lines.scrollTop - lines.clientHeight < 40;
  }

  /** Show the last line in the next frame, unless the reader has scrolled back. Many lines cost one layout. */
  #follow() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#height = this.lines.clientHeight;
      this.#end = this.lines.scrollHeight;
      if (this.#atEnd) this.lines.scrollTop = this.#end;
    });
  }
}

/** The players, and the number of spectators. */
export class Players {
  /** @param {Deeds} does */
  constructor(does) {
    this.does = does;
    this.list = h("ul", { class: "people" });
    this.asking = h("ul", { class: "people" });
    this.queue = h("p", { class: "dim" });
    this.code = h("input", {
      name: "queue_code",
      maxlength: 16,
      size: 10,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      value: does.seatCode ?? "",
    });
    this.watchers = h("p", { class: "dim" });
  }

  /**
   * `hands`: whether seats may change hands. `queues`: whether spectators can wait for a seat.
   * @param {Room} room
   * @param {string} me
   * @param {boolean} hands
   * @param {boolean} queues
   */
  show(room, me, hands, queues) {
    const { seats, host, watchers, size, requests = [] } = room.table,
      hosting = host === me,
      wanted = requests.find(({ name }) => name === me)?.seat;
    this.#requests(room, me);
    if (queues) this.#queue(room, me);
    text(this.watchers, watchers ? say("page.room.watchers", { n: watchers }) : "");
    keyed(
      this.list,
      seats.map((row) => `${row.seat} ${row.name}`),
      () => h("li"),
    ).forEach((item, at) => {
      const row = seats[at],
        mine = row.seat === room.seat,
        asks =
          hands &&
          (room.underWay || seats.length >= (size ?? 0)) &&
          room.seat === null &&
          row.kind === "human" &&
          row.seat !== wanted,
        shown = JSON.stringify([row, mine, host, hosting, room.underWay, asks]);
      if (!changes(item, shown)) return;
      const notes = [
        mine ? say("you") : row.style ? say("page.room.bot", { style: row.style }) : kindName(row.kind),
        row.name === host && say("page.room.host"),
        row.by === "standin" ? kindName("standin") : !row.here && kindName("away"),
        row.rating !== undefined && say("page.room.rating", { n: row.rating }),
      ]
        .filter(Boolean)
        .join(", ");
      item.replaceChildren(
        who(row.name, { class: mine ? "who me" : "who" }),
        h("span", { class: "dim" }, ` ${notes} `),
        h("span", { class: "dim held" }),
        row.ready && !room.underWay ? h("span", { class: "ready" }, `✓ ${say("page.room.ready")}`) : "",
        asks ? button(say("page.room.ask"), () => this.does.ask(row.seat), { class: "small" }) : "",
        hosting && !mine
          ? button("⋯", () => this.does.manage(row.name), {
              class: "small",
              "aria-label": say("page.room.manage", { name: row.name }),
            })
          : "",
      );
    });
    this.tick(room);
  }

  /**
   * Show who asks for a seat: its owner gives it, and who has asked takes it back.
   * @param {Room} room
   * @param {string} me
   */
  #requests(room, me) {
    const { requests = [] } = room.table;
    keyed(
      this.asking,
      requests.map(({ seat, name }) => `${seat} ${name}`),
      () => h("li"),
    ).forEach((item, at) => {
      const { seat, name } = requests[at],
        owner = room.name(seat);
      if (!changes(item, JSON.stringify([requests[at], owner, room.seat, room.counts]))) return;
      item.replaceChildren(
        h("span", {}, say("room.asks", { name, owner }), " "),
        seat === room.seat && !room.counts
          ? button(say("page.room.give"), () => this.does.give(name), { class: "small" })
          : "",
        seat === room.seat || name === me
          ? button(say(name === me ? "page.room.unask" : "page.room.decline"), () => this.does.ask(null), {
              class: "small",
            })
          : "",
      );
    });
  }

  /**
   * Show who waits for a seat; a spectator of a full table can wait, too, with the code for the seats if the room has
   *   one.
   * @param {Room} room
   * @param {string} me
   */
  #queue({ seat, underWay, table: { queue = [], seats, size = 0, seat_code: coded = false } }, me) {
    const waits = queue.includes(me),
      may = seat === null && (waits || underWay || seats.length >= size),
      asks = may && !waits && coded;
    if (!changes(this.queue, JSON.stringify([queue, waits, may, asks]))) return;
    const wait = () => this.does.wait(!waits, asks ? this.code.value.trim() : "");
    this.queue.replaceChildren(
      queue.length ? clean(say("page.room.queue", { names: queue.join(", ") })) : "",
      " ",
      asks ? h("label", {}, say("page.name.seat_code"), " ", this.code, " ") : "",
      may ? button(say(waits ? "page.room.unwait" : "page.room.wait"), wait, { class: "small" }) : "",
    );
  }

  /**
   * Count down the time for which seats are held.
   * @param {Room} room
   */
  tick({ table: { seats }, tableAt }) {
    [...this.list.querySelectorAll(".held")].forEach((held, at) => {
      const left = seats[at]?.left;
      text(
        held,
        left === undefined
          ? ""
          : say("page.room.held", { n: Math.max(0, Math.ceil((left - performance.now() + tableAt) / 1_000)) }),
      );
    });
  }
}

/** Players, log and chat. On a phone they are a drawer, with a button that counts unread lines of chat. */
export class Side {
  unread = 0;

  /** @param {Deeds & { send(line: string): void }} does */
  constructor(does) {
    this.log = new Log(does.send);
    this.players = new Players(does);
    this.el = h(
      "aside",
      { "aria-label": say("page.room.side"), id: "side" },
      h("h2", {}, say("page.room.players")),
      this.players.list,
      this.players.asking,
      this.players.queue,
      this.players.watchers,
      h("h2", {}, say("page.room.chat")),
      this.log.lines,
      this.log.form,
    );
    this.button = button(say("page.room.chat"), () => this.toggle(), {
      class: "small drawer",
      "aria-expanded": "false",
      "aria-controls": "side",
    });
    for (const part of [this.button, this.el])
      part.addEventListener("keydown", ({ key }) => {
        if (key === "Escape" && !this.#hidden) this.toggle(false);
      });
  }

  get open() {
    return this.el.classList.contains("open");
  }
  get #hidden() {
    return this.button.checkVisibility?.() === true && !this.open;
  }

  /** Open or close the drawer, and move the focus with it. */
  toggle(open = !this.open) {
    const within = this.el.contains(document.activeElement);
    this.el.classList.toggle("open", open);
    this.button.setAttribute("aria-expanded", String(open));
    this.#count(0);
    if (open) this.log.lines.scrollTop = this.log.lines.scrollHeight;
    else if (within) element("main").focus({ preventScroll: true });
  }

  /** Write a message. */
  write() {
    if (this.#hidden) this.toggle(true);
    this.log.input.focus();
  }

  /**
   * @param {string} name
   * @param {string} line
   * @param {boolean} mine
   */
  chat(name, line, mine) {
    this.log.chat(name, line);
    if (this.#hidden && !mine) this.#count(this.unread + 1);
  }

  /** @param {number} unread */
  #count(unread) {
    this.unread = unread;
    this.button.replaceChildren(
      say("page.room.chat"),
      ...(unread
        ? [h("b", { class: "unread", "aria-label": say("page.room.unread", { n: unread }) }, String(unread))]
        : []),
    );
  }
}

/**
 * Yield a line for each change between two tables, as the protocol calls them.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 * @param {string[]} rules
 */
export function* tableChanges(table, before, rules) {
  const was = new Map(before.seats.map((row) => [row.name, row])),
    now = new Map(table.seats.map((row) => [row.name, row]));
  const given = new Map(
      table.seats.flatMap(({ seat, name }) => {
        // one goes and one comes with one change
        const old = before.seats.find((row) => row.seat === seat)?.name;
        return old !== undefined && !was.has(name) && !now.has(old) ? [[name, old]] : [];
      }),
    ),
    gone = new Set(given.values());
  for (const name of was.keys()) if (!now.has(name) && !gone.has(name)) yield say("room.left", { name });
  for (const [name, row] of now) {
    const old = was.get(name);
    if (given.has(name)) yield say("room.handed", { name, before: given.get(name) });
    else if (!old) yield say("room.sat", { name, kind: row.kind });
    else if (row.by !== old.by) yield say(`room.${row.by}`, { name });
    else if (old.here !== row.here) yield say(row.here ? "room.back" : "room.away", { name });
    if (row.ready && !old?.ready && row.kind === "human") yield say("room.ready", { name });
  }
  if (table.host !== before.host && table.host && before.host) yield say("room.host", { name: table.host });
  for (const { seat, name } of table.requests ?? []) {
    if (!before.requests?.some((asked) => asked.seat === seat && asked.name === name))
      yield say("room.asks", { name, owner: table.seats.find((row) => row.seat === seat)?.name ?? "" });
  }
  for (const name of table.queue ?? []) if (!before.queue?.includes(name)) yield say("room.waits", { name });
  const changed = [...newRules(table, before, rules)];
  if (changed.length && table.host) yield say("room.changed", { name: table.host, rules: changed.join(", ") });
  if (table.state !== before.state && table.state === "playing" && before.state !== "pause") yield say("room.begins");
}

/**
 * Yield the rules, the seats and the clock, each if the host has changed it.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 * @param {string[]} rules
 */
function* newRules({ options, size, clock }, before, rules) {
  const differ = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
    JSON.stringify(one) !== JSON.stringify(other);
  if (differ(options, before.options)) yield* rules.length ? rules : [say("room.usual_rules")];
  if (size !== undefined && size !== before.size) yield say("room.seats", { n: size });
  if (clock !== undefined && differ(clock, before.clock)) yield say("room.clock", times(clock));
}
