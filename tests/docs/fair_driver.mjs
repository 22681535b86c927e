// Answers questions about docs/fair.mjs: a list of {ask, …} as JSON on stdin, a list of answers on stdout.
import { readFileSync } from "node:fs";
import * as fair from "../../docs/fair.mjs";

const bytes = (hex) => Buffer.from(hex, "hex");
const take = (stream, count) => Array.from({ length: count }, () => stream.next().value);
const key = ({ secret, context, deal = 1, nonces }) => fair.dealKey(bytes(secret), context, deal, nonces.map(bytes));
const ascending = (numbers) => [...numbers].sort((a, b) => a - b);

const ANSWERS = {
  commitment: ({ secret }) => fair.commitment(bytes(secret)),
  key: (asked) => key(asked).toString("hex"),
  words: (asked) => take(fair.words(key(asked), asked.label), asked.count),
  below: (asked) => {
    const stream = fair.words(key(asked), asked.label);
    return asked.bounds.map((n) => fair.below(stream, n));
  },
  shuffled: (asked) => fair.drawn(fair.words(key(asked), asked.label), [...Array(asked.size).keys()]),
  deal: (asked) => {
    const { dealer, hands, first, pile } = fair.unoDeal(key(asked), asked.seats, asked.numbers);
    return { start: dealer, hands: hands.map(ascending), first, pile };
  },
  layout: (asked) => ascending(fair.mines(key(asked), { ...asked, count: asked.mines })),
  bbbv: ({ width, height, layout }) => fair.bbbv(width, height, layout),
  canonical: ({ value }) => fair.canonical(value),
  check: ({ text, digest }) => {
    try {
      return { said: fair.check(text, digest) };
    } catch (error) {
      return { refused: error.message };
    }
  },
};

const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map((one) => ANSWERS[one.ask](one))));
