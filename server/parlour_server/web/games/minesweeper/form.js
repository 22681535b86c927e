// The options of Minesweeper in words, for the form of a new room.

/** @param {Plain} options */
const custom = ({ level }) => level === "custom";

/**
 * `cards` is the option to choose first. `first` are the options that are always shown, all others are under "more".
 * @type {Form}
 */
export const FORM = {
  cards: "mode",
  first: ["level", "width", "height", "mines"],
  values: {
    mode: { solo: ["Solo", "A board for you alone, against the clock."], race: ["Race", "The same board for each. The first to clear it wins."],
      coop: ["Co-op", "One board for all: clear it together."], duel: ["Duel", "Two take turns at finding mines."] },
    level: { beginner: "beginner: 9×9, 10 mines", intermediate: "intermediate: 16×16, 40 mines", expert: "expert: 30×16, 99 mines", custom: "custom" },
    first: { any: "nothing", safe: "the cell itself", opening: "the cells around it", radius: "a wide area" },
  },
  fields: {
    level: { label: "Board" },
    width: { label: "Columns", when: custom },
    height: { label: "Rows", when: custom },
    mines: { label: "Mines", when: custom },
    first: { label: "The first press is safe for", when: ({ mode }) => mode !== "duel" },
    no_guess: { label: "No guessing needed", means: "The board can be cleared by thinking alone.", when: ({ mode }) => mode !== "duel" },
    lives: { label: "Lives", means: "The mine that loses the match.", when: ({ mode }) => mode === "coop" },
    penalty: { label: "Time for a mine", means: "0: a mine puts the player out.", unit: "seconds", scale: 1_000, when: ({ mode }) => mode === "race" },
  },
};
