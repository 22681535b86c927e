// Looking round on a board: two fingers scale and move it, a mouse drags it, and it glides on. Where it is larger than
// its window, a small map shows all of it and the part that is seen, and jumps to where it is pressed.

import { h, put } from "../../core/dom.js";
import { moving } from "../../core/motion.js";

const DOT = 4; // pixels of a cell on the map
const SLIP = 6; // pixels that a mouse moves before it drags
const LARGEST = 3; // times the usual size
const FADE = 325; // ms in which a glide loses two thirds of its speed
const SLOWEST = 0.02; // pixels a ms
const RECENT = 80; // ms of a movement that say how fast it was

/** @typedef {[x: number, y: number]} Point */

export class Roam {
  /** Whether the board is being scaled or dragged: nothing on it is pressed then. */
  busy = false;
  /** @type {Map<number, Point>} Where each finger, or the mouse, is. */
  #fingers = new Map();
  /** @type {Point} Where they were first. */
  #start = [0, 0];
  /** @type {{ apart: number, scale: number } | null} How two fingers began. */
  #pinch = null;
  /** @type {[ms: number, x: number, y: number][]} Where they have been lately. */
  #track = [];
  #gliding = 0;
  #drawing = 0;
  /** @type {string[]} Of a closed cell, an open one, a flag and a mine. */
  #colours = [];

  /** @param {import("./widget.js").Widget} widget */
  constructor(widget) {
    this.widget = widget;
    this.canvas = h("canvas");
    this.part = h("i");
    this.map = h("div", { class: "map", "aria-hidden": "true" }, this.canvas, this.part);
    widget.frame.after(this.map);
    this.#listen(widget.frame);
    for (const name of /** @type {const} */ (["pointerdown", "pointermove"]))
      this.map.addEventListener(name, (event) => event.buttons && this.#jump(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#look());
    this.#look();
    this.frame();
  }

  // --- the map ---

  /** Look which colours the board has, and draw it. */
  #look() {
    const look = getComputedStyle(this.map);
    this.#colours = ["closed", "open", "gold", "coral"].map((name) => look.getPropertyValue(`--${name}`));
    this.draw();
  }

  /** Draw the board on the map, in the next frame. */
  draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => {
      const { canvas, widget } = this,
        { width, height } = widget.room.view,
        pen = canvas.getContext("2d"),
        [closed, open, flag, mine] = this.#colours;
      if (!pen) return;
      Object.assign(canvas, { width: DOT * width, height: DOT * height });
      widget.drawn.forEach((key, at) => {
        const [char] = key;
        pen.fillStyle = char === "." ? closed : "FABX".includes(char) ? flag : "*M".includes(char) ? mine : open;
        pen.fillRect(DOT * (at % width), DOT * Math.floor(at / width), DOT, DOT);
      });
    });
  }

  /** Show on the map which part of the board is in the window. */
  frame() {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.widget.frame,
      percent = (/** @type {number} */ part, /** @type {number} */ all) =>
        `${(100 * Math.min(1, part / all)).toFixed(2)}%`;
    put(this.part, {
      left: percent(scrollLeft, scrollWidth),
      top: percent(scrollTop, scrollHeight),
      width: percent(clientWidth, scrollWidth),
      height: percent(clientHeight, scrollHeight),
    });
  }

  /**
   * Bring the place that was pressed on the map into the middle of the window.
   * @param {PointerEvent} event
   */
  #jump({ clientX, clientY }) {
    const { frame } = this.widget,
      { left, top, width, height } = this.canvas.getBoundingClientRect();
    cancelAnimationFrame(this.#gliding);
    frame.scrollTo(
      ((clientX - left) / width) * frame.scrollWidth - frame.clientWidth / 2,
      ((clientY - top) / height) * frame.scrollHeight - frame.clientHeight / 2,
    );
  }

  // --- fingers and the mouse ---

  /** @param {HTMLElement} frame */
  #listen(frame) {
    frame.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), {
      passive: false, // else the browser takes two fingers that move for its own scrolling
    });
    frame.addEventListener("pointerdown", (event) => {
      cancelAnimationFrame(this.#gliding);
      if (event.pointerType === "mouse" && (event.button || !frame.dataset.more)) return;
      this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
      this.#begin();
    });
    frame.addEventListener("pointermove", (event) => {
      if (!this.#fingers.has(event.pointerId)) return;
      const before = this.#middle;
      this.#fingers.set(event.pointerId, [event.clientX, event.clientY]);
      this.#moved(event, before);
    });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(name, ({ pointerId }) => this.#fingers.has(pointerId) && this.#release(pointerId));
    frame.addEventListener(
      "click",
      (event) => {
        if (this.busy) event.stopPropagation(); // the end of a drag presses nothing
      },
      true,
    );
  }

  /** @returns {Point} */
  get #middle() {
    const all = [...this.#fingers.values()],
      mean = (/** @type {0 | 1} */ axis) => all.reduce((sum, at) => sum + at[axis], 0) / all.length;
    return [mean(0), mean(1)];
  }

  get #apart() {
    const [a, b] = this.#fingers.values();
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  }

  #begin() {
    const two = this.#fingers.size === 2;
    this.#start = this.#middle;
    this.#track = [];
    this.#pinch = two ? { apart: this.#apart, scale: this.widget.scale } : null;
    this.busy = two;
  }

  /**
   * @param {PointerEvent} event
   * @param {Point} before The middle of all fingers before they moved.
   */
  #moved({ pointerType, pointerId, timeStamp }, before) {
    const { widget } = this,
      { frame } = widget,
      [x, y] = this.#middle;
    if (pointerType === "mouse" && !this.busy && Math.hypot(x - this.#start[0], y - this.#start[1]) > SLIP) {
      this.busy = true;
      frame.setPointerCapture(pointerId);
    }
    if (!this.busy) return; // one finger scrolls as everywhere
    if (this.#pinch) {
      const { left, top } = frame.getBoundingClientRect(),
        scale = (this.#pinch.scale * this.#apart) / this.#pinch.apart;
      widget.rescale(Math.max(1, Math.min(LARGEST, scale)), x - left, y - top);
    }
    frame.scrollBy(before[0] - x, before[1] - y);
    this.#track = [...this.#track.filter(([ms]) => timeStamp - ms < RECENT), [timeStamp, x, y]];
  }

  /** @param {number} pointerId */
  #release(pointerId) {
    const [first, last] = [this.#track[0], this.#track[this.#track.length - 1]];
    this.#fingers.delete(pointerId);
    if (this.busy && first !== last && performance.now() - last[0] < RECENT) {
      const ms = last[0] - first[0] || 1;
      this.#glide((first[1] - last[1]) / ms, (first[2] - last[2]) / ms);
    }
    this.#track = [];
    this.#pinch = null;
    setTimeout(() => {
      this.busy = this.#fingers.size > 1; // after the click
    });
  }

  /**
   * Scroll on, slower and slower.
   * @param {number} across Pixels a ms.
   * @param {number} down
   */
  #glide(across, down) {
    const { frame } = this.widget;
    if (!moving()) return;
    let [x, y, last] = [frame.scrollLeft, frame.scrollTop, performance.now()];
    const step = (/** @type {number} */ now) => {
      const ms = Math.max(0, now - last),
        rest = Math.exp(-ms / FADE);
      [x, y, last] = [x + across * ms, y + down * ms, now];
      [across, down] = [across * rest, down * rest];
      frame.scrollTo(x, y);
      if (Math.hypot(across, down) > SLOWEST) this.#gliding = requestAnimationFrame(step);
    };
    this.#gliding = requestAnimationFrame(step);
  }
}
