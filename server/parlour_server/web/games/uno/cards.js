// The cards of UNO: their colours, symbols, names and faces.

import { h } from "../../core/dom.js";
import { say } from "../../core/phrases.js";

export const COLOURS = ["red", "yellow", "green", "blue"];
/** @type {Record<string, string>} */
export const SHAPES = { red: "▲", yellow: "■", green: "●", blue: "◆", wild: "✦" };
const SIGNS = [..."0123456789", "⊘", "↺", "+2", "✦", "+4"];
export const WILD = 13,
  WILD_FOUR = 14;

/**
 * 0–9, then skip, reverse, draw two, wild, wild draw four.
 * @param {number} card
 */
export function symbol(card) {
  if (card >= 100) return card < 104 ? WILD : WILD_FOUR;
  const k = card % 25;
  return k < 19 ? (k + 1) >> 1 : 10 + ((k - 19) >> 1);
}
/** @param {number} card */
export const suit = (card) => (card < 100 ? COLOURS[Math.floor(card / 25)] : "wild");
/** @param {number} card */
export const sign = (card) => SIGNS[symbol(card)];
/** @param {string} colour */
export const colourName = (colour) => say(`uno.colour.${colour}`);

/**
 * The sign of a card in words.
 * @param {number} card
 */
export const signName = (card) => (symbol(card) < 10 ? sign(card) : say(`uno.sign.${symbol(card)}`));
/** @param {number} card */
export const cardName = (card) => (card < 100 ? `${colourName(suit(card))} ${signName(card)}` : signName(card));
/** @param {number[]} cards */
export const cardNames = (cards) => cards.map(cardName).join(", ") || say("uno.cards.none");

/**
 * The rule for the next card.
 * @param {Plain} view
 */
export const rule = ({ colour, top }) =>
  colour
    ? say("uno.rule.match", { colour: `${SHAPES[colour]} ${colourName(colour)}`, sign: top < 100 ? sign(top) : null })
    : "";

/**
 * The sign of a card as an element: drawn where a font may lack it.
 * @param {number} card
 */
const mark = (card) => ([10, 11, 13].includes(symbol(card)) ? h("i", { class: `sign s${symbol(card)}` }) : sign(card));

/**
 * The face of a card, hidden from screen readers: they get the card's name elsewhere.
 * @param {number} card
 */
export function cardFace(card, small = false) {
  const wide = sign(card).length > 1 ? " wide" : "";
  const corner = h("span", { class: `corner${wide}` }, mark(card)),
    shape = h("span", { class: "corner far" }, SHAPES[suit(card)]);
  const middle = h(
    "span",
    { class: `chip${wide}${card < 100 ? "" : " quarters"}` },
    h(card < 100 ? "span" : "b", {}, mark(card)),
  );
  return h(
    "span",
    { class: `card ${suit(card)}${small ? " small" : ""}`, "aria-hidden": "true" },
    corner,
    shape,
    middle,
  );
}
