// UNO in words: house rules and events.

import { capital, known, playerOf, say } from "../../core/phrases.js";
import { cardName, cardNames, colourName } from "./cards.js";

/** @type {Record<string, string>} */
const RULES = {
  stack2: "draw twos stack", stack4: "wild draw fours stack", stack_cross: "both stack on each other",
  seven_zero: "7 swaps hands, 0 rotates them", jump_in: "jump in", draw_until: "draw until you can play",
  force_play: "must play if possible", multi_play: "several cards of one number at once", no_bluff: "no bluffing",
  strict_wild4: "strict wild draw four", first_card_number_only: "the first card is a number",
};

/** @type {Record<string, string>} */
const SCORING = { race: "first to", lowest: "lowest score when a player reaches", elimination: "out at" };

/**
 * The scoring and the house rules that are on.
 * @param {Plain} options
 */
export function rules(options) {
  const { scoring, target, false_call_penalty: cost } = options;
  return [scoring === "single" ? "one round" : `${SCORING[scoring]} ${target}`, ...Object.keys(RULES).filter((name) => options[name]).map((name) => RULES[name]),
    ...(cost ? [`wrong catch: draw ${cost}`] : [])];
}

/**
 * A phrase of the game about a match in a room, null for phrases without players.
 * @param {Room | null} room
 * @param {string} key
 * @param {Plain} fields
 */
export function said(room, key, fields) {
  /** @param {[number, number][]} all */
  const points = (all) => all.map(([seat, n]) => `${room && playerOf(room)(seat)[0]} ${n}`).join(", ");
  return say(key, fields, {
    ...(room && { player: playerOf(room) }),
    card: (value) => [cardNames([value].flat())],
    Card: (card) => [capital(cardName(card))],
    colour: (value) => [colourName(value), value],
    scores: (list) => [points([...list.entries()])],
    held: (list) => (list.some(Boolean) ? [points([...list.entries()].filter(([, n]) => n))] : ["", "none"]),
  });
}

/**
 * The log line for an event, null if it has none.
 * @param {Room} room
 * @param {Plain} event
 */
export const describe = (room, event) => (known(`uno.event.${event.e}`) ? said(room, `uno.event.${event.e}`, event) : null);
