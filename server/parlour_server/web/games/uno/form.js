// The options of UNO in words, for the form of a new room.

const ms = { unit: "seconds", scale: 1_000 };

/** `cards` is the option to choose first. `first` are the options that are always shown, all others are under "more". */
/** @type {Form} */
export const FORM = {
  cards: "preset",
  first: ["scoring", "target"],
  values: {
    preset: { official: ["Official", "The rules from the box, with challenges and UNO calls."], family: ["Family", "+2 and +4 stack, a 7 swaps hands, a 0 moves them on. You draw until you can play."],
      chaos: ["Chaos", "All house rules: jump in, play several cards, and pay for wrong catches."] },
    scoring: { race: "points race", lowest: "lowest score", elimination: "elimination", single: "one round" },
  },
  fields: {
    scoring: { label: "Scoring" },
    target: { label: "Points", means: "The points that end the match, or put a player out.", when: ({ scoring }) => scoring !== "single" },
    stack2: { label: "+2 answers +2" },
    stack4: { label: "+4 answers +4" },
    stack_cross: { label: "+2 and +4 answer each other" },
    seven_zero: { label: "7 swaps hands, 0 moves them on" },
    jump_in: { label: "Jump in with the same card" },
    draw_until: { label: "Draw until you can play" },
    force_play: { label: "Play if you can" },
    multi_play: { label: "Several cards of one number" },
    no_bluff: { label: "No bluffing with +4" },
    strict_wild4: { label: "+4 only if nothing else fits" },
    first_card_number_only: { label: "First card is a number" },
    breath: { label: "Time to call UNO", means: "How long the others wait before the next turn.", ...ms },
    pause: { label: "Pause between rounds", ...ms },
    call_penalty: { label: "Cards for a forgotten call" },
    false_call_penalty: { label: "Cards for a wrong catch" },
  },
};
