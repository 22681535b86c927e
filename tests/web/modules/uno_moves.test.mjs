// What a card or button of UNO comes to, under all house rules.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./phrases.mjs";
import { cardName, rule, sign, symbol } from "../../../server/parlour_server/web/games/uno/cards.js";
import {
  asked,
  chance,
  decided,
  mayCall,
  movesOf,
  open,
  together,
  whyNot,
} from "../../../server/parlour_server/web/games/uno/moves.js";

const VIEW = { phase: "play", turn: 0, colour: "red", top: 9, counts: [3, 7, 7], out: [], hand: [2, 5, 100] };
const room = (more = {}) => ({
  question: { rid: 4, legal: [] },
  may: [],
  view: VIEW,
  table: { options: {} },
  seat: 0,
  name: (seat) => ["ann", "bob"][seat],
  ...more,
});
const of = (...legal) => movesOf(room({ question: { rid: 4, legal } }));

test("cards are what SPEC.md says of their numbers", () => {
  assert.deepEqual([0, 1, 2, 18, 19, 21, 23, 100, 104].map(symbol), [0, 1, 1, 9, 10, 11, 12, 13, 14]);
  assert.equal([0, 25, 98, 103, 107].map(cardName).join(), "red 0,yellow 0,blue draw two,wild,wild draw four");
  assert.equal(sign(107), "+4");
  assert.equal(rule(VIEW), "match ▲ red or 5");
});

test("plays are by card, answers by what they do, reactions apart", () => {
  const moves = movesOf(
    room({
      question: { rid: 4, legal: [{ do: "play", card: 2 }, { do: "draw" }] },
      may: [{ rid: 7, legal: [{ do: "uno" }] }],
    }),
  );
  assert.deepEqual(moves.plays.get(2), [[4, { do: "play", card: 2 }]]);
  assert.deepEqual(moves.answers.get("draw"), [[4, { do: "draw" }]]);
  assert.deepEqual(moves.reactions.get("uno"), [[7, { do: "uno" }]]);
  assert.deepEqual(movesOf(room({ question: null })).plays.size, 0);
});

test("a wild asks for its colour, a seven for a seat", () => {
  const wild = of(...["red", "blue"].map((colour) => ({ do: "play", card: 100, colour }))).plays.get(100);
  assert.deepEqual(open(wild), { field: "colour", values: ["red", "blue"] });
  const seven = of(...[1, 2].map((swap) => ({ do: "play", card: 13, swap }))).plays.get(13);
  assert.deepEqual(open(seven), { field: "swap", values: [1, 2] });
  const one = of({ do: "play", card: 2 }).plays.get(2);
  assert.equal(open(one), null);
});

test("the call of UNO is a switch, not a question", () => {
  const ways = of({ do: "play", card: 2, uno: true }, { do: "play", card: 2 }).plays.get(2);
  assert.equal(open(ways), null);
  assert.deepEqual(decided(ways, true)[1], { do: "play", card: 2, uno: true });
  assert.deepEqual(decided(ways, false)[1], { do: "play", card: 2 });
  const swap = { do: "play", card: 13, swap: 1 };
  assert.deepEqual(decided(of(swap).plays.get(13), true)[1], swap);
});

test("several cards of one number go together, with a call or a swap where they can have one", () => {
  const hand = [1, 2, 13, 14, 26],
    at = (options, cards) =>
      together(room({ view: { ...VIEW, hand }, table: { options } }), cards).map(([, action]) => action);
  assert.deepEqual(at({}, [1, 2, 26]), [{ do: "play", cards: [1, 2, 26] }]);
  assert.deepEqual(at({}, [1, 2, 26, 27]), [
    { do: "play", cards: [1, 2, 26, 27] },
    { do: "play", cards: [1, 2, 26, 27], uno: true },
  ]);
  assert.deepEqual(
    at({ seven_zero: true }, [13, 14]),
    [1, 2].map((swap) => ({ do: "play", cards: [13, 14], swap })),
  );
  assert.deepEqual(
    at({ seven_zero: true }, [13, 14, 38, 39, 63]),
    [{ do: "play", cards: [13, 14, 38, 39, 63] }],
    "a last seven moves no hands",
  );
});

test("who comes to one card may call", () => {
  assert.equal(mayCall({ hand: [1, 2] }), true);
  assert.equal(mayCall({ hand: [1, 2, 3] }), false);
  assert.equal(mayCall({ hand: [1, 2, 3] }, 2), true);
  assert.equal(mayCall({}), false);
});

test("why a card cannot be laid", () => {
  assert.equal(whyNot(room({ question: null, view: { ...VIEW, turn: 1 } }), 2), "It is bob's turn.");
  assert.equal(whyNot(room({ question: null, view: { ...VIEW, turn: null } }), 2), "It is not your turn.");
  assert.equal(
    whyNot(room({ view: { ...VIEW, phase: "drawn" } }), 2),
    "After drawing, you can play only the card you drew.",
  );
  assert.equal(whyNot(room({ view: { ...VIEW, pending: 4 } }), 2), "Red 1 is no answer here: you draw 4.");
  assert.match(whyNot(room(), 107), /^You cannot play that wild draw four/);
  assert.equal(whyNot(room(), 26), "Yellow 1 does not fit: match ▲ red or 5.");
});

test("the turn line says what may be done", () => {
  const play = { do: "play", card: 2 },
    four = { phase: "challenge", of: 1, before: "green", counts: [2, 3, 3] },
    answer = [{ do: "accept" }, { do: "challenge" }];
  for (const [view, legal, ...line] of [
    [{ phase: "colour" }, [], "YOUR TURN", "name the colour of the first card"],
    [{ phase: "drawn", drawn: 2 }, [play, { do: "pass" }], "You drew red 1", "play it or keep it"],
    [{ phase: "drawn", drawn: 2 }, [play], "You drew red 1", "play it"],
    [{ phase: "drawn", drawn: null }, [{ do: "pass" }], "No card was left", "pass"],
    [{ phase: "challenge" }, answer, "+4 FOR YOU", "accept 4 or challenge"],
    [four, answer, "+4 FOR YOU", "accept 4 or challenge – did bob hold green?"],
    [
      { ...four, counts: [2, 0, 3] },
      answer,
      "+4 FOR YOU",
      "accept 4 or challenge – it was the last card, so it was no bluff",
    ],
    [{ pending: 6, top: 23 }, [{ do: "play", card: 24 }, { do: "accept" }], "+6 FOR YOU", "stack a +2, or draw 6"],
    [{}, [{ do: "draw" }], "YOUR TURN", "match ▲ red or 5 – draw one"],
  ])
    assert.deepEqual(asked(room({ view: { ...VIEW, ...view } }), of(...legal)), line);
});

test("what there is to be quick for", () => {
  const with_ = (...acts) =>
    chance(movesOf(room({ view: { ...VIEW, exposed: 1 }, may: acts.map((act, rid) => ({ rid, legal: [act] })) })));
  assert.equal(with_({ do: "catch", seat: 1 }, { do: "uno" }), "call before you are caught");
  assert.equal(with_({ do: "catch", seat: 1 }), "one card, and no call yet");
  assert.equal(with_({ do: "catch", seat: 2 }), "", "a wrong catch costs cards");
  assert.equal(with_({ do: "jump", card: 2 }), "you hold the same card");
  assert.equal(with_(), "");
});
