// Count down in the banner while the connection is lost: to the next attempt, and until a stand-in takes the seat.

import { text } from "../../core/dom.js";
import { say } from "../../core/phrases.js";

const SEAT_HELD = 30_000; // ms, SPEC.md#stand-ins

/**
 * `state`: that of the connection.
 * @param {ConnectionState} state
 * @param {Room} room
 */
export function countDown({ since, until, name }, room) {
  const count = document.getElementById("count"),
    seconds = (/** @type {number} */ ms) => Math.ceil((ms - performance.now()) / 1000);
  if (!count || !since) return;
  const seat =
    !room.underWay || room.seat === null ? "" : say("page.panel.held", { n: Math.max(0, seconds(since + SEAT_HELD)) });
  const next =
    name === "waiting" ? say("page.panel.wait", { n: Math.max(0, seconds(until ?? 0)) }) : say("page.shell.connecting");
  text(count, `${next} ${seat}`);
}
