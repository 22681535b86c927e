// The table of a game that the page does not know: what the view says, and a button for each legal action.

import { button, clean, h, keyed, style, text } from "../../core/dom.js";
import { label } from "./words.js";

const MOST = 400; // buttons

export class Widget {
  controls = null;

  /** @param {Host} view */
  constructor(view) {
    this.view = view;
    style("styles/forms.css");
    this.head = h("strong");
    this.seconds = h("span", { class: "seconds", role: "timer", "aria-live": "off" });
    this.rule = h("span", { class: "rule" });
    this.line = h("p", { class: "turn row" }, this.head, this.seconds, this.rule);
    this.facts = h("dl", { class: "keys" });
    this.menu = h("div", { class: "menu row", role: "group", "aria-label": "Actions" });
    this.el = h("section", { class: "any", "aria-label": "Game" }, this.line, this.menu, this.facts);
  }

  manual() { return {}; }
  news() {}

  /** @param {Room} room */
  show(room) {
    this.room = room;
    const { view, question, may } = room, turn = Number.isInteger(view.turn) ? `${clean(room.name(view.turn))}'s turn` : "";
    text(this.head, room.over ? "Match over" : question ? "YOUR TURN" : turn);
    this.line.classList.toggle("mine", Boolean(question));
    text(this.rule, question && !question.legal.length ? "This game lists no actions, so the page cannot play it. You can watch." : "");
    const ways = [...(question ? [question] : []), ...may].flatMap(({ rid, legal }) => legal.map((action) => ({ rid, action }))).slice(0, MOST);
    const made = new Map(ways.map((way) => [JSON.stringify(way), way]));
    keyed(this.menu, [...made.keys()], (key) => {
      const { rid, action } = made.get(key) ?? ways[0];
      return button(clean(label(action)), () => this.view.act?.(rid, action));
    });
    this.facts.replaceChildren(...Object.entries(view).flatMap(([name, value]) => [h("dt", {}, clean(name.replaceAll("_", " "))), h("dd", {}, clean(typeof value === "string" ? value : JSON.stringify(value)))]));
    this.tick(room);
  }

  /** @param {Room} room */
  tick(room) {
    const left = room.seat === null ? null : room.left(room.seat, performance.now());
    text(this.seconds, left === null ? "" : `${Math.ceil(left / 1000)} s`);
  }
}
