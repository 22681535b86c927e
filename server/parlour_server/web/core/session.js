// The protocol of one identity, without I/O: greet, follow rooms, reconnect, and act exactly once.
// A #name is a section of SPEC.md.

const AGAIN = ["join", "create", "leave", "ready"]; // safe to repeat after a reconnect
const TABLE = ["update", "turn", "over", "seats", "chat"]; // messages with a seq
const CHAT_KEPT = 50;

export class Refused extends Error {
  constructor(error) {
    super(error.msg);
    this.code = error.code;
    this.hint = error.hint;
    this.retryAfter = error.retry_after;
  }
}

/** The lines of chat in `now` that come after those in `before`. Both hold only the last lines. */
export function unread(before, now) {
  const same = (from) => before.slice(from).every(({ from: name, text }, at) => now[at]?.from === name && now[at]?.text === text);
  const from = Array.from({ length: before.length + 1 }, (_, at) => at).find((at) => before.length - at <= now.length && same(at));
  return now.slice(before.length - from);
}

/** The state of a room, from its messages. */
export class Room {
  constructor(code) {
    this.code = code;
    this.epoch = 0;
    this.seq = 0;
    this.commits = {};
  }

  get underWay() { return !this.over && ["playing", "pause"].includes(this.table.state); } // `over` comes before its table
  get own() { return this.seat === null ? undefined : this.row(this.seat); }
  row(seat) { return this.table.seats.find((row) => row.seat === seat); }
  name(seat) { return this.row(seat)?.name ?? this.names?.[seat] ?? `seat ${seat}`; }

  /** The milliseconds a seat has left, null if its clock does not run. */
  left(seat, now) {
    const left = this.clocks?.[seat];
    return left === undefined ? null : Math.max(0, left - (now - this.at));
  }
}

export class Session {
  /** `keep(token)` stores a new token, or null when it was refused; `entropy(n)` returns n random bytes. */
  constructor({ name, token = null, key = null, keep = () => {}, entropy, now = () => performance.now() }) {
    this.name = name;
    this.token = token;
    this.key = key;
    this.keep = keep;
    this.entropy = entropy;
    this.now = now;
    this.rooms = new Map();
    this.can = [];
    this.greeted = false;
    this.asked = new Map(); // open requests, by id
    this.acts = new Map(); // open acts, by room and rid
    this.again = []; // requests to repeat on the next socket
    this.ids = 0;
  }

  /** The hello for a new socket (#resuming). Open requests are kept to be repeated, or fail. */
  hello() {
    this.greeted = false;
    for (const asked of this.asked.values()) {
      if (AGAIN.includes(asked.message.t)) this.again.push(asked);
      else asked.fail(new Refused({ code: "lost", msg: "The connection was lost; that may not have happened." }));
    }
    this.asked.clear();
    const rooms = [...this.rooms.values()];
    const seen = rooms.map(({ code, epoch, seq }) => ({ room: code, epoch, seq }));
    return { t: "hello", id: "hello", name: this.name, kind: "human", can: ["nonce"],
      ...(this.token && { token: this.token }), ...(this.key && { key: this.key }), ...(seen.length && { rooms: seen }) };
  }

  /** Make a request: what to send, and a promise of the answer, which fails with Refused. */
  ask(message) {
    const asked = {};
    asked.promise = new Promise((done, fail) => Object.assign(asked, { done, fail }));
    return { out: this.#send(asked, message), promise: asked.promise };
  }

  /** Answer decision `rid`; null if an answer was sent already (#one-act-in-flight). */
  act(room, rid, act) {
    const key = `${room}/${rid}`;
    if (this.acts.has(key)) return null;
    const message = { t: "act", room, rid, act };
    this.acts.set(key, message);
    return message;
  }

  acting(room, rid) { return this.acts.has(`${room}/${rid}`); }

  /** Handle a message. Returns messages to send; `news` is false if nothing has changed. */
  receive(message) {
    const room = this.rooms.get(message.room);
    if (TABLE.includes(message.t)) return this.#follow(room, message);
    switch (message.t) {
      case "welcome": return { news: true, out: this.#welcomed(message) };
      case "joined": return { news: true, out: this.#joined(message) };
      case "left": this.#drop(message); break;
      case "ok":
        if (message.rid !== undefined) this.#answered(room, message.rid);
        break;
      case "error": return this.#refused(room, message);
    }
    this.#settle(message);
    return { news: true, out: [] };
  }

  #send(asked, message) {
    asked.message = message.t === "ready" ? this.#withNonce(message) : { ...message };
    asked.message.id = ++this.ids;
    this.asked.set(asked.message.id, asked);
    return asked.message;
  }

  #settle(message, error = null) {
    const asked = this.asked.get(message.re);
    if (!asked) return false;
    this.asked.delete(message.re);
    if (error) asked.fail(new Refused(error)); else asked.done(message);
    return true;
  }

  #withNonce(message) {
    const room = this.rooms.get(message.room);
    if (message.ready === false || !room || room.underWay) return { ...message };
    return { ...message, nonce: Array.from(this.entropy(32), (byte) => byte.toString(16).padStart(2, "0")).join("") };
  }

  #welcomed(message) {
    this.greeted = true;
    this.name = message.name;
    this.can = message.can;
    if (message.token) this.keep((this.token = message.token));
    const out = [], held = new Set(message.rooms);
    for (const room of [...this.rooms.values()]) {
      if (held.has(room.code)) continue;
      const leaving = this.again.some(({ message: { t, room: code } }) => t === "leave" && code === room.code);
      if (room.seat !== null) this.#drop({ t: "left", room: room.code, why: leaving ? "left" : "expired" });
      else out.push({ t: "join", room: room.code, as: "spectator", id: `watch ${room.code}` });
    }
    const again = this.again;
    this.again = [];
    for (const asked of again) {
      const { t, room } = asked.message;
      const cameTrue = t === "create" ? [...held].some((code) => !this.rooms.has(code)) : t === "join" && held.has(room);
      if (cameTrue || (t === "ready" && this.rooms.has(room))) this.again.push(asked); // see #joined
      else if (t === "leave" && !held.has(room)) asked.done({ t: "left", room, why: "left" });
      else out.push(this.#send(asked, asked.message));
    }
    return out;
  }

  #joined(message) {
    const { epoch, seq, game, seat, table, view, events, gap, may, clocks, chat } = message;
    const known = this.rooms.has(message.room), room = this.rooms.get(message.room) ?? new Room(message.room);
    this.rooms.set(room.code, room);
    Object.assign(room, { epoch, seq, game, seat, table, view, events, gap: known && gap && message.why === "resume", may, clocks, chat, fresh: true, question: null, over: null, at: this.now() });
    this.#witness(room);
    this.#settle(message);
    const out = [...this.acts.values()].filter((act) => act.room === room.code);
    this.again = this.again.filter((asked) => {
      const { t, room: code } = asked.message;
      if (t === "ready" && code === room.code) out.push(this.#send(asked, { t, room: code, ready: asked.message.ready }));
      else if ((t === "join" && code === room.code) || (t === "create" && !known)) asked.done(message);
      else return true;
      return false;
    });
    return out;
  }

  #follow(room, message) {
    const follows = room?.fresh && message.seq === room.seq && (message.t === "turn" || message.t === "over"); // (#after-joined)
    if (!room || (message.seq <= room.seq && !follows)) return { news: false, out: [] };
    if (message.seq > room.seq + 1) return { news: false, out: [this.#sync(room)] };
    Object.assign(room, { seq: message.seq, fresh: false });
    if (message.t === "chat") room.chat = [...room.chat, { from: message.from.name, text: message.text }].slice(-CHAT_KEPT);
    else if (message.t === "seats") this.#seats(room, message);
    else this.#game(room, message);
    return { news: true, out: [] };
  }

  #sync(room) { // a message is missing, which should never happen: fetch the whole room
    return { t: "join", room: room.code, as: room.seat === null ? "spectator" : "player", id: `sync ${room.code}` };
  }

  #seats(room, { table }) {
    if (room.table.state === "finished" && table.state === "playing") room.over = null;
    room.table = table;
    if (room.own?.by === "standin") room.question = null;
    this.#witness(room);
  }

  #game(room, message) {
    const over = message.t === "over";
    Object.assign(room, { view: message.view, events: message.events, clocks: message.clocks, at: this.now() });
    room.may = message.may ?? [];
    room.over = over ? { ...message, commit: room.commits[message.context] } : null;
    if (message.t === "turn") {
      room.seat = message.seat;
      room.question = { rid: message.rid, legal: message.legal ?? [], left: message.left };
    } else if (over || (message.view.turn !== undefined && message.view.turn !== room.seat)) room.question = null;
    if (message.ok?.rid !== undefined) this.#answered(room, message.ok.rid);
    if (message.ok) this.#settle(message.ok);
  }

  /** Remember the match's commitment and the names of its seats. */
  #witness(room) {
    const { fair, seats } = room.table;
    room.commits[fair.context] ??= fair.commit;
    if (room.underWay) room.names = Object.fromEntries(seats.map((row) => [row.seat, row.name]));
  }

  #answered(room, rid) {
    if (!room) return;
    this.acts.delete(`${room.code}/${rid}`);
    room.may = room.may.filter((offer) => offer.rid !== rid);
    if (room.question?.rid === rid) room.question = null;
  }

  #refused(room, message) {
    const settled = this.#settle(message, message);
    if (message.rid !== undefined && room && message.code !== "retry") {
      const mine = this.acts.delete(`${room.code}/${message.rid}`);
      if (message.code === "illegal_action" && room.question?.rid === message.rid) {
        room.question = { ...room.question, legal: message.legal ?? room.question.legal };
      } else if (message.code === "stale" || message.code === "no_such_rid") {
        this.#answered(room, message.rid);
        return { news: mine, settled, out: [] };
      }
    }
    if (message.code === "bad_token" && !this.greeted && this.token) {
      this.keep((this.token = null));
      return { news: false, settled, out: [this.hello()] };
    }
    return { news: true, settled, out: [] };
  }

  #drop(message) {
    this.rooms.delete(message.room);
    for (const [key, act] of this.acts) if (act.room === message.room) this.acts.delete(key);
    this.again = this.again.filter((asked) => {
      if (asked.message.room !== message.room) return true;
      if (asked.message.t === "leave") asked.done(message);
      else asked.fail(new Refused({ code: "not_here" }));
      return false;
    });
    this.lost?.(message);
  }
}
