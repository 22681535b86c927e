// Count down in the banner while the connection is lost: to the next attempt, and until a stand-in takes the seat.

import { text } from "../../core/dom.js";

const SEAT_HELD = 30_000; // ms, SPEC.md#stand-ins

/**
 * `state`: that of the connection.
 * @param {ConnectionState} state
 * @param {Room} room
 */
export function countDown({ since, until, name }, room) {
  const count = document.getElementById("count"), seconds = (/** @type {number} */ ms) => Math.ceil((ms - performance.now()) / 1000);
  if (!count || !since) return;
  const held = seconds(since + SEAT_HELD);
  const seat = !room.underWay || room.seat === null ? "" : held > 0 ? `Your seat is held for ${held} s.` : "A stand-in may play for you until you are back.";
  text(count, `${name === "waiting" ? `Reconnecting in ${Math.max(0, seconds(until ?? 0))} s.` : "Reconnecting…"} ${seat}`);
}
