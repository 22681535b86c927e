// The moves of UNO: which there are, from what the server lists as legal, and how to describe them. Uses no DOM.

import { say } from "../../core/phrases.js";
import { WILD, colourName, rule, signName, symbol } from "./cards.js";
import { said } from "./words.js";

const ASKED = ["card", "colour", "swap"]; // the fields to choose, in this order

/**
 * @template Key
 * @param {[Key, Way][]} pairs
 */
function grouped(pairs) {
  /** @type {Map<Key, Way[]>} */
  const groups = new Map();
  for (const [key, way] of pairs) groups.set(key, [...(groups.get(key) ?? []), way]);
  return groups;
}

/**
 * All we can do: plays by card, other answers and reactions by what they do. Wrong catches, which can cost cards, are
 *   left
 * out.
 * @param {Pick<Room, "question" | "may" | "view">} room
 */
export function movesOf({ question, may, view }) {
  /** @type {Way[]} */
  const listed = question?.legal.map((action) => [question.rid, action]) ?? [];
  /** @param {Plain} action */
  const wrong = (action) => action.do === "catch" && view?.exposed !== action.seat;
  /** @type {Way[]} */
  const reactions = may.flatMap(({ rid, legal }) =>
    legal.filter((action) => !wrong(action)).map((action) => /** @type {Way} */ ([rid, action])),
  );
  const others = listed.filter(([, { do: what }]) => what !== "play");
  return {
    plays: grouped(
      listed.filter((way) => way[1].do === "play").map((way) => /** @type {[number, Way]} */ ([way[1].card, way])),
    ),
    answers: grouped(others.map((way) => /** @type {[string, Way]} */ ([way[1].do, way]))),
    reactions: grouped(reactions.map((way) => /** @type {[string, Way]} */ ([way[1].do, way]))),
  };
}

/**
 * The next field to choose among `ways`, and its values; null if only the call of UNO is left.
 * @param {Way[]} ways
 */
export function open(ways) {
  for (const field of ASKED) {
    const values = [...new Set(ways.map(([, action]) => action[field]))];
    if (values.length > 1) return { field, values };
  }
  return null;
}

/**
 * The way to take: the one that calls UNO if `calls`, and there is one.
 * @param {Way[]} ways
 * @param {boolean} calls
 */
export const decided = (ways, calls) => ways.find(([, action]) => Boolean(action.uno) === calls) ?? ways[0];

/**
 * The ways to play `cards` together. The server decides whether they fit.
 * @param {Room} room
 * @param {number[]} cards
 */
export function together({ question, view, table, seat }, cards) {
  const left = view.hand.length - cards.length,
    number = symbol(cards[0]);
  const moves = table.options.seven_zero && left > 0 && (number === 0 || number === 7);
  const others = [...view.counts.keys()].filter((other) => other !== seat && !view.out.includes(other));
  const swaps = moves && number === 7 ? others.map((swap) => ({ swap })) : [{}];
  /** @type {Plain[]} */
  const variants = left === 1 && !moves ? [{}, { uno: true }] : swaps;
  return variants.map((more) => /** @type {Way} */ ([question?.rid, { do: "play", cards: [...cards], ...more }]));
}

/**
 * Whether playing this number of cards leaves one, so that UNO can be called.
 * @param {any} view
 */
export const mayCall = (view, cards = 1) => view?.hand?.length - cards === 1;

/**
 * Say why a card cannot be played.
 * @param {Room} room
 * @param {number} card
 */
export function whyNot(room, card) {
  const { question, view, seat } = room;
  if (!question)
    return said(room, view.turn === null || view.turn === seat ? "uno.why.not_turn" : "uno.why.turn_of", {
      seat: view.turn,
    });
  if (view.phase === "drawn") return say("uno.why.drawn");
  const [, words] = asked(room, movesOf(room));
  if (view.phase === "challenge" || view.pending) return said(room, "uno.why.penalty", { card, rule: words });
  if (symbol(card) > WILD) return say("uno.why.four");
  return said(room, "uno.why.unfit", { card, rule: rule(view) });
}

/**
 * The turn line of the player whose turn it is: a head, and the options.
 * @param {Room} room
 * @param {UnoMoves} moves
 */
export function asked(room, { plays, answers }) {
  const { view } = room,
    { phase, drawn, pending } = view;
  if (phase === "colour") return [say("uno.turn.yours"), say("uno.rule.first_colour")];
  if (phase === "drawn") {
    const none = !plays.size && (drawn ?? null) === null;
    return [
      said(null, "uno.turn.drawn", { card: drawn }),
      none ? say("uno.rule.pass") : say("uno.rule.drawn", { plays: plays.size > 0, keep: answers.has("pass") }),
    ];
  }
  if (phase === "challenge" || pending) {
    const stack = plays.size ? (symbol(view.top) === 12 ? "+2" : "+4") : null;
    const fields = challenged(room);
    return [
      say("uno.turn.penalty", fields),
      said(room, "uno.rule.penalty", { ...fields, stack, challenge: answers.has("challenge") }),
    ];
  }
  return [say("uno.turn.yours"), plays.size ? rule(view) : `${rule(view)} – ${say("uno.rule.or_draw")}`];
}

/**
 * What is known of the wild draw four that we may challenge, and what each answer costs, for phrases.
 * @param {Room} room
 */
export function challenged({ view, table }) {
  const { of = null, before = null, pending, counts } = view,
    n = pending || 4;
  return { of, before, last: counts?.[of] === 0, n, more: n + 2, strict_wild4: table.options.strict_wild4 ?? false };
}

/**
 * Describe the most urgent reaction; "" if there is none.
 * @param {UnoMoves} moves
 */
export const chance = ({ reactions }) =>
  say("uno.chance", { do: ["uno", "catch", "jump"].find((what) => reactions.has(what)) });

/**
 * The rule for the next card, without signs: for screen readers.
 * @param {Plain} view
 */
export const spoken = ({ colour, top }) =>
  colour ? say("uno.rule.match", { colour: colourName(colour), sign: top < 100 ? signName(top) : null }) : "";
