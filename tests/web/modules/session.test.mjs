// One identity's talk with a server, message by message. A #name in brackets is a section of SPEC.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused, Session, unread } from "../../../server/parlour_server/web/core/session.js";

const seats = [
  { seat: 0, name: "ann", kind: "human", here: true, ready: false, by: "owner" },
  { seat: 1, name: "bob", kind: "bot", here: true, ready: false, by: "owner" },
];
const FAIR = { commit: "c", context: "K7QD/1", nonces: {} };
const TABLE = { host: "ann", options: {}, watchers: 0, fair: FAIR, hints: true, seats };
const ROOM = { room: "K7QD", events: [], may: [], clocks: {} };
const SEAT = { ...ROOM, game: "uno", seat: 0, view: { turn: 0 } };
const TURN = { ...SEAT, t: "turn", clocks: { 0: 5000 }, left: 5000, legal: [{ do: "draw" }] };
const table = (state = "playing", more = {}) => ({ ...TABLE, state, ...more });
const joined = (more = {}) => ({
  ...SEAT,
  t: "joined",
  epoch: 1,
  seq: 4,
  table: table(),
  gap: false,
  chat: [],
  ...more,
});
const turn = (rid, seq) => ({ ...TURN, rid, seq });
const update = (seq, more = {}) => ({ ...ROOM, t: "update", seq, view: { turn: 1 }, ...more });
const over = (seq, more = {}) => ({
  ...ROOM,
  t: "over",
  seq,
  view: {},
  result: {},
  reveal: "00",
  digest: "d",
  ...more,
});
const welcome = (rooms = [], token = "t1") => ({ t: "welcome", name: "ann", limits: {}, can: ["uno"], rooms, token });

function here(rooms = ["K7QD"]) {
  const kept = [],
    session = new Session({
      name: "ann",
      keep: (token) => kept.push(token),
      entropy: (n) => new Uint8Array(n).fill(171),
      now: () => 0,
    });
  session.hello();
  session.receive(welcome(rooms));
  if (rooms.length) session.receive(joined());
  return { session, kept, room: session.rooms.get("K7QD") };
}

/** What becomes of a promise, once all that is due has been done. */
async function fate(promise) {
  const due = new Promise((done) => setImmediate(() => done("waiting")));
  return Promise.race([promise.catch((error) => error), due]);
}

test("a greeting tells name, abilities, token, and how far each room was followed (#resuming)", () => {
  const { session, kept } = here();
  assert.deepEqual(kept, ["t1"]);
  assert.deepEqual(session.hello(), {
    t: "hello",
    id: "hello",
    name: "ann",
    kind: "human",
    can: ["nonce"],
    token: "t1",
    rooms: [{ room: "K7QD", epoch: 1, seq: 4 }],
  });
  session.receive(welcome(["K7QD"], "t2"));
  assert.deepEqual(kept, ["t1", "t2"]);
});

test("a join is sent with the first hello, once, and again if the hello is refused", async () => {
  const session = new Session({ name: "ann", token: "old", entropy: (n) => new Uint8Array(n) });
  const first = session.ask({ t: "join", room: "K7QD", as: "spectator" }),
    same = session.ask({ t: "join", room: "K7QD", as: "spectator" });
  assert.equal(same.out, null);
  assert.equal(same.promise, first.promise);
  const [hello, join] = session.opening();
  assert.deepEqual([hello.t, join.t, join.room], ["hello", "join", "K7QD"]);
  session.receive({ t: "error", re: "hello", code: "bad_token", msg: "no" });
  assert.equal(session.receive({ t: "error", re: join.id, code: "hello_first", msg: "no" }).news, false);
  const {
    out: [again],
  } = session.receive(welcome([]));
  session.receive(joined({ seat: null, re: again.id }));
  assert.equal((await fate(first.promise)).room, "K7QD");
  session.ask({ t: "join", room: "K7QF", as: "player" });
  assert.equal(session.opening().length, 1); // a later socket waits for the welcome
});

test("a token that was refused is forgotten, and somebody new greets", () => {
  const { session, kept } = here([]);
  session.hello();
  const { out, news } = session.receive({ t: "error", code: "bad_token", msg: "no" });
  assert.equal(news, false);
  assert.equal(out.length, 1);
  assert.equal("token" in out[0], false);
  assert.equal(kept.at(-1), null);
});

test("each request gets its own answer, or its refusal (#one-answer)", async () => {
  const { session } = here();
  const one = session.ask({ t: "list" }),
    two = session.ask({ t: "chat", room: "K7QD", text: "hi" });
  assert.notEqual(one.out.id, two.out.id);
  session.receive({ t: "error", re: two.out.id, code: "muted", msg: "not now", hint: "wait" });
  session.receive({ t: "rooms", re: one.out.id, rooms: [], bots: [] });
  assert.equal((await one.promise).t, "rooms");
  const refused = await fate(two.promise);
  assert.ok(refused instanceof Refused);
  assert.deepEqual([refused.code, refused.message, refused.hint], ["muted", "not now", "wait"]);
});

test("what has been heard is no news, and a gap asks for the whole room (#sequence-numbers)", () => {
  const { session, room } = here();
  assert.deepEqual(session.receive(update(5)), { news: true, out: [] });
  assert.equal(session.receive(update(5)).news, false);
  assert.equal(session.receive(update(4)).news, false);
  const { news, out } = session.receive(update(7));
  assert.equal(news, false);
  assert.deepEqual(out, [{ t: "join", room: "K7QD", as: "player", id: "sync K7QD" }]);
  assert.equal(room.seq, 5);
  assert.equal(session.receive({ ...update(5), room: "ZZZZ" }).news, false);
});

test("a match is under way until it is over, and again when the next begins", () => {
  const { session, room } = here();
  assert.equal(room.underWay, true);
  session.receive(over(5));
  assert.equal(room.underWay, false, "though its table has not told it yet");
  assert.ok(session.ask({ t: "ready", room: "K7QD" }).out.nonce);
  session.receive({ t: "seats", room: "K7QD", seq: 6, table: table("finished") });
  assert.ok(room.over);
  session.receive({ t: "seats", room: "K7QD", seq: 7, table: table() });
  assert.equal(room.underWay, true);
});

test("a question follows joined under the same number (#after-joined)", () => {
  const { session, room } = here();
  assert.equal(session.receive(turn(3, 4)).news, true);
  assert.equal(room.question.rid, 3);
  assert.equal(session.receive(turn(3, 4)).news, false);
  session.receive(update(5));
  assert.equal(room.question, null, "another seat is asked");
});

test("one act is under way for each question (#one-act-in-flight), and its answer closes it", () => {
  const { session, room } = here();
  session.receive(turn(3, 5));
  assert.deepEqual(session.act("K7QD", 3, { do: "draw" }), { t: "act", room: "K7QD", rid: 3, act: { do: "draw" } });
  assert.equal(session.act("K7QD", 3, { do: "draw" }), null);
  assert.equal(session.acting("K7QD", 3), true);
  session.receive(update(6, { ok: { rid: 3, act: { do: "draw" } } }));
  assert.equal(session.acting("K7QD", 3), false);
  assert.equal(room.question, null);
});

test("a refused act leaves the question open (#refused-acts); a late one closes it (#repeated-and-late-acts)", () => {
  const { session, room } = here();
  session.receive(turn(3, 5));
  session.act("K7QD", 3, { do: "play", card: 9 });
  const refusal = { t: "error", code: "illegal_action", msg: "no", room: "K7QD", rid: 3, legal: [{ do: "pass" }] };
  assert.equal(session.receive(refusal).news, true);
  assert.deepEqual(room.question.legal, [{ do: "pass" }]);
  assert.ok(session.act("K7QD", 3, { do: "pass" }));
  const late = { t: "error", code: "stale", msg: "late", room: "K7QD", rid: 3, why: "clock" };
  session.receive(late);
  assert.equal(room.question, null);
  assert.equal(session.receive(late).news, false, "of nobody's act");
});

test("offers close by their answer", () => {
  const { session, room } = here();
  const [call, doubt] = [
    { rid: 8, legal: [{ do: "uno" }] },
    { rid: 9, legal: [{ do: "catch", seat: 1 }] },
  ];
  session.receive(update(5, { may: [call, doubt] }));
  session.act("K7QD", 8, { do: "uno" });
  session.receive({ t: "ok", room: "K7QD", rid: 8, act: { do: "uno" } });
  assert.deepEqual(room.may, [doubt]);
});

test("acts that got no answer are repeated once the room is back (#resuming)", () => {
  const { session } = here();
  session.receive(turn(3, 5));
  const act = session.act("K7QD", 3, { do: "draw" });
  session.hello();
  assert.deepEqual(session.receive(welcome(["K7QD"])).out, []);
  assert.deepEqual(session.receive(joined({ seq: 5, why: "resume" })).out, [act]);
  session.receive({ t: "ok", room: "K7QD", rid: 3, act: { do: "draw" } });
  session.hello();
  session.receive(welcome(["K7QD"]));
  assert.deepEqual(session.receive(joined({ seq: 6 })).out, []);
});

test("requests that are harmless are repeated, the others have failed", async () => {
  const { session } = here();
  const ready = session.ask({ t: "ready", room: "K7QD" }),
    chat = session.ask({ t: "chat", room: "K7QD", text: "hi" }),
    join = session.ask({ t: "join", room: "BBBB" });
  session.hello();
  assert.equal((await fate(chat.promise)).code, "lost");
  const again = session.receive(welcome(["K7QD"])).out;
  assert.deepEqual(
    again.map(({ t, room }) => [t, room]),
    [["join", "BBBB"]],
  );
  const [asked] = session.receive(joined({ table: table("waiting") })).out;
  assert.deepEqual([asked.t, asked.room, asked.nonce.length], ["ready", "K7QD", 64]);
  session.receive({ t: "ok", re: asked.id });
  session.receive({ ...joined(), room: "BBBB", re: again[0].id });
  assert.equal((await fate(ready.promise)).t, "ok");
  assert.equal((await fate(join.promise)).t, "joined");
});

test("leaving has come true if the room is gone, opening one if there is a new room", async () => {
  const { session } = here();
  const leave = session.ask({ t: "leave", room: "K7QD" }),
    create = session.ask({ t: "create", game: "uno" });
  session.hello();
  assert.deepEqual(session.receive(welcome(["NEWR"])).out, []);
  assert.deepEqual(await fate(leave.promise), { t: "left", room: "K7QD", why: "left" });
  session.receive({ ...joined(), room: "NEWR" });
  assert.equal((await fate(create.promise)).room, "NEWR");
});

test("moves were missed if the view has changed meanwhile: after a restart of the server it may not have", () => {
  const { session } = here();
  const missed = (view) => {
    session.hello();
    session.receive(welcome(["K7QD"]));
    session.receive(joined({ gap: true, why: "resume", view }));
    return session.rooms.get("K7QD").gap;
  };
  assert.deepEqual([{ turn: 0 }, { turn: 1 }, { turn: 1 }].map(missed), [false, true, false]);
});

test("who waited for a seat waits again after a lost connection", () => {
  const { session } = here(),
    watching = (queue, more) => ({
      ...joined(more),
      room: "WWWW",
      seat: null,
      table: { ...joined().table, ...(queue && { queue }) },
    });
  session.receive(watching([session.name]));
  session.hello();
  session.receive(welcome([]));
  const { out } = session.receive(watching(undefined, { why: "join" }));
  assert.deepEqual(out, [{ t: "queue", room: "WWWW", id: "wait WWWW" }]);
  assert.deepEqual(session.receive(watching(undefined, { why: "sync" })).out, []);
});

test("a seat that was given up is told, a room that was watched is watched again (#resuming)", () => {
  const { session } = here(),
    lost = [];
  session.lost = ({ room, why }) => lost.push([room, why]);
  session.receive({ ...joined(), room: "WWWW", seat: null });
  session.hello();
  const { out } = session.receive(welcome([]));
  assert.deepEqual(lost, [["K7QD", "expired"]]);
  assert.deepEqual(out, [{ t: "join", room: "WWWW", as: "spectator", id: "watch WWWW" }]);
  assert.deepEqual([...session.rooms.keys()], ["WWWW"]);
});

test("who is ready for a match sends a nonce, in a pause none", () => {
  const { session } = here();
  session.receive({ t: "seats", room: "K7QD", seq: 5, table: table("waiting") });
  assert.equal(session.ask({ t: "ready", room: "K7QD" }).out.nonce, "ab".repeat(32));
  assert.equal("nonce" in session.ask({ t: "ready", room: "K7QD", ready: false }).out, false);
  session.receive({ t: "seats", room: "K7QD", seq: 6, table: table("pause") });
  assert.equal("nonce" in session.ask({ t: "ready", room: "K7QD" }).out, false);
});

test("while a stand-in plays nothing is asked (#stand-ins)", () => {
  const { session, room } = here();
  session.receive(turn(3, 5));
  const standin = table("playing", { seats: [{ ...seats[0], by: "standin" }, seats[1]] });
  session.receive({ t: "seats", room: "K7QD", seq: 6, table: standin });
  assert.equal(room.question, null);
});

test("the end of a match is known with the commitment shown before it, also when it came while we were away", () => {
  const { session, room } = here();
  const end = (seq, context) => session.receive(over(seq, { commit: "told with it", context }));
  end(5, "K7QD/1");
  assert.equal(room.over.commit, "c");
  const next = { commit: "next", context: "K7QD/2", nonces: {} };
  session.receive({ t: "seats", room: "K7QD", seq: 6, table: table("finished", { fair: next }) });
  session.receive(joined({ seq: 9, table: table("finished", { fair: { ...next, context: "K7QD/3" } }) }));
  end(9, "K7QD/2");
  assert.equal(room.over.commit, "next", "that of a match that ended while we were away");
  session.receive(
    joined({ seq: 12, table: table("finished", { fair: { ...next, commit: "another", context: "K7QD/2" } }) }),
  );
  end(12, "K7QD/2");
  assert.equal(room.over.commit, "next", "the first that was shown counts");
  session.receive(joined({ seq: 15 }));
  end(15, "K7QD/9");
  assert.equal(room.over.commit, undefined, "of a match that began while we were away nothing was shown");
});

test("clocks go on between messages", () => {
  const { session, room } = here();
  session.receive(turn(3, 5));
  assert.equal(room.left(0, 2_000), 3_000);
  assert.equal(room.left(0, 9_000), 0);
  assert.equal(room.left(1, 0), null);
});

test("the lines of chat that were missed are those after the last one that was shown", () => {
  const said = (...all) => all.map((text) => ({ from: "ann", text }));
  assert.deepEqual(unread(said("a", "b"), said("a", "b", "c")), said("c"));
  assert.deepEqual(unread(said("a", "b", "c"), said("c", "d")), said("d"));
  assert.deepEqual(unread(said("a", "a"), said("a", "a", "a")), said("a"));
  assert.deepEqual(unread(said("a"), said("x", "y")), said("x", "y"));
  assert.deepEqual(unread([], said("a")), said("a"));
  assert.deepEqual(unread(said("a"), said("a")), []);
});
