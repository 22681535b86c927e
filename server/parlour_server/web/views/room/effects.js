// What a player hears and feels: sounds, a vibration, and a notification when it is their turn and they look elsewhere.

import { framed } from "../../core/dom.js";
import { play, ready } from "../../core/sound.js";
import { knows } from "../games.js";
import { notify } from "../notice.js";

/**
 * The sound of an event of a game that the page has modules for; of several events, the last one listed here is heard.
 * @type {Record<string, string>}
 */
const SOUNDS = {
  draw: "draw",
  play: "card",
  penalty: "slam",
  flag: "flag",
  open: "open",
  found: "flag",
  uno: "call",
  challenge: "call",
  caught: "caught",
  mine: "mine",
};

export class Effects {
  /** @type {number | null} The decision that was announced last. */
  #asked = null;
  /** @type {Part[]} What the view of any other game showed last. */
  #parts = [];

  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    document.addEventListener("pointerup", () => this.#allow(), { once: true });
  }

  /**
   * Events have happened in the room, or a decision is open.
   * @param {Room} room
   */
  happened(room) {
    const names = Object.keys(SOUNDS),
      heard = Math.max(...room.events.map(({ e, n }) => names.indexOf(e === "draw" && n > 1 ? "penalty" : e)));
    if (!knows(room.game)) this.#pieces(room);
    else if (heard >= 0) this.#play(SOUNDS[names[heard]]);
    if (room.over && room.seat !== null)
      this.#play(room.over.result.ranks[room.seat] === 1 && room.over.result.why !== "lost" ? "win" : "lose");
    const turn = room.question && room.view.turn === room.seat ? room.question.rid : null;
    if (turn !== null && turn !== this.#asked) this.#turn(room);
    this.#asked = turn ?? this.#asked;
  }

  /**
   * Play the sound of the pieces that have moved.
   * @param {Room} room
   */
  async #pieces(room) {
    const [{ parts }, { heard }] = await Promise.all([
        import("../../games/any/shapes.js"),
        import("../../games/any/sounds.js"),
      ]),
      shown = parts(room),
      sound = heard(shown, this.#parts);
    this.#parts = shown;
    if (sound) this.#play(sound);
  }

  /**
   * Play a sound, after the frame that shows what is heard.
   * @param {string} sound
   */
  async #play(sound) {
    await framed();
    play(sound, this.view.app.prefs.sound);
  }

  /** @param {Room} room */
  #turn(room) {
    if (!document.hidden) return this.#play("turn");
    navigator.vibrate?.([120, 60, 120]);
    notify(room);
  }

  /** At the first press, get ready to be heard, and ask a player for notifications: browsers refuse earlier. */
  #allow() {
    if (this.view.app.prefs.sound) setTimeout(ready); // after what the press does
    if (
      this.view.room.seat !== null &&
      globalThis.Notification?.permission === "default" &&
      this.view.room.table.seats.filter(({ kind }) => kind === "human").length > 1
    )
      Notification.requestPermission();
  }
}
