// The form for a room of Minesweeper.

/** @param {Plain} options */
const custom = ({ level }) => level === "custom";

/**
 * `cards` is the option to choose first. `first` are the options that are always shown, all others are under "more";
 * `explained` are shown with a sentence.
 * @type {Form}
 */
export const FORM = {
  cards: "mode",
  first: ["level", "width", "height", "mines"],
  explained: ["no_guess", "kind", "lives", "penalty", "first_cell"],
  fields: {
    width: { when: custom },
    height: { when: custom },
    mines: { when: custom },
    first: { when: ({ mode }) => mode !== "duel" },
    no_guess: { when: ({ mode }) => mode !== "duel" },
    kind: { when: ({ mode, no_guess: noGuess }) => (mode === "solo" || mode === "coop") && !noGuess },
    lives: { when: ({ mode }) => mode === "coop" },
    penalty: { scale: 1_000, when: ({ mode }) => mode === "race" },
    first_cell: { none: -1, when: ({ mode }) => mode === "solo" },
  },
};
