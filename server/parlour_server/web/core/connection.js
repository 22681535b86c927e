// The connection of a session: a WebSocket, and a new one whenever it is lost.

const FIRST_WAIT = 500,
  LONGEST_WAIT = 15_000; // ms
const INVITE_TRIES = 10;
const PING_EVERY = 10_000,
  SILENCE = 25_000,
  ANSWER_WITHIN = 4_000; // ms
/** @type {Record<number, string>} */
// close codes after which not to reconnect
const FOR_GOOD = { 4001: "replaced", 4003: "banned", 4008: "strikes", 1009: "too_long" };

const PROTOCOL = "parlour.v1.json";

/**
 * @type {WebSocket | null} Opens while the page loads the other modules that it needs to say hello. Tests import this
 * from a file.
 */
let early = import.meta.url.startsWith("http")
  ? new WebSocket(new URL("../../../", import.meta.url).href.replace("http", "ws"), PROTOCOL)
  : null;

/**
 * Return a new socket; at first the early one, unless that has failed.
 * @param {string} url
 */
function opened(url) {
  const socket = early;
  early = null;
  return socket?.url === url && socket.readyState <= WebSocket.OPEN ? socket : new WebSocket(url, PROTOCOL);
}

export class Connection {
  /** @type {WebSocket | null} */
  socket = null;
  /**
   * @type {{ done(welcome: Protocol.ServerWelcome): void, fail(error: Protocol.ServerError): void } | null} The
   * promise of the first welcome.
   */
  first = null;
  /** @type {number | undefined} */
  timer;
  /** @type {number | undefined} */
  pulse;
  /** @type {number | undefined} */
  waking;
  heardAt = 0;
  pinged = 0;
  tries = 0;
  /** @type {number | null} */
  lostAt = null;
  /** @type {number | null} */
  latency = null;
  /** @type {ConnectionState} */
  state = { name: "new" };

  /**
   * `heard` gets each message, `changed` each state.
   * @param {string} url
   * @param {Session} session
   * @param {{ heard(message: Message, news: boolean, settled?: boolean): void, changed(state: ConnectionState): void
   *   }} listeners
   */
  constructor(url, session, { heard, changed }) {
    this.url = url;
    this.session = session;
    this.heard = heard;
    this.changed = changed;
    this.hurry = () => this.state.name === "waiting" && this.#open();
    /** @type {[EventTarget, string, () => void][]} */
    this.listeners = [
      [globalThis, "online", this.hurry],
      [globalThis, "offline", () => ["connecting", "open"].includes(this.state.name) && this.#lost(1006, null)],
      [document, "visibilitychange", () => document.visibilityState === "visible" && this.#wake()],
    ];
    for (const [target, name, listener] of this.listeners) target.addEventListener(name, listener);
  }

  /**
   * Connect; resolves with the welcome, fails with the server's error.
   * @returns {Promise<Protocol.ServerWelcome>}
   */
  connect() {
    return new Promise((done, fail) => {
      this.first = { done, fail };
      this.#open();
    });
  }

  /** @param {Ask[]} messages */
  send(...messages) {
    if (this.socket?.readyState !== WebSocket.OPEN) return; // the session repeats it after a reconnect
    for (const message of messages) this.socket.send(JSON.stringify(message));
  }

  /**
   * Send a request; resolves with its answer. An invitation waits while the server starts its bots.
   * @param {Ask} message
   * @returns {Promise<any>}
   */
  async ask(message, tries = INVITE_TRIES) {
    const { out, promise } = this.session.ask(message);
    if (out && this.session.greeted) this.send(out);
    try {
      return await promise;
    } catch (refused) {
      if (refused.code !== "no_bot" || !refused.retryAfter || tries === 1) throw refused;
      await new Promise((done) => setTimeout(done, refused.retryAfter));
      return this.ask(message, tries - 1);
    }
  }

  /**
   * Answer decision `rid`. Returns whether the action is sent.
   * @param {string} room
   * @param {number} rid
   * @param {number | Plain} action
   */
  act(room, rid, action) {
    const out = this.session.act(room, rid, action);
    if (out) this.send(out);
    return out !== null;
  }

  /** Close the connection for good. */
  end(why = "left", msg = "") {
    for (const [target, name, listener] of this.listeners) target.removeEventListener(name, listener);
    clearTimeout(this.waking);
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
    this.#set({ name: "ended", why, msg });
  }

  /** The page is visible again: reconnect now, or find out whether the socket still answers. */
  #wake() {
    this.hurry();
    if (this.state.name !== "open") return;
    const { socket } = this,
      asked = performance.now();
    this.#ping();
    clearTimeout(this.waking);
    this.waking = setTimeout(() => {
      if (this.socket === socket && this.heardAt < asked) this.#lost(1006, null);
    }, ANSWER_WITHIN);
  }

  #open() {
    clearTimeout(this.timer);
    this.#set({ name: "connecting", since: this.lostAt });
    /** @type {Protocol.ServerBye | null} */
    let bye = null;
    const socket = (this.socket = opened(this.url));
    const mine = () => this.socket === socket,
      greet = () => mine() && this.send(...this.session.opening());
    if (socket.readyState === WebSocket.OPEN) greet();
    else socket.onopen = greet;
    socket.onmessage = ({ data }) => {
      if (!mine()) return;
      this.heardAt = performance.now();
      let message;
      try {
        message = JSON.parse(data);
      } catch {
        return;
      }
      if (message?.t === "bye") bye = message;
      else if (message?.t) this.#take(message);
    };
    socket.onclose = ({ code }) => mine() && this.#lost(code, bye);
  }

  /** @param {Message} message */
  #take(message) {
    if (message.t === "pong") {
      if (message.re === "pulse") this.latency = Math.round(performance.now() - this.pinged);
      return;
    }
    const { news, out, settled } = this.session.receive(message);
    this.send(...out);
    if (message.t === "welcome") {
      this.tries = 0;
      this.lostAt = null;
      clearInterval(this.pulse);
      this.pulse = setInterval(() => this.#ping(), PING_EVERY);
      this.#ping();
      this.#set({ name: "open" });
      this.first?.done(message);
      this.first = null;
    } else if (message.t === "error" && !this.session.greeted && news) {
      this.first?.fail(message);
      this.end(message.code, message.msg);
      return;
    }
    this.heard(message, news, settled);
  }

  /** Find out whether the server refuses pages of our origin, which the browser does not say of a socket. */
  async #askWhy() {
    const url = new URL(`healthz?origin=${encodeURIComponent(location.origin)}`, this.url.replace("ws", "http"));
    const answer = await fetch(url, { cache: "no-store" }).catch(() => null);
    if (answer?.status !== 403 || !this.first) return;
    this.first.fail({ t: "error", code: "origin", msg: await answer.text() });
    this.end("origin");
  }

  #ping() {
    const silent = performance.now() - this.heardAt > SILENCE;
    if (silent && document.visibilityState === "visible") return this.#lost(1006, null);
    this.pinged = performance.now();
    this.send({ t: "ping", id: "pulse" });
  }

  /**
   * @param {number} code
   * @param {Protocol.ServerBye | null} bye
   */
  #lost(code, bye) {
    clearInterval(this.pulse);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    const why = FOR_GOOD[code];
    if (why && bye?.code !== "hello_first") return this.end(bye?.code ?? why, bye?.msg ?? "");
    if (this.lostAt === null && this.first) this.#askWhy();
    this.lostAt ??= performance.now();
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.tries++, 8));
    const wait = Math.max(bye?.retry_after ?? 0, longest * (0.5 + Math.random() / 2));
    this.timer = setTimeout(() => this.#open(), wait);
    this.#set({ name: "waiting", until: performance.now() + wait, since: this.lostAt });
  }

  /** @param {ConnectionState} state */
  #set(state) {
    this.state = state;
    this.changed(state);
  }
}
