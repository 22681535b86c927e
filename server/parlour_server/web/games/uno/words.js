// UNO in words: house rules and events.

import { cardName, cardNames } from "./cards.js";

const RULES = {
  stack2: "draw twos stack", stack4: "wild draw fours stack", stack_cross: "both stack on each other",
  seven_zero: "7 swaps hands, 0 rotates them", jump_in: "jump in", draw_until: "draw until you can play",
  force_play: "must play if possible", multi_play: "several cards of one number at once", no_bluff: "no bluffing",
  strict_wild4: "strict wild draw four", first_card_number_only: "the first card is a number",
};
const WHY_DRAWN = {
  two: " for the draw two and loses the turn", four: " for the wild draw four and loses the turn",
  first: " for the draw two as first card and loses the turn", challenge: " for the challenge", caught: " for not calling UNO",
  stack: " for the whole stack and loses the turn", mistake: " for the wrong catch",
};

const SCORING = { race: "first to", lowest: "lowest score when a player reaches", elimination: "out at" };

/** The scoring and the house rules that are on. */
export function rules(options) {
  const { scoring, target, false_call_penalty: cost } = options;
  return [scoring === "single" ? "one round" : `${SCORING[scoring]} ${target}`, ...Object.keys(RULES).filter((name) => options[name]).map((name) => RULES[name]),
    ...(cost ? [`wrong catch: draw ${cost}`] : [])];
}

/** A sentence about a seat, in the second person if it is ours. */
function line(room, seat, does, rest = "") {
  if (seat !== room.seat) return `${room.name(seat)} ${does}${rest}.`;
  const bare = { has: "have", is: "are", passes: "pass", catches: "catch" }[does];
  return `You ${bare ?? does.replace(/^(\w+?)s\b/, "$1")}${rest.replace("loses", "lose").replace("and names", "and name")}.`;
}
const nameOf = (room, seat) => (seat === room.seat ? "you" : room.name(seat));
const some = (n) => (n === 1 ? "a card" : `${n} cards`);
const side = (event) => (event.direction === 1 ? "left" : "right");
const ownHand = (event) => (event.hand ? ` Your hand: ${cardNames(event.hand)}.` : "");
const scores = (room, list) => list.map((n, seat) => `${nameOf(room, seat)} ${n}`).join(", ");

export const EVENTS = {
  __proto__: null,
  deal: (room, e) => `Round ${e.round}. ${line(room, e.dealer, "deals", `; the first card is ${cardName(e.top)}`)}${ownHand(e)}`,
  play: (room, e) => {
    const colour = e.colour ? ` and names ${e.colour}` : "", laid = cardNames(e.cards ?? [e.card]);
    return line(room, e.seat, e.jump ? "jumps in" : "plays", `${e.jump ? " with" : ""} ${laid}${colour}`) + (e.uno ? " UNO!" : "");
  },
  draw: (room, e) => e.n
    ? line(room, e.seat, "draws", ` ${e.cards ? cardNames(e.cards) : some(e.n)}${WHY_DRAWN[e.why] ?? ""}`)
    : line(room, e.seat, "finds", " no cards left to draw"),
  pass: (room, e) => line(room, e.seat, "passes"),
  skip: (room, e) => line(room, e.seat, "is", " skipped"),
  swap: (room, e) => line(room, e.seat, "swaps", ` hands with ${nameOf(room, e.of)}`) + ownHand(e),
  rotate: (room, e) => `All hands move to the ${side(e)}.${ownHand(e)}`,
  reverse: (room, e) => `Play now goes to the ${side(e)}.`,
  colour: (room, e) => line(room, e.seat, "names", ` ${e.colour}`),
  uno: (room, e) => line(room, e.seat, "calls", " UNO"),
  held: (room, e) => `Your catch of ${room.name(e.of)} counts unless UNO is called in time.`,
  caught: (room, e) => line(room, e.by, "catches", ` ${nameOf(room, e.seat)} for not calling UNO`),
  mistake: (room, e) => line(room, e.seat, "catches", ` ${nameOf(room, e.of)} wrongly`),
  challenge: (room, e) => line(room, e.seat, "challenges", ` ${nameOf(room, e.of)}`) +
    (e.guilty ? " It was a bluff." : " It was no bluff.") + (e.hand ? ` The hand was: ${cardNames(e.hand)}.` : ""),
  accept: (room, e) => line(room, e.seat, "accepts", " the penalty"),
  reshuffle: (room, e) => `The discard pile is shuffled into a new deck of ${e.deck}.`,
  round: (room, e) => (e.winner === null ? "No one wins the round." : line(room, e.winner, "wins", " the round")) +
    ` Score: ${scores(room, e.scores)}.`,
  out: (room, e) => line(room, e.seat, "is", ` out${{ resigned: " by resigning", left: " by leaving" }[e.why] ?? ""}`),
};

/** The log line for an event, null if it has none. */
export const describe = (room, event) => EVENTS[event.e]?.(room, event) ?? null;
