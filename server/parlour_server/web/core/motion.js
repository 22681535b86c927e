// Elements that move across the page, unless people have asked for less motion.

import { h } from "./dom.js";

export const moving = () => !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The rectangle of an element, null if it is not shown.
 * @param {Element | null | undefined} el
 */
export function place(el) {
  const rect = el?.getBoundingClientRect();
  return rect?.width ? rect : null;
}

/** @param {DOMRect} rect */
const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

/**
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
function way(from, to) {
  const [[x, y], [u, v]] = [middle(from), middle(to)];
  return `${u - x}px ${v - y}px`;
}

/**
 * Let `el` come from the rectangle `from` to where it is. Return the animation, if there is one.
 * @param {Element} el
 * @param {DOMRect | null} from
 */
export function arrive(el, from, ms = 180) {
  const to = place(el);
  if (!to || !from || !moving()) return null;
  return el.animate(
    [
      {
        translate: way(to, from),
        scale: Math.max(0.5, Math.min(1.2, from.width / to.width)),
        rotate: "-14deg",
        zIndex: 8,
      },
      { translate: "0 0", scale: 1, zIndex: 8 },
    ],
    { duration: ms, easing: "cubic-bezier(.2,.8,.2,1)" },
  );
}

/**
 * Let an element fly from one rectangle to another, and remove it.
 * @param {Element} el
 * @param {DOMRect | null} from
 * @param {DOMRect | null} to
 * @param {{ ms?: number, delay?: number }} [timing]
 */
export function fly(el, from, to, { ms = 160, delay = 0 } = {}) {
  if (!from || !to || !moving()) return;
  const flyer = h("div", { class: "flying", "aria-hidden": "true" }, el);
  flyer.style.setProperty("left", `${from.left}px`);
  flyer.style.setProperty("top", `${from.top}px`);
  document.body.append(flyer);
  flyer
    .animate(
      [
        { translate: "0 0", opacity: 1 },
        { translate: way(from, to), scale: 0.5, opacity: 0.3 },
      ],
      { duration: ms, delay, fill: "both", easing: "ease-out" },
    )
    .finished.finally(() => flyer.remove());
}

/** @param {Element} el */
export function shake(el) {
  if (!moving()) return;
  const steps = ["0", "-5px 2px", "4px -3px", "-3px -1px", "2px 1px", "0"];
  el.animate(
    steps.map((translate) => ({ translate })),
    { duration: 120 },
  );
}

/** @type {WeakMap<Element, Element>} The words over an element. */
const bubbles = new WeakMap();

/**
 * Let words appear over an element for a moment, in place of those before.
 * @param {Element | null | undefined} el
 * @param {string} words
 */
export function bubble(el, words, kind = "") {
  const rect = place(el);
  if (!el || !rect) return;
  bubbles.get(el)?.remove();
  const said = h("div", { class: `bubble ${kind}`, "aria-hidden": "true", "data-words": words });
  said.style.setProperty("left", `${Math.min(innerWidth - 60, Math.max(60, rect.left + rect.width / 2))}px`);
  said.style.setProperty("top", `${Math.max(40, rect.top)}px`);
  document.body.append(said);
  bubbles.set(el, said);
  setTimeout(() => said.remove(), 1_500);
}
