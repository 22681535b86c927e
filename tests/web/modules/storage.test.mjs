// What a browser keeps: the identities of a server.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Identities } from "../../../server/parlour_server/web/core/storage.js";

let kept, identities;
beforeEach(() => {
  kept = null;
  identities = new Identities({
    read: () => kept && JSON.parse(kept),
    write: (all) => {
      kept = JSON.stringify(all);
    },
  });
});

test("a new browser knows nobody", () =>
  assert.deepEqual([identities.token("ann"), identities.seat("K7QD")], [null, null]));

test("a token is kept by name, the newest one", () => {
  identities.keep("ann", "t1");
  identities.keep("bob", "t2");
  identities.keep("ann", "t3");
  assert.deepEqual([identities.token("ann"), identities.token("bob")], ["t3", "t2"]);
});

test("a refused token is forgotten, and without one a seat is none", () => {
  identities.keep("ann", "t1");
  identities.sat("K7QD", "ann");
  assert.equal(identities.seat("K7QD"), "ann");
  identities.keep("ann", null);
  assert.deepEqual([identities.token("ann"), identities.seat("K7QD")], [null, null]);
});

test("a seat that was left is forgotten, the token is not", () => {
  identities.keep("ann", "t1");
  identities.sat("K7QD", "ann");
  identities.left("K7QD");
  assert.deepEqual([identities.seat("K7QD"), identities.token("ann")], [null, "t1"]);
});

test("names like those of object properties are only names", () => {
  assert.deepEqual([identities.token("constructor"), identities.seat("toString")], [null, null]);
  identities.keep("constructor", "t1");
  assert.equal(identities.token("constructor"), "t1");
});

test("only the newest are kept", () => {
  for (let n = 0; n < 20; n++) identities.keep(`ann${n}`, `t${n}`);
  assert.deepEqual([identities.token("ann0"), identities.token("ann19")], [null, "t19"]);
});
