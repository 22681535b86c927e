// UNO in words: house rules and events.

import { capital, known, playerOf, say } from "../../core/phrases.js";
import { cardName, cardNames, colourName } from "./cards.js";

/**
 * The scoring and the house rules that are on.
 * @param {Plain} options
 */
export function rules(options) {
  const { false_call_penalty: cost } = options,
    on = Object.keys(options).filter((name) => options[name] === true);
  return [
    say("uno.rules.scoring", options),
    ...on.map((name) => say(`uno.option.${name}`)),
    ...(cost ? [say("uno.rules.catch", { n: cost })] : []),
  ];
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
export const describe = (room, event) =>
  known(`uno.event.${event.e}`) ? said(room, `uno.event.${event.e}`, event) : null;
