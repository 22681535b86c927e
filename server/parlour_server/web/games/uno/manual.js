// How UNO is played, for the help of a room.

/** @type {Record<string, string>} */
const HOUSE = {
  stack2: "A +2 can be answered with a +2. The next player then draws for both.",
  stack4: "A +4 can be answered with a +4.",
  stack_cross: "+2 and +4 can answer each other.",
  seven_zero: "With a 7 you swap hands with a player of your choice. With a 0 all hands move on by one seat.",
  jump_in: "If you hold the very same card as the one on top, you can play it out of turn.",
  draw_until: "If you cannot play, you draw until you can.",
  force_play: "If you can play, you must.",
  multi_play: "You can play several cards of the same number together.",
  no_bluff: "A +4 can only be played if no other card fits, so there is nothing to challenge.",
};
/** @type {Record<string, (options: Plain) => string>} */
const SCORING = {
  race: ({ target }) => `Whoever wins a round scores the cards that the others still hold. ${target} points win the match.`,
  lowest: ({ target }) => `After a round you score the cards you still hold. When a player reaches ${target}, the fewest points win.`,
  elimination: ({ target }) => `After a round you score the cards you still hold. At ${target} points you are out; the last one wins.`,
  single: () => "One round decides the match.",
};

/**
 * The rules, in sentences.
 * @param {Plain} options
 */
export function howTo(options) {
  const caught = options.call_penalty ? ` If another player catches you first, you draw ${options.call_penalty} cards.` : "";
  return ["Get rid of your cards. Play a card of the same colour or with the same sign as the one on top, or a wild card. If you cannot, draw one.",
    `Call UNO with your second-to-last card.${caught}`,
    "Skip, reverse and +2 act on the next player. With a wild you name the colour. A +4 does the same, and the next player draws four.",
    ...(options.no_bluff ? [] : ["A +4 is only allowed if you have no card of the current colour. The next player can challenge it: a bluffer draws four, a wrong challenge costs six."]),
    SCORING[options.scoring]?.(options) ?? "", ...Object.keys(HOUSE).filter((name) => options[name]).map((name) => HOUSE[name])].filter(Boolean);
}
