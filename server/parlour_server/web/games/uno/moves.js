// The moves of UNO: which there are, from what the server lists as legal, and how to describe them. Uses no DOM.

import { WILD, cardName, rule, signName, symbol } from "./cards.js";

const ASKED = ["card", "colour", "swap", "seat"]; // the fields to choose, in this order

function grouped(pairs) {
  const groups = new Map();
  for (const [key, way] of pairs) groups.set(key, [...(groups.get(key) ?? []), way]);
  return groups;
}

/** All we can do, as ways [rid, action]: plays by card, other answers and reactions by what they do. To catch a player who
 *  has called UNO is left out: it is always wrong. */
export function movesOf({ question, may, view }) {
  const listed = (question?.legal ?? []).map((action) => [question.rid, action]);
  const wrong = (action) => action.do === "catch" && view?.called?.includes(action.seat);
  const reactions = may.flatMap(({ rid, legal }) => legal.filter((action) => !wrong(action)).map((action) => [rid, action]));
  const others = listed.filter(([, { do: what }]) => what !== "play");
  return {
    plays: grouped(listed.filter((way) => way[1].do === "play").map((way) => [way[1].card, way])),
    answers: grouped(others.map((way) => [way[1].do, way])),
    reactions: grouped(reactions.map((way) => [way[1].do, way])),
  };
}

/** The next field to choose among `ways`, and its values; null if only the call of UNO is left. */
export function open(ways) {
  for (const field of ASKED) {
    const values = [...new Set(ways.map(([, action]) => action[field]))];
    if (values.length > 1) return { field, values };
  }
  return null;
}

/** The way to take: the one that calls UNO if `calls`, and there is one. */
export const decided = (ways, calls) => ways.find(([, action]) => Boolean(action.uno) === calls) ?? ways[0];

/** The ways to play `cards` together. The server decides whether they fit. */
export function together({ question, view, table, seat }, cards) {
  const left = view.hand.length - cards.length, number = symbol(cards[0]);
  const moves = table.options.seven_zero && left > 0 && (number === 0 || number === 7);
  const others = view.counts.map((_, other) => other).filter((other) => other !== seat && !view.out.includes(other));
  const swaps = moves && number === 7 ? others.map((swap) => ({ swap })) : [{}];
  const variants = left === 1 && !moves ? [{}, { uno: true }] : swaps;
  return variants.map((more) => [question.rid, { do: "play", cards: [...cards], ...more }]);
}

/** Whether playing this number of cards leaves one, so that UNO can be called. */
export const mayCall = (view, cards = 1) => view?.hand?.length - cards === 1;

/** Say why a card cannot be played. */
export function whyNot({ question, view, seat, name }, card) {
  if (!question) return view.turn === null || view.turn === seat ? "It is not your turn." : `It is ${name}'s turn.`;
  if (view.phase === "drawn") return "After drawing, only the card you drew can be played.";
  if (view.phase === "challenge" || view.pending) return `${cardName(card)} cannot answer this penalty.`;
  if (symbol(card) > WILD) return "You cannot play a wild draw four while another card fits.";
  return `${cardName(card)} does not fit: ${rule(view)}.`;
}

/** The turn line of the player whose turn it is: a head, and the options. */
export function asked(view, { plays, answers }) {
  if (view.phase === "colour") return ["YOUR TURN", "choose the colour of the first card"];
  if (view.phase === "drawn") {
    const what = view.drawn === null || view.drawn === undefined ? "No cards are left" : `You drew ${cardName(view.drawn)}`;
    return [what, plays.size ? (answers.has("pass") ? "play it or keep it" : "play it") : "it cannot be played"];
  }
  if (view.phase === "challenge" || view.pending) {
    const n = view.pending ?? 4, stack = plays.size ? `stack a ${symbol(view.top) === 12 ? "+2" : "+4"}, ` : "";
    return [`+${n} FOR YOU`, `${stack}${answers.has("challenge") ? `accept ${n} or challenge` : `draw ${n}`}`];
  }
  return ["YOUR TURN", plays.size ? rule(view) : `${rule(view)} – draw one`];
}

/** Describe the most urgent reaction; "" if there is none. */
export const chance = ({ reactions }) => (reactions.has("uno") ? "call UNO before you are caught" : reactions.has("catch") ? "one card left, and UNO not called"
  : reactions.has("jump") ? "you hold the same card" : "");

/** The rule for the next card, without signs: for screen readers. */
export const spoken = ({ colour, top }) => (colour ? `match ${colour}${top < 100 ? ` or ${signName(top)}` : ""}` : "");
