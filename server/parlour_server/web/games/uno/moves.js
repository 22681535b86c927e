// The moves of UNO: which there are, from what the server lists as legal, and how to describe them. Uses no DOM.

import { NAMES, WILD, cardName, rule, symbol } from "./cards.js";

const ASKED = ["card", "colour", "swap", "seat"]; // what an action can leave open, in the order in which it is asked

function grouped(pairs) {
  const groups = new Map();
  for (const [key, way] of pairs) groups.set(key, [...(groups.get(key) ?? []), way]);
  return groups;
}

/** All that is open to us, as ways [rid, action]: plays by card, other answers and offers by what they do. */
export function movesOf({ question, may }) {
  const listed = (question?.legal ?? []).map((action) => [question.rid, action]);
  const offers = may.flatMap(({ rid, legal }) => legal.map((action) => [rid, action]));
  const others = listed.filter(([, { do: what }]) => what !== "play");
  return {
    plays: grouped(listed.filter((way) => way[1].do === "play").map((way) => [way[1].card, way])),
    answers: grouped(others.map((way) => [way[1].do, way])),
    offers: grouped(offers.map((way) => [way[1].do, way])),
  };
}

/** What has to be asked next about `ways`, and the values there are; null if all but the call of UNO is said. */
export function open(ways) {
  for (const field of ASKED) {
    const values = [...new Set(ways.map(([, action]) => action[field]))];
    if (values.length > 1) return { field, values };
  }
  return null;
}

/** The way to go when all is said: the one that calls UNO if `calls`, and there is one. */
export const decided = (ways, calls) => ways.find(([, action]) => Boolean(action.uno) === calls) ?? ways[0];

/** The ways to lay `cards` together. Whether they fit is for the server to say. */
export function together({ question, view, table, seat }, cards) {
  const left = view.hand.length - cards.length, number = symbol(cards[0]);
  const moves = table.options.seven_zero && left > 0 && (number === 0 || number === 7);
  const others = view.counts.map((_, other) => other).filter((other) => other !== seat && !view.out.includes(other));
  const swaps = moves && number === 7 ? others.map((swap) => ({ swap })) : [{}];
  const variants = left === 1 && !moves ? [{}, { uno: true }] : swaps;
  return variants.map((more) => [question.rid, { do: "play", cards: [...cards], ...more }]);
}

/** Whether so many cards could call UNO as they are laid: they leave one. */
export const mayCall = (view, cards = 1) => view?.hand?.length - cards === 1;

/** Why a card cannot be laid, in words. */
export function whyNot({ question, view, seat, name }, card) {
  if (!question) return view.turn === null || view.turn === seat ? "It is not your turn." : `It is ${name}'s turn.`;
  if (view.phase === "drawn") return "After drawing, only the card you drew can be played.";
  if (view.phase === "challenge" || view.pending) return `${cardName(card)} is no answer to that penalty.`;
  if (symbol(card) > WILD) return "The rules here forbid that wild draw four: other cards of yours fit.";
  return `${cardName(card)} does not fit: ${rule(view)}.`;
}

/** What the turn line says to who is asked: the head, and what may be done. */
export function asked(view, { plays, answers }) {
  if (view.phase === "colour") return ["YOUR TURN", "name the colour of the first card"];
  if (view.phase === "drawn") {
    const what = view.drawn === null || view.drawn === undefined ? "No card was left" : `You drew ${cardName(view.drawn)}`;
    return [what, plays.size ? (answers.has("pass") ? "play it or keep it" : "play it") : "it does not fit"];
  }
  if (view.phase === "challenge" || view.pending) {
    const n = view.pending ?? 4, stack = plays.size ? `stack a ${symbol(view.top) === 12 ? "+2" : "+4"}, ` : "";
    return [`+${n} FOR YOU`, `${stack}${answers.has("challenge") ? `accept ${n} or challenge` : `draw ${n}`}`];
  }
  return ["YOUR TURN", plays.size ? rule(view) : `${rule(view)} – draw one`];
}

/** What there is to be quick for, "" for nothing. */
export const chance = ({ offers }) => (offers.has("uno") ? "call before you are caught" : offers.has("catch") ? "one card, and no call yet"
  : offers.has("jump") ? "you hold the same card" : "");

/** The rule for the next card, without signs: for screen readers. */
export const spoken = ({ colour, top }) => (colour ? `match ${colour}${top < 100 ? ` or ${NAMES[symbol(top)]}` : ""}` : "");
