// What can be done, as buttons: one for each action, lists for many of one kind, and a field to find one.

import { button, clean, h, keyed } from "../../core/dom.js";
import { say } from "../../core/phrases.js";
import { fieldName, grouped, matching, options, valueIn } from "./actions.js";
import { shown } from "./values.js";

const MOST = 400; // buttons
const MANY = 12; // buttons from which there is a filter
export const DIGITS = "1234567890";

export class Choices {
  /** @type {AnyWay[]} */
  ways = [];
  /** @type {Map<string, AnyWay>} The action that each group has now. */
  set = new Map();
  /** Whether the digits choose here, not in the hand. */
  numbered = true;
  /** @type {Room} */
  room;
  /** The most space that the buttons have needed: they do not move the table. */
  high = 0;
  wide = 0;

  /** @param {(way: AnyWay) => void} go */
  constructor(go) {
    this.go = go;
    this.filter = h("input", {
      type: "search",
      "aria-label": say("page.any.filter"),
      placeholder: say("page.any.filter"),
      hidden: true,
      oninput: () => this.#draw(),
    });
    this.menu = h("div", { class: "menu row", role: "group", "aria-label": say("page.room.actions") });
    this.groups = h("div", { class: "groups" });
    this.el = h("div", { class: "choices" }, this.filter, this.menu, this.groups);
  }

  forget() {
    this.set.clear();
    this.filter.value = "";
  }

  /**
   * @param {Room} room
   * @param {AnyWay[]} ways
   */
  show(room, ways, numbered = true) {
    this.room = room;
    this.ways = ways;
    this.numbered = numbered;
    this.filter.hidden = ways.length <= MANY;
    this.#draw();
  }

  /** The single actions and the groups that are offered now. What was searched for is not grouped. */
  #items() {
    return this.filter.hidden || !this.filter.value ? grouped(this.ways) : matching(this.ways, this.filter.value);
  }

  /**
   * The action of a digit.
   * @param {string} key
   */
  of(key) {
    if (!this.numbered || !DIGITS.includes(key)) return undefined;
    const items = this.#items();
    return [
      ...items.flatMap((item) => ("action" in item ? [item] : [])).slice(0, MOST),
      ...items.flatMap((item) => ("fields" in item ? [this.#now(item)] : [])),
    ][DIGITS.indexOf(key)];
  }

  /** @param {AnyGroup} group */
  #now(group) {
    return this.set.get(group.key) ?? group.ways[0];
  }

  #draw() {
    const items = this.#items(),
      found = items.flatMap((item) => ("action" in item ? [item] : [])).slice(0, MOST),
      made = new Map(found.map((way) => [JSON.stringify([way.rid, way.action]), way]));
    const hot = (/** @type {number} */ at) =>
      this.numbered && DIGITS[at] ? [h("kbd", { "aria-hidden": "true" }, DIGITS[at]), " "] : [];
    keyed(this.menu, [...made.keys()], (key) =>
      button("", () => {
        const way = made.get(key);
        if (way) this.go(way);
      }),
    ).forEach((item, at) => item.replaceChildren(...hot(at), clean(found[at].words)));
    const groups = new Map(items.flatMap((item) => ("fields" in item ? [[item.key, item]] : [])));
    keyed(this.groups, [...groups.keys()], (key) =>
      h("div", { class: "row", role: "group", "data-group": key }),
    ).forEach((box, at) => this.#fill(box, [...groups.values()][at], hot(found.length + at)));
    this.#keepHeight();
  }

  /** Keep the space for the buttons, as long as the width stays the same. */
  #keepHeight() {
    const { offsetWidth, scrollHeight } = this.el;
    if (offsetWidth !== this.wide) this.high = 0;
    this.wide = offsetWidth;
    this.high = Math.max(this.high, this.ways.length ? scrollHeight : 0);
    this.el.style.setProperty("--high", `${this.high}px`);
  }

  /**
   * Fill the box of a group: a select for each of its fields, and a button.
   * @param {HTMLElement} box
   * @param {AnyGroup} group
   * @param {Child[]} hot
   */
  #fill(box, group, hot) {
    const way = this.#now(group),
      focused = [...box.children].findIndex((child) => child.contains(document.activeElement));
    const selects = group.fields.map((field, at) => {
      const found = options(group, way, at),
        name = fieldName(this.room, way, field);
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
              this.#draw();
            },
          },
          ...found.map((each) =>
            h(
              "option",
              { selected: valueIn(each, field) === valueIn(way, field) ? "" : null },
              shown(this.room, each.action[field], field),
            ),
          ),
        ),
      );
    });
    box.replaceChildren(
      ...selects,
      button([...hot, way.words], () => this.go(this.#now(group)), { class: "main" }),
    );
    const child = box.children[focused];
    /** @type {HTMLElement | null | undefined} */ (child?.querySelector("select") ?? child)?.focus?.();
  }
}
