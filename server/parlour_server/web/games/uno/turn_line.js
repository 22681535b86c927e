// The turn line of UNO as everybody sees it.

import { playerOf, say } from "../../core/phrases.js";
import { rule } from "./cards.js";

/**
 * A head, and the rule for the next card.
 * @param {Room} room
 */
export function turnOf(room) {
  const { view } = room;
  if (room.over || view.phase === "over") return [say("uno.turn.match_over"), ""];
  if (view.phase === "pause") return [say("uno.turn.round_over"), say("uno.turn.next_round")];
  if (view.turn === null) return [say("uno.turn.calls"), ""];
  return view.turn === room.seat ? [say("uno.turn.coming"), ""] : [say("uno.turn.other", { seat: view.turn }, { player: playerOf(room) }), rule(view)];
}
