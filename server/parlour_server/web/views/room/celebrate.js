// The winner's moment: confetti over the result.

import { framed, h, put } from "../../core/dom.js";
import { moving, place } from "../../core/motion.js";

const COLOURS = ["red", "yellow", "green", "blue"],
  PIECES = 48,
  IN_A_FRAME = 4;

/**
 * Throw confetti from the top of `el`.
 * @param {Element} el
 */
export async function celebrate(el) {
  for (let before = 0; before < 2; before++) await framed(); // the result, and what is below it
  const rect = place(el);
  if (!rect || !moving()) return;
  const air = h("div", { class: "confetti", "aria-hidden": "true" });
  document.body.append(air);
  throwFrom(air, rect.left + rect.width / 2, rect.top + 20, PIECES);
}

/**
 * Throw the next pieces, and the others in the frames after this one: all together would take longer than a frame.
 * @param {HTMLElement} air
 * @param {number} left
 * @param {number} top
 * @param {number} pieces
 */
function throwFrom(air, left, top, pieces) {
  for (let piece = pieces; piece > Math.max(0, pieces - IN_A_FRAME); piece--) {
    const bit = h("i", { class: COLOURS[piece % COLOURS.length] });
    put(bit, { left: `${left}px`, top: `${top}px` });
    air.append(bit);
    const angle = Math.PI * (1 + Math.random()),
      far = 120 + 260 * Math.random(),
      x = far * Math.cos(angle),
      y = far * Math.sin(angle),
      spin = 720 * Math.random() - 360;
    bit
      .animate(
        [
          { translate: "0 0", rotate: "0deg", opacity: 1 },
          { translate: `${x}px ${y}px`, rotate: `${spin / 2}deg`, opacity: 1, offset: 0.35, easing: "ease-in" },
          { translate: `${1.3 * x}px ${y + 420}px`, rotate: `${spin}deg`, opacity: 0 },
        ],
        { duration: 1_600 + 900 * Math.random(), easing: "cubic-bezier(.1,.7,.3,1)", fill: "both" },
      )
      .finished.finally(() => {
        bit.remove();
        if (!air.firstChild) air.remove();
      });
  }
  if (pieces > IN_A_FRAME) requestAnimationFrame(() => throwFrom(air, left, top, pieces - IN_A_FRAME));
}
