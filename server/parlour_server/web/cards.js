// The cards of UNO, and what may be done with them: without a page, so that it can be tested without one.

export const COLOURS = ["red", "yellow", "green", "blue"];
export const SHAPES = { red: "▲", yellow: "■", green: "●", blue: "◆", wild: "✦" };
const SIGNS = [..."0123456789", "⊘", "↺", "+2", "✦", "+4"];
const NAMES = [..."0123456789", "skip", "reverse", "draw two", "wild", "wild draw four"];
const WILD = 13;

/** 0–9, then skip, reverse, draw two, wild, wild draw four. */
export function symbol(card) {
  if (card >= 100) return card < 104 ? WILD : WILD + 1;
  const k = card % 25;
  return k < 19 ? (k + 1) >> 1 : 10 + ((k - 19) >> 1);
}
export const suit = (card) => (card < 100 ? COLOURS[Math.floor(card / 25)] : "wild");
export const sign = (card) => SIGNS[symbol(card)];
export const cardName = (card) => (card < 100 ? `${suit(card)} ${NAMES[symbol(card)]}` : NAMES[symbol(card)]);
export const points = (card) => (symbol(card) < 10 ? symbol(card) : symbol(card) < WILD ? 20 : 50);
export const cardNames = (cards) => cards.map(cardName).join(", ") || "no cards";

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

/** Whether the card could call UNO as it is laid: it leaves one. */
export const mayCall = (view, cards = 1) => view?.hand?.length - cards === 1;

/** Why a card cannot be laid, in words. */
export function whyNot({ question, view, seat, name }, card) {
  if (!question) return view.turn === null || view.turn === seat ? "It is not your turn." : `It is ${name}'s turn.`;
  if (view.phase === "drawn") return "After drawing, only the card you drew can be played.";
  if (view.phase === "challenge" || view.pending) return `${cardName(card)} is no answer to that penalty.`;
  if (symbol(card) > WILD) return "The rules here forbid that wild draw four: other cards of yours fit.";
  return `${cardName(card)} does not fit: ${rule(view)}.`;
}

/** The rule that a card has to keep, in a few words. */
export function rule(view) {
  if (!view.colour) return "";
  return `match ${SHAPES[view.colour]} ${view.colour}${view.top < 100 ? ` or ${sign(view.top)}` : ""}`;
}
