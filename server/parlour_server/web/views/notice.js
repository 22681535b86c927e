// A notification that it is the player's turn.

import { say } from "../core/phrases.js";
import { title } from "./games.js";

/**
 * Notify the player of a turn in a room, if the page is hidden and notifications are allowed.
 * @param {{ code: string, game: string }} room
 */
export function notify({ code, game }) {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  try {
    // Chrome on Android only allows notifications of service workers
    const note = new Notification(say("page.result.turn"), {
      body: say("page.result.turn.where", { game: title(game), code }),
      tag: code,
    });
    note.onclick = () => {
      focus();
      note.close();
    };
  } catch {
    /* the page shows it, too */
  }
}
