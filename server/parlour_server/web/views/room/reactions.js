// Reactions: a chat line that is one of six signs is shown for a moment over the seat of who sends it.

import { button, h, set } from "../../core/dom.js";
import { face } from "../../core/faces.js";
import { bubble } from "../../core/motion.js";
import { say } from "../../core/phrases.js";
import { play } from "../../core/sound.js";

/** All clients show them as chat. */
const SIGNS = ["👍", "👏", "😂", "😮", "😢", "🔥"];

/** Our seat, as our face in the turn line or our chair: a press opens a wheel with the reactions. */
export class Reactions {
  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    const own = view.app.session.name;
    this.wheel = h(
      "span",
      { class: "wheel", role: "group", "aria-label": say("page.room.react"), hidden: true },
      ...SIGNS.map((sign, at) => {
        const item = button(sign, () => this.#send(sign));
        item.style.setProperty("--at", String(at));
        return item;
      }),
    );
    this.seat = button(face(own, false), () => this.#open(this.wheel.hidden === true), {
      class: "portrait",
      "aria-label": say("page.room.react"),
      "aria-expanded": "false",
      title: say("page.room.react"),
    });
    this.el = h("span", { class: "own-seat" }, this.seat, this.wheel);
    this.el.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.wheel.hidden) return;
      event.preventDefault();
      this.#open(false);
      this.seat.focus();
    });
    view.el.addEventListener("pointerdown", ({ target }) => {
      if (!this.wheel.hidden && !this.el.contains(/** @type {Node} */ (target))) this.#open(false);
    });
  }

  /** Sit in the turn line of the game, or in our chair before it, as long as we have a seat among others. */
  show() {
    const { room, stage, widget } = this.view,
      place =
        widget && !widget.el.hidden
          ? stage.querySelector(".turn")
          : stage.querySelector(`.chairs [data-key="${CSS.escape(room.own?.name ?? "")}"]`);
    if (room.seat === null || room.table.seats.length < 2) this.el.remove();
    else if (place && place !== this.el.parentElement) place.prepend(this.el);
  }

  /**
   * Show a chat line over a seat if it is a reaction of someone who sits here.
   * @param {string} name
   * @param {string} words
   */
  shown(name, words) {
    const place = SIGNS.includes(words) && this.#seatOf(name);
    if (!place) return false;
    bubble(place, words, "reaction");
    play("pop", this.view.app.prefs.sound);
    return true;
  }

  /**
   * What shows the seat of a player: at the table, before a match a chair, or ours.
   * @param {string} name
   */
  #seatOf(name) {
    const { room, stage, app } = this.view,
      row = room.table.seats.find((each) => each.name === name);
    if (!row) return null;
    if (name === app.session.name && this.el.isConnected) return this.seat;
    return [...stage.querySelectorAll("li")].find(
      ({ dataset: { key }, offsetParent }) => offsetParent && (key === String(row.seat) || key === name),
    );
  }

  /** @param {string} sign */
  #send(sign) {
    this.#open(false);
    this.seat.focus();
    this.view.ask({ t: "chat", text: sign });
  }

  /** @param {boolean} open */
  #open(open) {
    this.wheel.hidden = !open;
    set(this.seat, { "aria-expanded": String(open) });
    if (open) /** @type {HTMLElement} */ (this.wheel.firstElementChild).focus();
  }
}
