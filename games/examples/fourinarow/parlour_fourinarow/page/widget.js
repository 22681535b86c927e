// Four in a row on the web page: the table of any game, and the board in characters for people to paste. The server
// serves this file as games/fourinarow/widget.js, so the modules of the page are two folders up.

import { Widget as Table } from "../../games/any/widget.js";

/** @type {Record<string, string>} */
const CHARACTERS = { X: "🔴", O: "🟡", ".": "⚫" };

export class Widget extends Table {
  /** @param {Room} room */
  async inCharacters(room) {
    return room.view.board.map((/** @type {string} */ row) => [...row].map((sign) => CHARACTERS[sign]).join(""));
  }
}
