// What is heard when the view of any game changes: the pieces that have moved, as its layout tells them. Uses no DOM.

/** @type {Record<Piece, string>} */
const SOUNDS = { cards: "card", dice: "dice", tiles: "tile" };
const FIRST = ["disc", "dice", "tile", "draw", "card"]; // of several, the first one is heard

/**
 * How many cards, dice or tiles are in hands.
 * @param {Part | undefined} part
 */
const held = (part) =>
  part?.kind === "cards" && part.hand
    ? part.values.length
    : part?.kind === "backs"
      ? part.counts.map(Number).reduce((sum, count) => sum + count, 0)
      : 0;

/**
 * The sound of a part of the view that was `before`; null for parts without pieces.
 * @param {Part} part
 * @param {Part | undefined} before
 */
function sound(part, before) {
  if (part.kind === "board") return "disc";
  if (!("of" in part) || part.kind === "badge") return null;
  return part.of === "cards" && held(part) > held(before) ? "draw" : SOUNDS[part.of];
}

/**
 * The sound of a change of the parts of a view; null if no piece has moved.
 * @param {Part[]} parts
 * @param {Part[]} before
 */
export function heard(parts, before) {
  const was = new Map(before.map((part) => [part.name, part])),
    sounds = parts
      .filter((part) => JSON.stringify(part) !== JSON.stringify(was.get(part.name)))
      .map((part) => sound(part, was.get(part.name)));
  return FIRST.find((name) => sounds.includes(name)) ?? null;
}
