// The games this page can show: their titles, and their modules, which are loaded on demand.

export const GAMES = {
  __proto__: null,
  uno: {
    title: "UNO", readsLog: true, words: () => import("../games/uno/words.js"), widget: () => import("../games/uno/widget.js"),
    openHands: () => import("../games/uno/open_hands.js"),
  },
  minesweeper: {
    title: "Minesweeper", words: () => import("../games/minesweeper/words.js"), widget: () => import("../games/minesweeper/widget.js"),
  },
};

export const title = (game) => GAMES[game]?.title ?? game;

/** The games that the server has, too. */
export const common = ({ can }) => can.filter((name) => GAMES[name]);
