// The turn line of UNO as everybody sees it.

import { rule } from "./cards.js";

/**
 * A head, and the rule for the next card.
 * @param {Room} room
 */
export function turnOf(room) {
  const { view } = room;
  if (room.over || view.phase === "over") return ["Match over", ""];
  if (view.phase === "pause") return ["Round over", "the next one begins soon"];
  if (view.turn === null) return ["Time to react", ""];
  return view.turn === room.seat ? ["Your turn is next", ""] : [`${room.name(view.turn)}'s turn`, rule(view)];
}
