// What a press on a cell of Minesweeper comes to: at once, in batches, or not at all.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./phrases.mjs";
import { Moves, around } from "../../../server/parlour_server/web/games/minesweeper/moves.js";
import { cellName } from "../../../server/parlour_server/web/games/minesweeper/words.js";

const view = (rows, mode = "solo") => ({ mode, rows, width: rows[0].length, height: rows.length });
const BOARD = view(["1F.", "1..", "..."]);
const want = (moves, verb, x, y, board = BOARD, bomb = undefined) => moves.want(verb, x, y, board, bomb);

test("cells are named as on a chessboard, from the top", () => {
  assert.deepEqual([cellName(0, 0), cellName(25, 9), cellName(26, 0), cellName(99, 99)], ["a1", "z10", "aa1", "cv100"]);
  assert.deepEqual(around(BOARD, 0, 0), [
    [1, 0],
    [0, 1],
    [1, 1],
  ]);
});

test("the first press goes out at once, the others together with the next question (#one-act-in-flight)", () => {
  const moves = new Moves();
  assert.equal(want(moves, "open", 2, 2), null);
  assert.deepEqual(moves.take(1, BOARD), { do: "open", cells: [[2, 2]] });
  assert.equal(want(moves, "open", 1, 2), null);
  assert.equal(want(moves, "flag", 2, 0), null);
  assert.equal(moves.take(1, BOARD), null, "one act is under way");
  moves.asked(2);
  assert.deepEqual(moves.take(2, BOARD), {
    do: "seq",
    moves: [
      ["open", 1, 2],
      ["flag", 2, 0],
    ],
  });
  moves.asked(3);
  assert.equal(moves.take(3, BOARD), null);
});

test("moves of one kind are one act of that kind, and at most 64 go together", () => {
  const wide = view([".".repeat(100)]),
    moves = new Moves();
  for (let x = 0; x < 100; x++) want(moves, "open", x, 0, wide);
  assert.equal(moves.take(1, wide).cells.length, 64);
  moves.asked(2);
  assert.equal(moves.take(2, wide).cells.length, 36);
});

test("flags are seen before the server has them, and go off again", () => {
  const moves = new Moves();
  want(moves, "flag", 2, 0);
  assert.equal(moves.at(BOARD.rows, 2, 0), "F");
  want(moves, "flag", 2, 0);
  assert.equal(moves.at(BOARD.rows, 2, 0), ".");
  assert.deepEqual(
    moves.take(1, BOARD).moves.map(([verb]) => verb),
    ["flag", "unflag"],
  );
  want(moves, "flag", 1, 0);
  assert.equal(moves.at(BOARD.rows, 1, 0), ".", "one that the server has is taken away");
});

test("opening an open number opens around it, when its mines are flagged", () => {
  const moves = new Moves();
  assert.equal(want(moves, "open", 0, 0), null);
  assert.deepEqual(moves.take(1, BOARD), { do: "chord", cells: [[0, 0]] });
  const other = new Moves(),
    bare = view(["1..", "1..", "..."]);
  assert.equal(want(other, "chord", 0, 0, bare), "a1 says 1, but 0 around it are flagged.");
  want(other, "flag", 1, 0, bare);
  assert.equal(want(other, "chord", 0, 0, bare), null, "a flag on its way counts");
  assert.match(want(other, "chord", 2, 2, bare), /a chord needs an open number/);
});

test("what cannot be done is said, and nothing goes out", () => {
  const moves = new Moves();
  assert.match(want(moves, "open", 1, 0), /take the flag away first/);
  assert.match(want(moves, "flag", 0, 0), /it needs no flag/);
  assert.match(want(moves, "bomb", 0, 0), /Bombs are only for duels/);
  assert.match(want(moves, "open", 0, 0, view(["0"])), /nothing left to open/);
  assert.equal(moves.take(1, BOARD), null);
});

test("a duel opens and bombs, and knows nothing else", () => {
  const duel = view(["1A.", "...", "..."], "duel"),
    moves = new Moves();
  assert.match(want(moves, "flag", 2, 2, duel), /has no flags/);
  assert.match(want(moves, "open", 1, 0, duel), /is open already/);
  assert.match(want(moves, "bomb", 1, 1, duel, "kept"), /for when you are behind/);
  assert.match(want(moves, "bomb", 1, 1, duel, "thrown"), /have thrown/);
  assert.equal(want(moves, "bomb", 1, 1, duel, "ready"), null);
  assert.deepEqual(moves.take(1, duel), { do: "bomb", at: [1, 1] });
  want(moves, "open", 2, 2, duel);
  moves.asked(2);
  assert.equal(
    moves.take(2, view(["1A.", "...", "..0"], "duel")),
    null,
    "what has come open meanwhile is not looked under",
  );
});

test("after a refusal nothing is left", () => {
  const moves = new Moves();
  want(moves, "open", 2, 2);
  want(moves, "open", 2, 1);
  moves.take(1, BOARD);
  moves.drop();
  assert.deepEqual([moves.all, moves.take(1, BOARD)], [[], null]);
});
