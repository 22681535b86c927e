// The views of a match of UNO in a replay: for a seat, for a spectator, and of the full state.

import { COLOURS } from "../games/uno/cards.js";

/** The phases. In the first four a seat is to move. */
export const PHASES = ["play", "drawn", "challenge", "colour", "breath", "pause", "over"];
/** The options in every state. House rules are in a state where they are on. */
const ALWAYS = [
  "scoring",
  "target",
  "breath",
  "pause",
  "call_penalty",
  "no_bluff",
  "strict_wild4",
  "first_card_number_only",
];

/**
 * @param {number} mask
 * @param {unknown[]} list
 */
const masked = (mask, list) => list.map((_, seat) => seat).filter((seat) => (mask >> seat) & 1);

/**
 * What `viewer`, a seat or null, may see.
 * @param {Plain} match
 * @param {number | null} viewer
 */
export function view(match, viewer) {
  const { phase, round, dealer, turn, direction, colour, pile, hands, called, exposed, out, deck, scores } = match,
    { pending, drawn, offender, before } = match;
  const asked = PHASES.indexOf(phase) < 4;
  return {
    phase,
    round,
    dealer,
    turn: asked ? turn : null,
    direction,
    colour: COLOURS[colour] ?? null,
    top: pile.at(-1),
    counts: hands.map((/** @type {number[]} */ hand) => hand.length),
    called: masked(called, hands),
    ...(exposed !== -1 && { exposed }),
    out: masked(out, hands),
    deck: deck.length,
    scores: [...scores],
    ...(pending && { pending }),
    ...(phase === "challenge" && { of: offender, before: COLOURS[before] }),
    ...(viewer !== null && { hand: hands[viewer] }),
    ...(phase === "drawn" && viewer === turn && { drawn: drawn[0] ?? null }),
  };
}

/**
 * An event as `viewer` may see it; null if hidden.
 * @param {Plain} event
 * @param {number | null} viewer
 */
export function redact({ cards, hand, hands, ...event }, viewer) {
  const { e, seat, of } = event,
    mine = viewer === seat;
  if (e === "held") return mine ? event : null;
  if (e === "play" && cards) return { ...event, cards };
  if (e === "draw" && mine) return { ...event, cards };
  if (e === "challenge" && mine) return { ...event, hand };
  if (e === "swap" && (mine || viewer === of)) return { ...event, hand: hands[mine ? 0 : 1] };
  if ((e === "deal" || e === "rotate") && viewer !== null) return { ...event, hand: hands[viewer] };
  return event;
}

/**
 * The full state as plain data, without the defaults of what only house rules change.
 * @param {Plain} match
 */
export function canonical({
  options,
  standin,
  key,
  stream,
  log,
  laidBy,
  stood,
  claims,
  pending,
  resume,
  before,
  ...rest
}) {
  const on = Object.entries(options).filter(([name, value]) => ALWAYS.includes(name) || (value && name !== "preset"));
  return {
    ...rest,
    options: Object.fromEntries(on),
    counts: rest.hands.map((/** @type {number[]} */ hand) => hand.length),
    resume: PHASES.indexOf(resume),
    ...(pending && { pending }),
    ...(laidBy !== -1 && { laid_by: laidBy }),
    ...(stood.some(Boolean) && { stood, claims }),
  };
}
