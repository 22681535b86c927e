// QR codes of links: up to 106 bytes, level L, mask 0 (ISO/IEC 18004).

import { h } from "../../core/dom.js";
import { say } from "../../core/phrases.js";

const VERSIONS = [
  [19, 7],
  [34, 10],
  [55, 15],
  [80, 20],
  [108, 26],
]; // codewords of data and of error correction
const FORMAT = 0x77c4; // level L, mask 0

/**
 * Multiply in the field of 256 elements that QR codes use.
 * @param {number} a
 * @param {number} b
 */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/**
 * The error correction of `data`: the rest of a division by the generator polynomial.
 * @param {number[]} data
 * @param {number} count
 */
function correction(data, count) {
  const divisor = Array(count).fill(0);
  divisor[count - 1] = 1;
  for (let step = 0, root = 1; step < count; step++, root = times(root, 2)) {
    for (let at = 0; at < count; at++) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  const rest = Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((each, at) => {
      rest[at] ^= times(each, factor);
    });
  }
  return rest;
}

/** @param {string} text */
function codewords(text) {
  const bytes = [...new TextEncoder().encode(text)],
    version = VERSIONS.findIndex(([data]) => bytes.length + 2 <= data);
  if (version < 0) throw new RangeError(say("page.menu.too_long"));
  const [size, check] = VERSIONS[version],
    nibbles = [4, bytes.length >> 4, bytes.length & 15, ...bytes.flatMap((byte) => [byte >> 4, byte & 15]), 0],
    data = [];
  for (let at = 0; at < nibbles.length; at += 2) data.push((nibbles[at] << 4) | nibbles[at + 1]);
  for (let pad = 0xec; data.length < size; pad ^= 0xfd) data.push(pad);
  return { version: version + 1, all: [...data, ...correction(data, check)] };
}

/**
 * The modules of the code, as rows of booleans.
 * @param {string} text
 */
export function matrix(text) {
  const { version, all } = codewords(text),
    size = 17 + 4 * version,
    rows = Array.from({ length: size }, () => Array(size).fill(null));
  /**
   * @param {number} x
   * @param {number} y
   * @param {unknown} dark
   */
  const put = (x, y, dark) => {
    if (rows[y]?.[x] !== undefined) rows[y][x] = dark;
  };
  for (let at = 0; at < size; at++) rows[6][at] = rows[at][6] = at % 2 === 0;
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ]) {
    for (let y = -1; y < 8; y++)
      for (let x = -1; x < 8; x++) put(left + x, top + y, ![2, 4].includes(Math.max(Math.abs(x - 3), Math.abs(y - 3))));
  }
  if (version > 1)
    for (let y = -2; y < 3; y++)
      for (let x = -2; x < 3; x++) put(size - 7 + x, size - 7 + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
  format(rows, size);
  const bits = all.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1));
  let next = 0,
    up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5; // the timing pattern
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1])
        if (rows[y][x] === null) rows[y][x] = Boolean((bits[next++] ?? 0) ^ Number((x + y) % 2 === 0));
    }
  }
  return rows;
}

/**
 * Draw both copies of the format.
 * @param {boolean[][]} rows
 * @param {number} size
 */
function format(rows, size) {
  for (let bit = 0; bit < 15; bit++) {
    const dark = Boolean((FORMAT >> bit) & 1),
      along = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit,
      back = bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit;
    rows[along][8] = dark;
    rows[8][back] = dark;
  }
  rows[size - 8][8] = true;
}

/**
 * An image of the code.
 * @param {string} text
 */
export function image(text) {
  const rows = matrix(text),
    path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  const size = rows.length + 8;
  const paths = `<path fill="#fff" d="M0 0h99v99H0z"/><path d="${path}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${paths}</svg>`;
  return h("img", { class: "qr", alt: say("page.menu.code"), src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
}
