// The games this page can show: their titles, and their modules, which are loaded on demand.

import { style } from "../core/dom.js";

/** Load a module, and at the same time what it needs. */
const load = async (...all) => (await Promise.all(all))[0];

export const GAMES = {
  __proto__: null,
  uno: {
    title: "UNO", readsLog: true, words: () => import("../games/uno/words.js"),
    widget: () => load(import("../games/uno/widget.js"), import("../games/uno/cards.js"), style("games/uno/widget.css")),
    openHands: () => import("../games/uno/open_hands.js"),
  },
  minesweeper: {
    title: "Minesweeper", words: () => import("../games/minesweeper/words.js"),
    widget: () => load(import("../games/minesweeper/widget.js"), style("games/minesweeper/widget.css")),
  },
};

export const title = (game) => GAMES[game]?.title ?? game;

/** The games that the server has, too. */
export const common = ({ can }) => can.filter((name) => GAMES[name]);
