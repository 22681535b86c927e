// The banner's countdown while the connection is lost: to the next try, and for how long the seat is held.

import { text } from "../../core/dom.js";

const SEAT_HELD = 30_000; // ms, SPEC.md#stand-ins

/** `state`: that of the connection. */
export function countDown({ since, until, name }, room) {
  const count = document.getElementById("count"), seconds = (ms) => Math.ceil((ms - performance.now()) / 1000), held = seconds(since + SEAT_HELD);
  if (!count || !since) return;
  const seat = !room.underWay || room.seat === null ? "" : held > 0 ? `Your seat is held for ${held} s.` : "Somebody stands in for you until you are back.";
  text(count, `${name === "waiting" ? `Trying again in ${Math.max(0, seconds(until))} s.` : "Connecting again…"} ${seat}`);
}
