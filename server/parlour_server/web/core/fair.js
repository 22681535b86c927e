// SHA-256, HMAC and the derivations of parlour-fair/1 (see Fairness in SPEC.md). Browsers offer their own hashes only
// to pages that came over TLS.

/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
/** @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const K = primes.map((p) => fraction(Math.cbrt(p))),
  START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
/**
 * @param {number} x
 * @param {number} n
 */
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * The SHA-256 of bytes, as 32 bytes.
 * @param {Uint8Array} bytes
 */
export function sha256(bytes) {
  const length = bytes.length,
    padded = new Uint8Array(((length + 8) >> 6) * 64 + 64),
    state = [...START],
    w = new Int32Array(64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, length << 3);
  for (let from = 0; from < padded.length; from += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = view.getInt32(from + 4 * i);
        continue;
      }
      const a = w[i - 15],
        b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, last] = state;
    for (let i = 0; i < 64; i++) {
      const one = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, last].forEach((word, i) => {
      state[i] = (state[i] + word) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** @param {string} words */
export const utf8 = (words) => new TextEncoder().encode(words);
/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} digits */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {(Uint8Array | number[])[]} parts */
export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return sha256(
    join(
      block.map((byte) => byte ^ 0x5c),
      sha256(
        join(
          block.map((byte) => byte ^ 0x36),
          message,
        ),
      ),
    ),
  );
}

const TAG = utf8("parlour-fair/1");
/** @param {number} n */
const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
/**
 * The deal that a number stands for, the same on every machine.
 * @param {number} seed
 */
export const seeded = (seed) => ({
  secret: hex(sha256(utf8(`parlour-seed/1/${seed}`))),
  context: `seed/${seed}`,
  nonces: [],
});

/** @param {Uint8Array[]} fields */
const pack = (...fields) => join(...fields.flatMap((field) => [u32(field.length), field]));

/**
 * The commitment C, in hex, to a secret S in hex.
 * @param {string} secret
 */
export const commitment = (secret) => hex(sha256(pack(TAG, utf8("server"), unhex(secret))));

/**
 * The key of deal `number`, from 1; `nonces` in hex by seat, "" for none.
 * @param {string} secret
 * @param {string} context
 * @param {number} number
 * @param {string[]} nonces
 */
export const dealKey = (secret, context, number, nonces) =>
  hmac(unhex(secret), pack(TAG, utf8(context), u32(number), ...nonces.map(unhex)));

/**
 * An endless stream of numbers below 2**32.
 * @param {Uint8Array} key
 * @param {string} label
 */
export function* words(key, label) {
  for (let j = 0; ; j++) {
    const block = hmac(key, join(TAG, [0], utf8(label), [0], u32(Math.floor(j / 2 ** 32)), u32(j)));
    const view = new DataView(block.buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/**
 * @param {Generator<number>} stream
 * @param {number} n
 */
export function below(stream, n) {
  for (;;) {
    const word = stream.next().value;
    if (word < 2 ** 32 - (2 ** 32 % n)) return word % n;
  }
}

/**
 * Shuffle from the top for `count` steps, and return that many items from the top; all of them by default.
 * @param {Generator<number>} stream
 * @param {number[]} items
 * @param {number} [count]
 */
export function drawn(stream, items, count = items.length) {
  for (let i = items.length - 1; i > 0 && i >= items.length - count; i--) {
    const j = below(stream, i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(items.length - count);
}
