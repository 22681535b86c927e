// Sockets that are lost and come again: a socket and a clock of the test's own.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

class FakeSocket {
  static OPEN = 1;
  static all = [];
  constructor(url, protocol) {
    Object.assign(this, { url, protocol, readyState: 0, sent: [] });
    FakeSocket.all.push(this);
  }
  open() {
    this.readyState = 1;
    this.onopen();
  }
  say(message) {
    this.onmessage({ data: typeof message === "string" ? message : JSON.stringify(message) });
  }
  drop(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
}
const events = new EventTarget();
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  addEventListener: (...all) => events.addEventListener(...all),
  removeEventListener: (...all) => events.removeEventListener(...all),
  location: { origin: "http://x" },
  fetch: () => Promise.reject(new Error("no network")),
  document: Object.assign(new EventTarget(), { visibilityState: "visible", querySelector: () => null }),
});
const { Connection } = await import("../../../server/parlour_server/web/core/connection.js");
const { Session } = await import("../../../server/parlour_server/web/core/session.js");
const WELCOME = { t: "welcome", name: "ann", server: "x", limits: {}, can: [], rooms: [], token: "t" };
let connection, states, heard;

beforeEach(() => {
  connection?.end();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(performance, "now", () => now);
  mock.method(Math, "random", () => 1);
  Object.assign(FakeSocket, { all: [] });
  [states, heard] = [[], []];
  connection = new Connection("ws://x/", new Session({ name: "ann", entropy: () => [] }), {
    heard: (message, news) => heard.push([message.t, news]),
    changed: ({ name, why }) => states.push(why ? `${name} ${why}` : name),
  });
});
let now = 0;

function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

async function connected() {
  const done = connection.connect(),
    [socket] = FakeSocket.all;
  assert.equal(socket.protocol, "parlour.v1.json");
  socket.open();
  assert.equal(socket.sent[0].t, "hello");
  socket.say(WELCOME);
  await done;
  return socket;
}

test("it greets, and is open with the welcome", async () => {
  await connected();
  assert.deepEqual(states, ["connecting", "open"]);
  assert.deepEqual(heard, [["welcome", true]]);
});

test("who is not welcome is told why, and it stays away", async () => {
  const done = connection.connect();
  FakeSocket.all[0].open();
  FakeSocket.all[0].say({ t: "error", code: "name_taken", msg: "no" });
  await assert.rejects(done, ({ code }) => code === "name_taken");
  assert.equal(states.at(-1), "ended name_taken");
});

test("a lost connection is tried again, later each time, up to 15 s", async () => {
  const first = await connected(),
    waits = [];
  first.drop();
  for (let tries = 1; tries < 9; tries++) {
    const before = FakeSocket.all.length;
    let waited = 0;
    while (FakeSocket.all.length === before) {
      pass(500);
      waited += 500;
    }
    waits.push(waited);
    FakeSocket.all.at(-1).drop();
  }
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test("bye says how long to wait", async () => {
  const socket = await connected();
  socket.say({ t: "bye", code: "drain", msg: "soon", retry_after: 5_000 });
  socket.drop(1001);
  pass(4_900);
  assert.equal(FakeSocket.all.length, 1);
  pass(200);
  assert.equal(FakeSocket.all.length, 2);
});

for (const [code, why] of Object.entries({ 4001: "replaced", 4003: "banned", 4008: "strikes", 1009: "too_long" })) {
  test(`after ${code} it stays away (#one-socket-per-identity)`, async () => {
    const socket = await connected();
    socket.drop(Number(code));
    pass(60_000);
    assert.equal(FakeSocket.all.length, 1);
    assert.equal(states.at(-1), `ended ${why}`);
  });
}

test("the reason of a bye counts more than its code", async () => {
  const socket = await connected();
  socket.say({ t: "bye", code: "deleted", msg: "" });
  socket.drop(4003);
  assert.equal(states.at(-1), "ended deleted");
});

test("a bye to who has not said hello in time does not keep it away", async () => {
  const socket = await connected();
  socket.say({ t: "bye", code: "hello_first", msg: "" });
  socket.drop(4008);
  pass(500);
  assert.equal(FakeSocket.all.length, 2);
});

test("it measures the way there and back, and gives up a socket that says nothing", async () => {
  const socket = await connected();
  now += 12;
  socket.say({ t: "pong", re: "pulse" });
  assert.equal(connection.latency, 12);
  pass(10_000);
  assert.equal(socket.sent.filter(({ t }) => t === "ping").length, 2);
  pass(20_000);
  assert.equal(states.at(-1), "waiting");
  socket.say({ t: "pong", re: "pulse" }); // too late
  pass(500);
  assert.equal(FakeSocket.all.length, 2);
});

test("what is no message of the protocol is passed over", async () => {
  const socket = await connected();
  for (const odd of ["{", "null", "7", "[]", '"x"', "{}"]) socket.say(odd);
  assert.deepEqual(heard, [["welcome", true]]);
});

test("when it has ended nothing is heard or sent", async () => {
  const socket = await connected();
  connection.end();
  socket.say({ t: "chat", room: "K7QD", seq: 1 });
  connection.send({ t: "ping" });
  pass(60_000);
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(states.at(-1), "ended left");
});

for (const [when, begin] of Object.entries({ "it is open": connected, "it connects": () => void connection.connect() }))
  test(`without a network while ${when} it does not wait for silence, and reconnects with the network`, async () => {
    await begin();
    events.dispatchEvent(new Event("offline"));
    assert.equal(states.at(-1), "waiting");
    events.dispatchEvent(new Event("online"));
    assert.deepEqual([states.at(-1), FakeSocket.all.length], ["connecting", 2]);
  });

test("a page that is visible again asks whether the server still answers", async () => {
  const socket = await connected();
  pass(1_000);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(socket.sent.at(-1).t, "ping");
  pass(1_000);
  socket.say({ t: "pong", re: "pulse" });
  pass(4_000);
  assert.equal(states.at(-1), "open");
  document.dispatchEvent(new Event("visibilitychange"));
  pass(4_000);
  assert.equal(states.at(-1), "waiting");
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(states.at(-1), "connecting");
});
