// The protocol of one identity, without I/O: greet, follow rooms, reconnect, and act exactly once.
// A #name is a section of SPEC.md.

import { say } from "./phrases.js";

const AGAIN = ["join", "create", "leave", "ready"]; // safe to repeat after a reconnect
const TABLE = ["update", "turn", "over", "seats", "chat"]; // messages with a seq
const CHAT_KEPT = 50;

export class Refused extends Error {
  /** @param {Refusal} error */
  constructor(error) {
    super(error.msg);
    this.code = error.code;
    this.hint = error.hint;
    this.retryAfter = error.retry_after;
    this.phrase = error.phrase;
    this.fields = error.fields;
  }
}

/**
 * The lines of chat in `now` that come after those in `before`. Both hold only the last lines.
 * @param {Protocol.ChatRow[]} before
 * @param {Protocol.ChatRow[]} now
 */
export function unread(before, now) {
  /** @param {number} from */
  const same = (from) =>
    before.slice(from).every(({ from: name, text }, at) => now[at]?.from === name && now[at]?.text === text);
  const from =
    Array.from({ length: before.length + 1 }, (_, at) => at).find(
      (at) => before.length - at <= now.length && same(at),
    ) ?? before.length;
  return now.slice(before.length - from);
}

/**
 * A request without an answer.
 * @typedef {{ message: Ask, promise: Promise<any>, done(answer: any): void, fail(error: Refused): void }} Asked
 */

/** The state of a room, from its messages. */
export class Room {
  /** @type {number | null} */
  seat = null;
  game = "";
  /** @type {Protocol.Table} */
  table;
  /** @type {any} What the game shows us; null before a match. */
  view = null;
  /** @type {Plain[]} */
  events = [];
  gap = false;
  /** @type {Protocol.Offer[]} */
  may = [];
  /** @type {Record<string, number>} */
  clocks = {};
  /** @type {Protocol.ChatRow[]} */
  chat = [];
  /** @type {Question | null} */
  question = null;
  /** @type {Over | null} */
  over = null;
  /** @type {Record<string, string>} The commitments of matches, by context. */
  commits = {};
  /** @type {Record<number, string> | undefined} The names of the seats while a match is under way. */
  names;
  /** @type {string | undefined} The code for the seats, if the room has one and we may know it. */
  seatCode;
  /** The code for the seats with which we wait for one, if the room has such a code. */
  waitCode = "";
  fresh = false;
  /** @type {number | undefined} When the board was opened, if that was before we came. */
  began;
  at = 0; // when the view came
  tableAt = 0; // when the table came

  /** @param {string} code */
  constructor(code) {
    this.code = code;
    this.epoch = 0;
    this.seq = 0;
  }

  get underWay() {
    return !this.over && ["playing", "pause"].includes(this.table.state);
  } // `over` comes before its table
  /** Whether a match is played that counts: until it is over nobody is removed, and no seat changes hands. */
  get counts() {
    return this.underWay && [undefined, "alone"].includes(this.table.unrated);
  }
  get own() {
    return this.seat === null ? undefined : this.row(this.seat);
  }
  /** @param {number} seat */
  row(seat) {
    return this.table.seats.find((row) => row.seat === seat);
  }
  /** @param {number} seat */
  name(seat) {
    return this.row(seat)?.name ?? this.names?.[seat] ?? say("room.seat", { seat });
  }

  /**
   * The milliseconds a seat has left, null if its clock does not run.
   * @param {number} seat
   * @param {number} now
   */
  left(seat, now) {
    const left = this.clocks?.[seat];
    return left === undefined ? null : Math.max(0, left - (now - this.at));
  }
}

export class Session {
  /** @type {Map<string, Room>} */
  rooms = new Map();
  /** @type {string[]} */
  can = [];
  greeted = false;
  /** @type {number | null | undefined} The port at which the server shows its screens by ssh. */
  ssh;
  /** @type {Map<Protocol.Id, Asked>} Open requests, by id. */
  asked = new Map();
  /** @type {Map<string, Ask>} Open acts, by room and rid. */
  acts = new Map();
  /** @type {Asked[]} Requests to repeat on the next socket. */
  again = [];
  ids = 0;
  /** @type {((left: { room: string, why: string }) => void) | undefined} Called when we are out of a room. */
  lost;

  /**
   * `keep` stores a new token, or null when it was refused; `entropy` returns n random bytes.
   * @param {{ name: string, token?: string | null, key?: string | null, keep?: (token: string | null) => void,
   *   entropy: (n: number) => Uint8Array, now?: () => number }} who
   */
  constructor({ name, token = null, key = null, keep = () => {}, entropy, now = () => performance.now() }) {
    this.name = name;
    this.token = token;
    this.key = key;
    this.keep = keep;
    this.entropy = entropy;
    this.now = now;
  }

  /** The messages for a new socket: the hello, and on the first one joins, which need not wait for the welcome. */
  opening() {
    const hello = this.hello(),
      early = this.can.length ? [] : this.again.filter(({ message }) => message.t === "join");
    this.again = this.again.filter((asked) => !early.includes(asked));
    return [hello, ...early.map((asked) => this.#send(asked, asked.message))];
  }

  /** The hello for a new socket (#resuming). Open requests are kept to be repeated, or fail. */
  hello() {
    this.greeted = false;
    for (const asked of this.asked.values()) {
      if (AGAIN.includes(asked.message.t)) this.again.push(asked);
      else asked.fail(new Refused({ code: "lost" }));
    }
    this.asked.clear();
    const rooms = [...this.rooms.values()];
    const seen = rooms.map(({ code, epoch, seq }) => ({ room: code, epoch, seq }));
    return {
      t: "hello",
      id: "hello",
      name: this.name,
      kind: "human",
      can: ["nonce"],
      ...(this.token && { token: this.token }),
      ...(this.key && { key: this.key }),
      ...(seen.length && { rooms: seen }),
    };
  }

  /**
   * Make a request: what to send, and a promise of the answer, which fails with Refused. The same join is sent once.
   * @param {Ask} message
   * @returns {{ out: Ask | null, promise: Promise<any> }}
   */
  ask(message) {
    const same =
      message.t === "join" &&
      [...this.asked.values(), ...this.again].find(
        ({ message: { t, room, as } }) => t === "join" && room === message.room && as === message.as,
      );
    if (same) return { out: null, promise: same.promise };
    const asked = /** @type {Asked} */ ({});
    asked.promise = new Promise((done, fail) => Object.assign(asked, { done, fail }));
    return { out: this.#send(asked, message), promise: asked.promise };
  }

  /**
   * Answer decision `rid`; null if an answer was sent already (#one-act-in-flight).
   * @param {string} room
   * @param {number} rid
   * @param {number | Plain} act
   */
  act(room, rid, act) {
    const key = `${room}/${rid}`;
    if (this.acts.has(key)) return null;
    const message = { t: "act", room, rid, act };
    this.acts.set(key, message);
    return message;
  }

  /**
   * @param {string} room
   * @param {number} rid
   */
  acting(room, rid) {
    return this.acts.has(`${room}/${rid}`);
  }

  /**
   * Handle a message. Returns messages to send; `news` is false if nothing has changed.
   * @param {Message} message
   * @returns {{ news: boolean, settled?: boolean, out: Ask[] }}
   */
  receive(message) {
    const room = this.rooms.get(message.room ?? "");
    if (TABLE.includes(message.t)) return this.#follow(room, /** @type {RoomMessage} */ (message));
    switch (message.t) {
      case "welcome":
        return { news: true, out: this.#welcomed(message) };
      case "joined":
        return { news: true, out: this.#joined(message) };
      case "left":
        this.#drop(message);
        break;
      case "ok":
        if (typeof message.rid === "number") this.#answered(room, message.rid);
        break;
      case "error":
        return this.#refused(room, message);
    }
    this.#settle(message);
    return { news: true, out: [] };
  }

  /**
   * @param {Asked} asked
   * @param {Ask} message
   */
  #send(asked, message) {
    asked.message = message.t === "ready" ? this.#withNonce(message) : { ...message };
    asked.message.id = ++this.ids;
    this.asked.set(asked.message.id, asked);
    return asked.message;
  }

  /**
   * @param {{ re?: Protocol.Id | null }} message
   * @param {Protocol.ServerError | null} [error]
   */
  #settle(message, error = null) {
    const { re } = message,
      asked = this.asked.get(re ?? "");
    if (!asked) return false;
    this.asked.delete(re ?? "");
    if (error) asked.fail(new Refused(error));
    else asked.done(message);
    return true;
  }

  /** @param {Ask} message */
  #withNonce(message) {
    const room = this.rooms.get(message.room);
    if (message.ready === false || !room || room.underWay || room.table.fair.deal) return { ...message };
    return { ...message, nonce: Array.from(this.entropy(32), (byte) => byte.toString(16).padStart(2, "0")).join("") };
  }

  /** @param {Protocol.ServerWelcome} message */
  #welcomed(message) {
    this.greeted = true;
    this.name = message.name;
    this.can = message.can;
    this.ssh = message.ssh;
    if (message.token) this.keep((this.token = message.token));
    const out = [],
      held = new Set(message.rooms);
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
      const cameTrue =
        t === "create" ? [...held].some((code) => !this.rooms.has(code)) : t === "join" && held.has(room);
      if (cameTrue || (t === "ready" && this.rooms.has(room)))
        this.again.push(asked); // see #joined
      else if (t === "leave" && !held.has(room)) asked.done({ t: "left", room, why: "left" });
      else out.push(this.#send(asked, asked.message));
    }
    return out;
  }

  /** @param {Protocol.ServerJoined} message */
  #joined(message) {
    const { epoch, seq, game, seat, table, view, events, gap, may, clocks, chat, elapsed } = message;
    const known = this.rooms.has(message.room),
      room = this.rooms.get(message.room) ?? new Room(message.room);
    this.rooms.set(room.code, room);
    const waits = (/** @type {Protocol.Table | undefined} */ of) => of?.queue?.includes(this.name) ?? false,
      waited = seat === null && waits(room.table) && !waits(table); // a lost connection ends it
    // after a restart of the server nothing may be missing
    const missed = known && gap && message.why === "resume" && JSON.stringify(view) !== JSON.stringify(room.view);
    Object.assign(room, {
      epoch,
      seq,
      game,
      seat,
      table,
      view,
      events,
      gap: missed,
      may,
      clocks,
      chat,
      seatCode: message.seat_code,
      began: typeof elapsed === "number" ? this.now() - elapsed : undefined,
      fresh: true,
      question: null,
      over: null,
      at: this.now(),
    });
    this.#witness(room);
    this.#settle(message);
    /** @type {Ask[]} */
    const out = [...this.acts.values()].filter((act) => act.room === room.code);
    if (waited)
      out.push({
        t: "queue",
        room: room.code,
        ...(room.waitCode && { seat_code: room.waitCode }),
        id: `wait ${room.code}`,
      });
    this.again = this.again.filter((asked) => {
      const { t, room: code } = asked.message;
      if (t === "ready" && code === room.code)
        out.push(this.#send(asked, { t, room: code, ready: asked.message.ready }));
      else if ((t === "join" && code === room.code) || (t === "create" && !known)) asked.done(message);
      else return true;
      return false;
    });
    return out;
  }

  /**
   * @param {Room | undefined} room
   * @param {Protocol.ServerUpdate | Protocol.ServerTurn | Protocol.ServerOver | Protocol.ServerSeats |
   *   Protocol.ServerChat} message
   */
  #follow(room, message) {
    // (#after-joined)
    const follows = room?.fresh && message.seq === room.seq && (message.t === "turn" || message.t === "over");
    if (!room || (message.seq <= room.seq && !follows)) return { news: false, out: [] };
    if (message.seq > room.seq + 1) return { news: false, out: [this.#sync(room)] };
    Object.assign(room, { seq: message.seq, fresh: false });
    if (message.t === "chat")
      room.chat = [...room.chat, { from: message.from.name, text: message.text }].slice(-CHAT_KEPT);
    else if (message.t === "seats") this.#seats(room, message);
    else this.#game(room, message);
    return { news: true, out: [] };
  }

  /** @param {Room} room */
  #sync(room) {
    // a message is missing, which should never happen: fetch the whole room
    return { t: "join", room: room.code, as: room.seat === null ? "spectator" : "player", id: `sync ${room.code}` };
  }

  /**
   * @param {Room} room
   * @param {Protocol.ServerSeats} message
   */
  #seats(room, { table }) {
    if (room.table.state === "finished" && table.state === "playing") room.over = null;
    room.table = table;
    if (room.own?.by === "standin") room.question = null;
    this.#witness(room);
  }

  /**
   * @param {Room} room
   * @param {Protocol.ServerUpdate | Protocol.ServerTurn | Protocol.ServerOver} message
   */
  #game(room, message) {
    const over = message.t === "over";
    Object.assign(room, { view: message.view, events: message.events, clocks: message.clocks, at: this.now() });
    room.may = over ? [] : message.may;
    if (over) room.began = undefined;
    room.over = over ? { ...message, commit: room.commits[message.context ?? ""] } : null;
    if (message.t === "turn") {
      room.seat = message.seat;
      room.question = { rid: message.rid, legal: message.legal ?? [], left: message.left };
    } else if (over || (message.view.turn !== undefined && message.view.turn !== room.seat)) room.question = null;
    if (message.ok?.rid !== undefined) this.#answered(room, message.ok.rid);
    if (message.ok) this.#settle(message.ok);
  }

  /**
   * Remember the match's commitment and the names of its seats.
   * @param {Room} room
   */
  #witness(room) {
    const { fair, seats } = room.table;
    room.tableAt = this.now();
    room.commits[fair.context] ??= fair.commit;
    if (room.underWay) room.names = Object.fromEntries(seats.map((row) => [row.seat, row.name]));
  }

  /**
   * @param {Room | undefined} room
   * @param {number} rid
   */
  #answered(room, rid) {
    if (!room) return;
    this.acts.delete(`${room.code}/${rid}`);
    room.may = room.may.filter((offer) => offer.rid !== rid);
    if (room.question?.rid === rid) room.question = null;
  }

  /**
   * @param {Room | undefined} room
   * @param {Protocol.ServerError} message
   */
  #refused(room, message) {
    const settled = this.#settle(message, message);
    if (message.code === "hello_first" && !settled) return { news: false, out: [] }; // the hello before was refused
    if (typeof message.rid === "number" && room && message.code !== "retry") {
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

  /** @param {{ t: string, room: string, why: string }} message */
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
