// The seats round a table: faces, hands as fans of backs, whose time runs, and a lamp over whose turn it is.

import { changes, h, keyed, notAbove, put, set, text, who } from "./dom.js";
import { face } from "./faces.js";
import { say } from "./phrases.js";

export const URGENT = 20_000; // ms, what a full ring of time stands for
const BACKS = 9; // cards drawn one by one
// by opponents: how many sit on each side, the others across the table; the second for an upright phone
const SIDES = [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3],
  LOW_SIDES = [0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3];

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
  return {
    "--round": Math.max(1, count),
    "--sides": Math.max(1, sides),
    "--across": across,
    "--low-sides": Math.max(1, low),
    low,
    place,
  };
}

/**
 * A hand as its backs: a fan, and how many it has.
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

const make = () =>
  h(
    "li",
    {},
    h("span", { class: "face", "aria-hidden": "true" }),
    h("span", { class: "backs", "aria-hidden": "true" }),
    h("span", { class: "plate" }, h("span", { class: "head" }), h("span", { class: "tally" })),
    h("span", { class: "shout" }),
    h("span", { class: "before" }),
  );

const HEIGHTS = [19.5, 15, 9.9, 7.6, 4.4]; // rem of the felt: the style sheet shows less under each

export class Seats {
  #lighting = 0;

  /** @param {HTMLElement} felt The seats are its first children, and lie on its grid, round the child that it has. */
  constructor(felt) {
    this.felt = felt;
    const middle = /** @type {HTMLElement} */ (felt.firstElementChild),
      sizes = new ResizeObserver((all) => this.#sized(all, middle)); // queries of containers took longer than layout
    for (const el of [felt, middle]) sizes.observe(el);
    this.lamp = h("div", { class: "lamp", "aria-hidden": "true" });
    this.el = h("ul", { class: "others", "aria-label": say("page.room.players") });
    felt.prepend(this.lamp, this.el);
  }

  /**
   * Show the seats clockwise from our left; `own`: ours, too, at the end.
   * @param {Room} room
   * @param {number} count
   * @param {(seat: number) => SeatShown} of
   */
  show(room, count, of, own = false) {
    const first = room.seat === null ? 0 : room.seat + 1,
      all = Array.from({ length: count }, (_, step) => (first + step) % count),
      seats = all.filter((seat) => own || seat !== room.seat),
      { low, place, ...around } = places(all.filter((seat) => seat !== room.seat).length);
    put(this.felt, around);
    set(this.felt, { "data-low": low });
    keyed(this.el, seats, make).forEach((item, at) => {
      const seat = seats[at],
        row = room.row(seat),
        {
          count,
          of: what = "cards",
          tally,
          shout = "",
          out = false,
          on = room.view.turn === seat,
          before = null,
        } = of(seat);
      const [portrait, backs, plate, said, laid] = /** @type {HTMLElement[]} */ ([...item.children]),
        [head, told] = /** @type {HTMLElement[]} */ ([...plate.children]);
      const kind = row?.by === "standin" ? "standin" : row?.here === false ? "away" : row?.kind;
      const name = room.name(seat),
        bot = row?.kind === "bot";
      put(item, place(at));
      if (changes(portrait, `${bot} ${name}`)) portrait.replaceChildren(face(name, bot));
      set(portrait, { "data-kind": kind, title: kind && say("page.room.kind", { kind }) });
      if (changes(head, `${name} ${kind}`))
        head.replaceChildren(
          who(room.name(seat), { title: name }),
          h("span", { class: "dim unseen" }, kind ? ` ${say("page.room.kind", { kind })}` : ""),
        );
      backs.hidden = count === null;
      set(backs, { class: `backs ${what}` });
      if (changes(backs, String(count))) backs.replaceChildren(...(count === null ? [] : fan(count)));
      keyed(told, Object.keys(tally), (kind) => h("span", { class: kind.split(" ")[0] })).forEach((el, n) =>
        text(el, Object.values(tally)[n]),
      );
      text(said, shout);
      laid.hidden = !before;
      before?.(laid);
      item.className = `seat${on ? " on" : ""}${out ? " out" : ""}${seat === room.seat ? " mine" : ""}`;
      set(item, { "aria-current": on ? "true" : null });
    });
  }

  /**
   * Tell the style sheet how high the felt and its middle are.
   * @param {ResizeObserverEntry[]} all
   * @param {HTMLElement} middle
   */
  #sized(all, middle) {
    for (const {
      target,
      contentRect: { height },
    } of all) {
      if (target === middle) put(middle, { "--height": `${height}px` });
      else set(this.felt, { "data-under": notAbove(HEIGHTS, height) || null });
    }
  }

  /** @param {number | null} seat */
  item(seat) {
    return /** @type {HTMLElement[]} */ ([...this.el.children]).find(({ dataset }) => dataset.key === String(seat));
  }

  /**
   * Show the time that each seat has left, and the lamp: over the seat whose turn it is, or over `line` if it is ours.
   * @param {Room} room
   * @param {Element} line
   */
  tick(room, line, own = room.view.turn !== null && room.view.turn === room.seat) {
    const now = performance.now();
    for (const item of this.el.children) {
      const rest = room.left(Number(/** @type {HTMLElement} */ (item).dataset.key), now);
      put(/** @type {HTMLElement} */ (item.firstChild), {
        "--left": rest === null ? 0 : Math.min(100, (100 * rest) / URGENT).toFixed(0),
      });
    }
    cancelAnimationFrame(this.#lighting);
    this.#lighting = requestAnimationFrame(() => {
      this.#lighting = requestAnimationFrame(() => this.#light(line, own)); // when what has happened is laid out
    });
  }

  /**
   * @param {Element} line
   * @param {boolean} own
   */
  #light(line, own) {
    const to = own ? line : this.el.querySelector("li.on:not(.mine)");
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
