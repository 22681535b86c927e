// Moves that come at the same time are shown one by one.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Pace } from "../../../server/parlour_server/web/core/pace.js";

let shown, hurried, pace;
const after = (ms) => {
  mock.timers.tick(ms);
  return shown.join("");
};
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  [shown, hurried] = [[], false];
  pace = new Pace(
    (item) => shown.push(item),
    () => hurried,
  );
});
const others = (moves) => [...moves].forEach((item) => pace.push(item, "other"));

test("the first move is shown immediately", () => {
  others("a");
  assert.equal(after(0), "a");
});

test("moves of others follow each other in half a second", () => {
  others("abc");
  assert.deepEqual([after(549), after(1), after(549), after(1)], ["a", "ab", "ab", "abc"]);
});

test("our own move is followed sooner", () => {
  pace.push("a", "own");
  pace.push("b", "other");
  assert.deepEqual([after(349), after(1)], ["a", "ab"]);
});

test("what is no move delays nothing, and keeps its place", () => {
  others("a");
  pace.push("b", null);
  pace.push("c", "other");
  assert.deepEqual([after(0), after(550)], ["a", "abc"]);
});

test("many moves are shown faster", () => {
  others("abcdefghij");
  assert.deepEqual([after(550), after(160), after(160)], ["ab", "abc", "abcd"]);
});

test("nothing waits when nobody looks", () => {
  hurried = true;
  others("abc");
  assert.equal(after(0), "abc");
});

test("all that waits can be shown at once", () => {
  others("abc");
  pace.flush();
  assert.deepEqual([after(0), pace.behind], ["abc", false]);
  others("d");
  assert.equal(after(0), "abcd");
});

test("after its end nothing is shown", () => {
  others("abc");
  pace.end();
  assert.equal(after(5_000), "a");
});

test("without a delay every move is shown immediately", () => {
  pace = new Pace((item) => shown.push(item), undefined, 0);
  others("abc");
  assert.equal(after(0), "abc");
});
