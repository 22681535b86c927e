// The form for a room of UNO.

/**
 * `cards` is the option to choose first. `first` are the options that are always shown, all others are under "more";
 * `explained` are shown with a sentence.
 * @type {Form}
 */
export const FORM = {
  cards: "preset",
  first: ["scoring", "target"],
  explained: ["target", "breath"],
  fields: {
    target: { when: ({ scoring }) => scoring !== "single" },
    breath: { scale: 1_000 },
    pause: { scale: 1_000 },
  },
};
