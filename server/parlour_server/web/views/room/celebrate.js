// The winner's moment: confetti over the result.

import { framed, h, put } from "../../core/dom.js";
import { moving, place } from "../../core/motion.js";

const COLOURS = ["red", "yellow", "green", "blue"],
  BURSTS = 8,
  PIECES = 6, // of a burst, which move together: each by itself would cost time in each frame
  WIDE = 90; // pixels

/**
 * Throw confetti from the top of `el`.
 * @param {Element} el
 */
export async function celebrate(el) {
  for (let before = 0; before < 3; before++) await framed(); // the result, and what is below it
  const rect = place(el);
  if (!rect || !moving()) return;
  const air = h("div", { class: "confetti", "aria-hidden": "true" });
  document.body.append(air);
  throwFrom(air, rect.left + rect.width / 2, rect.top + 20, BURSTS);
}

/**
 * Throw the next burst, and the others in the frames after this one: all together would take longer than a frame.
 * @param {HTMLElement} air
 * @param {number} left
 * @param {number} top
 * @param {number} bursts
 */
function throwFrom(air, left, top, bursts) {
  const burst = h("b");
  put(burst, { left: `${left}px`, top: `${top}px` });
  for (let piece = 0; piece < PIECES; piece++) {
    const bit = h("i", { class: COLOURS[(bursts + piece) % COLOURS.length] });
    put(bit, {
      translate: `${WIDE * (Math.random() - 0.5)}px ${WIDE * (Math.random() - 0.5)}px`,
      rotate: `${360 * Math.random()}deg`,
    });
    burst.append(bit);
  }
  air.append(burst);
  const angle = Math.PI * (1 + (bursts - Math.random()) / BURSTS), // all round
    far = 120 + 260 * Math.random(),
    x = far * Math.cos(angle),
    y = far * Math.sin(angle),
    spin = 720 * Math.random() - 360;
  burst
    .animate(
      [
        { translate: "0 0", rotate: "0deg", scale: 0.2, opacity: 1 },
        { translate: `${x}px ${y}px`, rotate: `${spin / 2}deg`, scale: 1, opacity: 1, offset: 0.35, easing: "ease-in" },
        { translate: `${1.3 * x}px ${y + 420}px`, rotate: `${spin}deg`, scale: 1.3, opacity: 0 },
      ],
      { duration: 1_600 + 900 * Math.random(), easing: "cubic-bezier(.1,.7,.3,1)", fill: "both" },
    )
    .finished.finally(() => {
      burst.remove();
      if (!air.firstChild) air.remove();
    });
  if (bursts > 1) requestAnimationFrame(() => throwFrom(air, left, top, bursts - 1));
}
