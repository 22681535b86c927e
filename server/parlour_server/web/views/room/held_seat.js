// Count down in the banner while the connection is lost: to the next attempt, and until a stand-in takes the seat.

import { text } from "../../core/dom.js";

const SEAT_HELD = 30_000; // ms, SPEC.md#stand-ins

/**
 * `state`: that of the connection.
 * @param {ConnectionState} state
 * @param {Room} room
 */
export function countDown({ since, until, name }, room) {
  const count = document.getElementById("count"), seconds = (ms) => Math.ceil((ms - performance.now()) / 1000), held = seconds(since + SEAT_HELD);
  if (!count || !since) return;
  const seat = !room.underWay || room.seat === null ? "" : held > 0 ? `Your seat is held for ${held} s.` : "A stand-in may play for you until you are back.";
  text(count, `${name === "waiting" ? `Reconnecting in ${Math.max(0, seconds(until))} s.` : "Reconnecting…"} ${seat}`);
}
