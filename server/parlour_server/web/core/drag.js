// Dragging a card of the hand onto the table, besides pressing it.

import { place } from "./motion.js";

const START = 10; // pixels until a press becomes a drag
const NEAR = 60; // pixels around the piles at which a card is played

/**
 * Let cards be dragged from `hand` to `piles`; `play` gets the key of the card.
 * @param {HTMLElement} hand
 * @param {HTMLElement} piles
 * @param {(key: string) => void} play
 */
export function draggable(hand, piles, play) {
  /** @type {{ el: HTMLElement, id: number, x: number, y: number, over: boolean, moves: boolean } | null} */
  let held = null;
  let dropped = false;

  const drop = () => {
    held?.el.classList.remove("dragged");
    hand.classList.remove("dragging");
    piles.classList.remove("target");
    const was = held;
    held = null;
    return was;
  };
  hand.addEventListener("pointerdown", (event) => {
    dropped = false;
    const el = event.target instanceof Element ? event.target.closest(".play") : null;
    if (!(el instanceof HTMLElement) || event.button !== 0 || !event.isPrimary) return;
    el.setPointerCapture(event.pointerId); // a quick hand leaves the card before its first move is reported
    held = { el, id: event.pointerId, x: event.clientX, y: event.clientY, over: false, moves: false };
  });
  hand.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moves && (Math.hypot(dx, dy) < START || -dy < Math.abs(dx) / 2)) return; // sideways is no play
    held.moves = true;
    const target = place(piles);
    held.over =
      target !== null &&
      event.clientY < target.bottom + NEAR &&
      event.clientX > target.left - NEAR &&
      event.clientX < target.right + NEAR;
    held.el.style.setProperty("--dx", `${dx}px`);
    held.el.style.setProperty("--dy", `${dy}px`);
    held.el.classList.add("dragged");
    hand.classList.add("dragging");
    piles.classList.toggle("target", held.over);
  });
  hand.addEventListener("pointerup", (event) => {
    if (event.pointerId !== held?.id) return;
    if (held.moves && held.over) play(held.el.parentElement?.dataset.key ?? ""); // it flies from where it is now
    dropped = drop()?.moves ?? false;
  });
  hand.addEventListener("pointercancel", (event) => event.pointerId === held?.id && drop());
  hand.addEventListener(
    "click",
    (event) => {
      if (!dropped) return;
      dropped = false;
      event.stopPropagation();
    },
    { capture: true },
  );
}
