// A second implementation of parlour-fair/1, written from docs/fairness.md alone. It shares no code with the server.
//
//   node fair.mjs MATCH_FILE [DIGEST]                                  check a match: hash chain, commitment, first
// deal
//   node fair.mjs deck S CONTEXT DEAL NONCE…                           the cards of an UNO deal, bottom to top
//   node fair.mjs mines S CONTEXT NONCE… WIDTH HEIGHT MINES X,Y PROMISE ATTEMPT     the mines of a board
//
// S and the nonces are hex, by seat; - is the nonce of a seat that sent none.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const TAG = Buffer.from("parlour-fair/1");
const LEVELS = { beginner: [9, 9, 10], intermediate: [16, 16, 40], expert: [30, 16, 99] };
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const u32 = (n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};
const u64 = (n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(n));
  return bytes;
};
const range = (n) => [...Array(n).keys()];

// --- the derivation ---

export const pack = (...fields) => Buffer.concat(fields.flatMap((field) => [u32(field.length), field]));
export const commitment = (secret) => sha256(pack(TAG, Buffer.from("server"), secret)).toString("hex");
export const dealKey = (secret, context, deal, nonces) =>
  hmac(secret, pack(TAG, Buffer.from(context), u32(deal), ...nonces));

export function* words(key, label) {
  for (let j = 0; ; j++) {
    const block = hmac(key, Buffer.concat([TAG, Buffer.of(0), Buffer.from(label), Buffer.of(0), u64(j)]));
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

export function below(stream, n) {
  for (;;) {
    const word = stream.next().value;
    if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
  }
}

// Return the last `count` of `items` after `count` steps of a shuffle from the top; without a count, shuffle all.
export function drawn(stream, items, count = items.length) {
  for (let i = items.length - 1; i > 0 && i >= items.length - count; i--) {
    const j = below(stream, i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(items.length - count);
}

// --- UNO ---

const isNumber = (card) => card < 100 && card % 25 < 19;
const isDraw = (card) => card >= 104 || (card < 100 && card % 25 >= 23); // Draw Two, Wild Draw Four

export function unoDeal(key, seats, numberOnly = false) {
  let pile = drawn(words(key, "deck"), range(108));
  const hands = range(seats).map(() => pile.splice(-7));
  let first = pile.pop();
  for (let k = 1; numberOnly ? !isNumber(first) : first >= 104; k++) {
    pile = drawn(words(key, `reshuffle/${k}`), [first, ...pile]);
    first = pile.pop();
  }
  return { dealer: below(words(key, "start"), seats), hands, first, pile };
}

// Follow the records up to the first whose cards depend on more than the deal; return the number of acts checked.
function followUno(begun, records, key) {
  const options = begun.options;
  const { dealer, hands, first, pile } = unoDeal(key, begun.players.length, options.first_card_number_only);
  const draw = (seat) => hands[seat].push(pile.pop());
  if (isDraw(first)) range(2).forEach(() => draw((dealer + 1) % hands.length));
  let checked = 0;
  for (const { r, seat, act, n } of records) {
    if (["owned", "ready", "host", "ruled", "control", "handed", "timer"].includes(r)) continue;
    if (r !== "act" || !["play", "draw", "pass", "colour", "uno"].includes(act.do)) break;
    if (act.do === "draw" && (options.draw_until || !pile.length)) break;
    if (act.do === "draw") draw(seat);
    const cards = act.do === "play" ? (act.cards ?? [act.card]) : [];
    for (const card of cards) {
      if (!hands[seat].includes(card))
        throw new Error(`line n=${n}: seat ${seat} lays card ${card}, never dealt to it`);
      hands[seat].splice(hands[seat].indexOf(card), 1);
    }
    checked++;
    if (cards.some(isDraw) || act.swap !== undefined || !hands[seat].length) break;
    if (options.seven_zero && cards.some((card) => isNumber(card) && card % 25 === 0)) break;
  }
  return `the first deal (deck, hands, first card ${first}) fits the first ${checked} answers`;
}

// --- Minesweeper ---

const around = (width, height, at, reach) =>
  range(width * height).filter(
    (cell) =>
      Math.max(Math.abs((cell % width) - (at % width)), Math.abs(Math.floor(cell / width) - Math.floor(at / width))) <=
      reach,
  );

export function mines(key, { width, height, count, first, promise, attempt }) {
  const reach = { any: -1, safe: 0, opening: 1, radius: Math.floor(width / 8) }[promise];
  const free = new Set(around(width, height, first, reach));
  return drawn(
    words(key, `mines/${attempt}`),
    range(width * height).filter((cell) => !free.has(cell)),
    count,
  );
}

// 3BV: the number of connected areas of zeros, plus the number of safe cells that touch no zero.
export function bbbv(width, height, layout) {
  const mined = new Set(layout),
    near = range(width * height).map((cell) => around(width, height, cell, 1));
  const zero = near.map((cells) => !cells.some((cell) => mined.has(cell)));
  const seen = new Set();
  const flood = (from) => {
    for (const todo = [from]; todo.length; )
      for (const cell of near[todo.pop()])
        if (zero[cell] && !seen.has(cell)) {
          seen.add(cell);
          todo.push(cell);
        }
  };
  const areas = range(width * height).filter((cell) => zero[cell] && !seen.has(cell) && (flood(cell), true)).length;
  return (
    areas + range(width * height).filter((cell) => !mined.has(cell) && !near[cell].some((other) => zero[other])).length
  );
}

function firstOpened(records, width) {
  const flags = new Set();
  for (const { act } of records.filter(({ r }) => r === "act")) {
    for (const [verb, x, y] of act.moves ?? (act.cells ?? []).map(([x, y]) => [act.do, x, y])) {
      const cell = y * width + x;
      if (verb === "open" && !flags.has(cell)) return cell;
      if (verb === "flag") flags.add(cell);
      if (verb === "unflag") flags.delete(cell);
    }
  }
}

function followMines(begun, records, key) {
  const { mode, level, first: asked, no_guess: noGuess, ...own } = begun.options;
  const sizes = { ...LEVELS, custom: [own.width, own.height, own.mines] };
  const [width, height, count] = mode === "duel" && level !== "custom" ? [16, 16, 51] : sizes[level];
  const given = own.first_cell ?? -1,
    begins = mode === "race" || given >= 0;
  const forced = asked === "any" && (begins || noGuess) ? "safe" : asked;
  const dealt = { duel: 0, race: below(words(key, "start"), width * height) }[mode];
  const first = given >= 0 ? given : (dealt ?? firstOpened(records, width));
  const attempt = noGuess ? records.find(({ r, name }) => r === "job" && name === "board")?.result.attempt : 1;
  if (first === undefined || !attempt) return "no board was dealt";
  const layout = mines(key, { width, height, count, first, promise: mode === "duel" ? "any" : forced, attempt });
  const stats = records.at(-1).stats,
    told = stats?.spared ? undefined : stats?.bbbv,
    is = bbbv(width, height, layout);
  if (told !== undefined && told !== is) throw new Error(`the board dealt has 3BV ${is}, the result says ${told}`);
  return (
    `${count} mines on ${width}×${height} by attempt ${attempt}, first cell ${first}, 3BV ${is}` +
    (told === undefined ? "" : " as the result says") +
    (stats?.spared ? `; the later layouts of a kind board (${stats.spared}) are not checked` : "")
  );
}

// --- a match file ---

// Canonical JSON: sorted keys, no spaces. (Field names are ASCII, so every sort order agrees.)
export const canonical = (value) =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(",")}]`
    : value !== null && typeof value === "object"
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join(",")}}`
      : JSON.stringify(value);

export function check(text, digest) {
  let chain = Buffer.alloc(0);
  const records = text
    .trimEnd()
    .split("\n")
    .map((line, number) => {
      const { h, ...record } = JSON.parse(line);
      chain = sha256(chain, Buffer.from(canonical(record)));
      if (line !== canonical({ ...record, h: chain.toString("hex") }))
        throw new Error(`line ${number + 1}: h or form is wrong`);
      return record;
    });
  const [begun] = records,
    secret = Buffer.from(begun.secret, "hex");
  if (digest !== undefined && digest !== chain.toString("hex"))
    throw new Error(`the digest is ${chain.toString("hex")}`);
  if (begun.r !== "begun" || records.at(-1).r !== "over") throw new Error("not the file of a whole match");
  if (commitment(secret) !== begun.commit) throw new Error("line 1: commit is not that of secret");
  if (!begun.deal && !begun.context.endsWith(`/${begun.match}`))
    throw new Error("line 1: context is not that of the match");
  const { beacon, nonces, players } = begun;
  if (nonces.length !== players.length + (beacon ? 1 : 0))
    throw new Error("line 1: there is a nonce for each seat and the beacon");
  const key = dealKey(
    secret,
    begun.context,
    1,
    begun.nonces.map((nonce) => Buffer.from(nonce, "hex")),
  );
  const follow = { uno: followUno, minesweeper: followMines }[begun.game];
  return [
    digest === undefined
      ? `chain: consistent; compare the digest ${chain.toString("hex")}`
      : "chain: as the digest says",
    `commitment: ${begun.commit} is that of the secret`,
    ...(beacon ? [`beacon: compare ${nonces.at(-1)} with round ${beacon.round} of ${beacon.chain}`] : []),
    `${begun.game} ${begun.context}: ${follow(begun, records.slice(1), key)}`,
  ];
}

// --- the command line ---

const bytes = (hex) => Buffer.from(hex === "-" ? "" : hex, "hex");

function main([verb, ...rest]) {
  if (verb === "deck") {
    const [secret, context, deal, ...nonces] = rest;
    return [
      drawn(words(dealKey(bytes(secret), context, Number(deal), nonces.map(bytes)), "deck"), range(108)).join(" "),
    ];
  }
  if (verb === "mines") {
    const [secret, context, ...more] = rest,
      [width, height, count, at, promise, attempt] = more.splice(-6);
    const [x, y] = at.split(",").map(Number),
      board = { width: +width, height: +height, count: +count, promise, attempt };
    const found = mines(dealKey(bytes(secret), context, 1, more.map(bytes)), { ...board, first: y * board.width + x });
    return [
      found
        .sort((a, b) => a - b)
        .map((cell) => `${cell % board.width},${Math.floor(cell / board.width)}`)
        .join(" "),
    ];
  }
  if (verb === undefined) throw new Error("name a game file; more is said at the top of this program");
  return check(readFileSync(verb, "utf8"), rest[0]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    for (const line of main(process.argv.slice(2))) console.log(line);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
