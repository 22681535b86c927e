// The games this page can show: their titles, and their modules, which are loaded on demand.

import { style } from "../core/dom.js";
import { capital, known, load, say, together } from "../core/phrases.js";

/** @type {Record<string, GameParts>} */
const GAMES = {
  uno: {
    readsLog: true,
    paced: ["play", "draw", "challenge", "accept", "caught", "swap", "rotate"],
    words: () =>
      together(import("../games/uno/words.js"), load("uno"), load("uno.more"), import("../games/uno/cards.js")),
    widget: () =>
      together(
        import("../games/uno/widget.js"),
        load("uno"),
        import("../games/uno/cards.js"),
        import("../core/faces.js"),
        import("../core/seats.js"),
        style("styles/table.css"),
      ),
    openHands: () => import("../games/uno/open_hands.js"),
    review: () => together(import("../games/uno/review.js"), load("uno.more")),
    manual: () => together(import("../games/uno/manual.js"), load("uno.more")),
    form: () => together(import("../games/uno/form.js"), load("uno.more")),
  },
  minesweeper: {
    words: () => together(import("../games/minesweeper/words.js"), load("minesweeper"), load("minesweeper.more")),
    widget: () =>
      together(
        import("../games/minesweeper/widget.js"),
        load("minesweeper"),
        load("minesweeper.more"),
        import("../games/minesweeper/words.js"),
        style("games/minesweeper/widget.css"),
      ),
    review: () => together(import("../games/minesweeper/review.js"), load("minesweeper.more")),
    manual: () => together(import("../games/minesweeper/manual.js"), load("minesweeper.more")),
    form: () => together(import("../games/minesweeper/form.js"), load("minesweeper.more")),
  },
};
const BROUGHT = new Set(
  (document.querySelector('meta[name="games"]')?.getAttribute("content") ?? "").split(" ").filter(Boolean),
);

/**
 * A game without modules on the page: with its words, and its widget if it brings one.
 * @param {string} name
 * @returns {GameParts}
 */
const other = (name) => ({
  readsLog: true,
  words: () => together(import("../games/any/words.js"), load(`${name}.more`), load("page.more")),
  widget: () =>
    together(
      BROUGHT.has(name) ? import(`../games/${name}/widget.js`) : import("../games/any/widget.js"),
      import("../games/any/widget.js"),
      import("../games/any/actions.js"),
      import("../games/any/shapes.js"),
      import("../games/any/values.js"),
      import("../games/any/pieces.js"),
      import("../games/any/choices.js"),
      import("../games/any/layouts.js"),
      import("../core/faces.js"),
      import("../core/seats.js"),
      style("styles/table.css"),
      style("styles/hand.css"),
      style("games/any/widget.css"),
      load(name),
      load(`${name}.more`),
      load("page.more"),
    ),
  form: () => load(`${name}.more`).then(() => ({ FORM: { fields: {} } })),
  manual: () =>
    together(
      import("../games/any/manual.js").then(({ manual }) => manual(name)),
      load(`${name}.more`),
    ),
});

/**
 * How to show a game. Games without a widget of their own are played from the list of legal actions.
 * @param {string} name
 * @returns {GameParts}
 */
export const game = (name) => (Object.hasOwn(GAMES, name) ? GAMES[name] : other(name));

/**
 * Whether the page has the rules of a game.
 * @param {string} name
 */
export const knows = (name) => Object.hasOwn(GAMES, name);

/**
 * Whether a match of a game can be watched again: by the rules of the page, or of the server.
 * @param {Session} session
 * @param {string} name
 */
export const replays = ({ can }, name) => knows(name) || (can.includes("replay") && can.includes(name));

/**
 * What a game is, in a sentence; null if it does not say.
 * @param {string} name
 */
export const summary = (name) => (known(`${name}.summary`) ? say(`${name}.summary`) : null);

/** @param {string} name */
export const title = (name) => (known(`${name}.name`) ? say(`${name}.name`) : name);

/**
 * The games of the server: those that the page has modules for, then the others that have a name.
 * @param {Session} session
 */
export const common = ({ can }) => [
  ...Object.keys(GAMES).filter((name) => can.includes(name)),
  ...can.filter((name) => !Object.hasOwn(GAMES, name) && known(`${name}.name`)),
];

/**
 * Whether stand-ins play in a room with so many seats, and why a match there would not be rated; older servers do not
 *   say.
 * For a chosen deal there are other words.
 * @param {{ standin?: boolean, unrated?: string }} room
 * @param {number} seats
 */
export const terms = ({ standin, unrated = "chosen" }, seats) =>
  seats < 2
    ? []
    : [
        ...(standin === undefined ? [] : [say("room.standins", { standin })]),
        ...(["chosen", "daily"].includes(unrated) ? [] : [say("room.unrated", { why: unrated })]),
      ];

/**
 * How a room is played, in a sentence.
 * @param {Words} words
 * @param {Room} room
 */
export const inShort = (words, { game: name, table }) =>
  `${capital([...words.rules(table.options, name), ...terms(table, table.size ?? 2)].join(", "))}.`;
