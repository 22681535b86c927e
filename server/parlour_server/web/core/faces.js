// Faces drawn from names: the same name always has the same face. Bots have the faces of machines.

/** @param {string} name */
function seedOf(name) {
  let hash = 2_166_136_261;
  for (const letter of name) hash = Math.imul(hash ^ Number(letter.codePointAt(0)), 16_777_619);
  return hash >>> 0;
}

/**
 * A function that draws the next number below `n` from a name.
 * @param {string} name
 * @returns {(n: number) => number}
 */
function chooser(name) {
  let state = seedOf(name) || 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

const GROUNDS = ["#7d4e57", "#4c6a7d", "#6b6f3c", "#8a6a2f", "#5b5486", "#3f7466", "#94553c", "#6d5064"];
const SKINS = ["#f6d7bd", "#eabf98", "#d59f72", "#b57a4c", "#8d5834", "#653c25"];
const HAIRS = ["#2a1d18", "#4b2f1f", "#7c4d26", "#b98b48", "#d9c59a", "#a8a29a", "#8c3b23"];
const CLOTHES = ["#28443c", "#a23a34", "#d9a441", "#3e4f7a", "#e8dcc2", "#50704a", "#6f4a77"];
const STYLES = [
  "M16 31q0-19 16-19t16 19q-4-9-16-10-12 1-16 10", // short
  "M15 34q-2-22 17-22t17 22v12h-5V31q-7-1-12-8-4 7-12 8v15h-5z", // long
  "M17 28q1-10 8-12 7-7 14 0 8 2 8 12-4-5-8-5-7 1-14 0-5 0-8 5", // curls
  "M16 32q-1-18 16-19 12 0 15 9-12-1-19-2-8 3-12 12", // parted
  "M24 14q1-8 8-8t8 8q8 4 8 16-7-8-16-8t-16 8q0-12 8-16", // a bun
  "M17 27q2-14 15-14t15 14q-15-6-30 0", // a cap
  "M20 22q4-7 12-7t12 7q-12-4-24 0", // almost none
];
const EYES = [
  "M25 33h.01M39 33h.01",
  "M23 33q2-3 4 0M37 33q2-3 4 0",
  "M23 33h4M37 33h4",
  "M25 32v2M39 32v2",
  "M23 32q2 3 4 0M37 32q2 3 4 0",
];
const BROWS = ["", "M22 28q3-2 6 0M36 28q3-2 6 0", "M22 28q3-1 6-1M42 28q-3-1-6-1", "M22 27h6M36 27h6"];
const MOUTHS = ["M27 43q5 4 10 0", "M28 43h8", "M27 42q5 7 10 0z", "M28 43q4 2 8 0", "M29 43q4 2 7-1"];
const MORE = [
  "",
  "",
  "M20 33a5 5 0 0 0 10 0 5 5 0 0 0-10 0zM34 33a5 5 0 0 0 10 0 5 5 0 0 0-10 0zM30 32q2-1 4 0", // glasses
  "M26 41q3-3 6-1 3-2 6 1", // a moustache
  "M21 39h.01M43 39h.01", // freckles
];

const METALS = ["#b9c3c9", "#c9b38a", "#9fb7ae", "#c2a3a0", "#a7a9c4", "#d3cfc2"];
const GLOWS = ["#7fe0d0", "#ffd166", "#ff9a8a", "#b9a5ff", "#8fd0ff", "#b8f08a"];
const ANTENNAE = ["M32 18V9", "M26 18l-4-8M38 18l4-8", "M32 18V13h6", "M22 18v-6M42 18v-6", "M32 18q-6-4 0-9"];
const HEADS = [
  "M18 18h28q4 0 4 4v22q0 6-6 6H20q-6 0-6-6V22q0-4 4-4z",
  "M32 16q18 0 18 18t-18 18-18-18 18-18z",
  "M20 17h24l7 9v16l-7 9H20l-7-9V26z",
  "M16 20q16-6 32 0l-2 28q-14 6-28 0z",
];
const LAMPS = [
  "M25 31h.01M39 31h.01",
  "M22 31h6M36 31h6",
  "M22 31h20",
  "M32 31h.01",
  "M25 28v6M39 28v6",
  "M22 33l3-4 3 4M36 33l3-4 3 4",
];
const GRILLES = [
  "M25 43h14",
  "M25 41v4M29 41v4M33 41v4M37 41v4",
  "M25 43q7 4 14 0",
  "M25 41h14v4H25z",
  "M25 43l3-2 3 2 3-2 3 2",
];

/**
 * @param {string} d
 * @param {Record<string, string | number>} look
 */
function path(d, look) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ d, fill: "none", ...look })) el.setAttribute(name, String(value));
  return el;
}

/**
 * @param {(n: number) => number} next
 * @returns {SVGPathElement[]}
 */
function person(next) {
  /** @param {string[]} all */
  const one = (all) => all[next(all.length)];
  const skin = one(SKINS),
    hair = one(HAIRS),
    line = { stroke: "#2b1a14", "stroke-width": 2.6, "stroke-linecap": "round", "stroke-linejoin": "round" };
  const wide = 12 + next(3),
    chin = 50 + next(3);
  return [
    path("M0 0h64v64H0z", { fill: one(GROUNDS) }),
    path("M8 64q2-14 24-14t24 14z", { fill: one(CLOTHES) }),
    path("M27 44h10v9q-5 4-10 0z", { fill: skin }),
    path(
      `M${32 - wide} 30q0-14 ${wide}-14t${wide} 14q0 ${chin - 32}-${wide} ${chin - 30}-${wide}-2-${wide}-${chin - 30}z`,
      {
        fill: skin,
      },
    ),
    path(one(EYES), { ...line, "stroke-width": 3.4 }),
    path(one(BROWS), { ...line, stroke: hair, "stroke-width": 2.2 }),
    path("M32 34q2 4-1 4", { ...line, "stroke-width": 1.6, opacity: 0.55 }),
    path(one(MOUTHS), { ...line, stroke: "#6d241d" }),
    path(one(MORE), { ...line, stroke: hair === "#d9c59a" ? "#5b4524" : "#33241c", "stroke-width": 1.8 }),
    path(one(STYLES), { fill: hair }),
  ];
}

/**
 * @param {(n: number) => number} next
 * @returns {SVGPathElement[]}
 */
function machine(next) {
  /** @param {string[]} all */
  const one = (all) => all[next(all.length)];
  const metal = one(METALS),
    glow = { stroke: one(GLOWS), "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [
    path("M0 0h64v64H0z", { fill: ["#26343c", "#3a2d3d", "#2d3b2e", "#42352a", "#2c2f4a"][next(5)] }),
    path(one(ANTENNAE), { stroke: metal, "stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round" }),
    path("M20 64v-8h24v8z", { fill: "#5c666b" }),
    path("M10 30h44v8H10z", { fill: "#5c666b" }),
    path(one(HEADS), { fill: metal }),
    path("M20 26q0-3 3-3h18q3 0 3 3v8q0 3-3 3H23q-3 0-3-3z", { fill: "#1c252b" }),
    path(one(LAMPS), { ...glow, "stroke-width": 4.5 }),
    path(one(GRILLES), { ...glow, stroke: "#333c41", "stroke-width": 2.4 }),
  ];
}

/**
 * The face of a player as a picture, hidden from screen readers: the name stands beside it.
 * @param {string} name
 * @param {boolean} bot
 */
export function face(name, bot) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  svg.append(...(bot ? machine : person)(chooser(`${bot ? "bot" : "person"} ${name}`)));
  return svg;
}
