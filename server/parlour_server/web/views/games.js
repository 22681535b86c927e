// The games this page can show: their titles, and their modules, which are loaded on demand.

import { style } from "../core/dom.js";
import { load as phrases } from "../core/phrases.js";

/**
 * Load a module, and at the same time what it needs.
 * @param {any[]} all
 */
const load = async (...all) => (await Promise.all(all))[0];

/** @type {Record<string, GameParts>} */
const GAMES = {
  uno: {
    title: "UNO", readsLog: true, paced: ["play", "draw", "challenge", "accept", "caught", "swap", "rotate"], words: () => load(import("../games/uno/words.js"), phrases("uno"), phrases("uno.more")),
    widget: () => load(import("../games/uno/widget.js"), phrases("uno"), import("../games/uno/turn_line.js"), import("../games/uno/cards.js"), style("games/uno/widget.css")),
    openHands: () => import("../games/uno/open_hands.js"), manual: () => load(import("../games/uno/manual.js"), phrases("uno.more")), form: () => load(import("../games/uno/form.js"), phrases("uno.more")),
  },
  minesweeper: {
    title: "Minesweeper", words: () => load(import("../games/minesweeper/words.js"), phrases("minesweeper"), phrases("minesweeper.more")),
    widget: () => load(import("../games/minesweeper/widget.js"), phrases("minesweeper"), phrases("minesweeper.more"), import("../games/minesweeper/words.js"), style("games/minesweeper/widget.css")),
    manual: () => load(import("../games/minesweeper/manual.js"), phrases("minesweeper.more")), form: () => load(import("../games/minesweeper/form.js"), phrases("minesweeper.more")),
  },
};
/** @type {Omit<GameParts, "title">} */
const ANY = { readsLog: true, words: () => import("../games/any/words.js"), widget: () => import("../games/any/widget.js") };

/**
 * How to show a game. Games without a widget of their own are played from the list of legal actions.
 * @param {string} name
 * @returns {GameParts}
 */
export const game = (name) => (Object.hasOwn(GAMES, name) ? GAMES[name] : { ...ANY, title: name });

/** @param {string} name */
export const title = (name) => game(name).title;

/**
 * The games that both the page and the server have.
 * @param {Session} session
 */
export const common = ({ can }) => Object.keys(GAMES).filter((name) => can.includes(name));
