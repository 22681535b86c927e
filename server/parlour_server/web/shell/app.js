// The page: who we are, the connection to the server, and the parts around the view.

import { Connection } from "../core/connection.js";
import { announce, button, element, h, style, text } from "../core/dom.js";
import { guestName } from "../core/guest.js";
import { language, load, say, use, withMore } from "../core/phrases.js";
import { Session } from "../core/session.js";
import { Identities, Matches, Prefs, stored } from "../core/storage.js";
import { Router } from "./router.js";

const base = new URL("../../../", import.meta.url); // the root of the page, below a proxy's prefix
const [bar, lamp, banner, main, hints] = ["bar", "lamp", "banner", "main", "hints"].map(element);
const QUIET = 3_000; // ms until what nobody waits for is loaded
const STORED = `parlour ${base.pathname}`;

/** @param {number} n */
const random = (n) => crypto.getRandomValues(new Uint8Array(n));
const prefs = new Prefs({
  read: (name) => stored(() => localStorage, `parlour ${name}`),
  write: (name, value) => stored(() => localStorage, `parlour ${name}`, value),
});
use([prefs.language, ...navigator.languages]);
/** @returns {Me} */
const guest = (taken = false) => ({ name: guestName(language, random, taken), token: null, chosen: false });

/** @type {App} */
export const app = {
  base,
  connection: /** @type {any} */ (null),
  session: /** @type {any} */ (null),
  prefs,

  /** Our identity in this tab: {name, token, chosen}. */
  me: stored(() => sessionStorage, STORED) ?? guest(),
  lastName: stored(() => localStorage, "parlour name") ?? "",

  /** All identities of this browser, so that a seat survives its tab. */
  identities: new Identities({
    read: () => stored(() => localStorage, `${STORED} identities`),
    write: (all) => stored(() => localStorage, `${STORED} identities`, all),
  }),
  matches: new Matches({
    read: () => stored(() => localStorage, `${STORED} matches`),
    write: (all) => stored(() => localStorage, `${STORED} matches`, all),
  }),
  /** Whether the connection is lost, or there was none yet. */
  get lost() {
    return typeof latest?.since === "number";
  },
  get view() {
    return router.view;
  },
  get seatCode() {
    return router.seatCode;
  },
  roomUrl: (code) => {
    const seatCode = app.session?.rooms.get(code)?.seatCode ?? app.seatCode;
    return new URL(`r/${code}${seatCode ? `#seat=${seatCode}` : ""}`, base).href;
  },

  keep(change) {
    Object.assign(this.me, change);
    stored(() => sessionStorage, STORED, this.me);
    if ("token" in change) this.identities.keep(this.me.name, this.me.token);
  },

  /** Become a new guest with the next connection: the name is taken. */
  forget() {
    this.me = guest(true);
    this.keep({});
  },

  /** Connect as the identity of this tab, or as another one. Fails with the server's error. */
  async connect(name = null, key = null) {
    const me =
      name === null ? this.me : { name, token: key === null ? this.identities.token(name) : null, chosen: true };
    const session = new Session({
      name: me.name,
      token: me.token,
      key,
      entropy: random,
      keep: (token) => {
        if (this.session === session || me === this.me) this.keep({ token });
      },
    });
    session.lost = (left) => this.session === session && this.view?.left?.(left);
    /** @param {(...all: any[]) => void} hear */
    const mine =
      (hear) =>
      (/** @type {any[]} */ ...all) => {
        if (this.connection === connection || !this.connection) hear(...all);
      };
    const connection = new Connection(base.href.replace("http", "ws"), session, {
      heard: mine(heard),
      changed: mine(changed),
    });
    // the router reports it
    if (name === null && router.code) connection.ask({ t: "join", room: router.code, as: "spectator" }).catch(() => {});
    await connection.connect();
    this.connection?.end("changed");
    this.session = session;
    this.connection = connection;
    this.me = { ...me, name: session.name };
    this.keep({ token: session.token });
    if (name !== null) stored(() => localStorage, "parlour name", (this.lastName = name));
    changed(connection.state);
  },

  /** Connect, and show what the address names. */
  async start() {
    try {
      await app.connect();
    } catch (error) {
      await load("page");
      return (await withMore(import("../views/entry.js"))).refused(app, error);
    }
    await load("page");
    if (!app.view?.busy) await app.route();
    setTimeout(async () => (await import("./offline.js")).keepOffline(app), QUIET);
  },

  ask: (message) => app.connection.ask(message),
  go: (path) => router.go(path),
  route: () => router.route(),
  show: (view) => router.show(view),
  toast,

  /** Explain an error to people. The sentences are loaded when they are needed. */
  explain: (error, game) =>
    import("../core/refusals.js")
      .then(({ explained }) => explained(error, game))
      .catch(() => error.msg ?? error.message ?? ""),
  showError: async (error) =>
    app.lost && !error.code ? toast(say("page.shell.lost"), "lost") : toast(await app.explain(error), error.code),
  /** Show which key does what. */
  hints: (keys = []) =>
    hints.replaceChildren(
      ...(app.prefs.keys ? keys.map(([key, label]) => h("span", {}, h("kbd", {}, key), ` ${label}  `)) : []),
    ),

  /**
   * Fill the bar: game › room, and the buttons of the view.
   * @param {Child[]} parts
   */
  context(...parts) {
    const brand = h("a", { href: base.href, "data-go": "", class: "brand" }, "parlour");
    bar.replaceChildren(
      h("nav", { "aria-label": say("page.shell.place") }, brand, ...parts),
      h("span", { class: "latency", id: "latency" }),
      lamp,
    );
    latency();
  },
};

/**
 * @param {Message} message
 * @param {boolean} news
 * @param {boolean} [settled]
 */
function heard(message, news, settled) {
  if (message.t === "joined" && message.seat !== null)
    app.identities.sat(message.room, app.session?.name ?? app.me.name);
  else if (message.t === "left" || (message.t === "joined" && app.identities.seat(message.room) === app.session?.name))
    app.identities.left(message.room);
  if (!news) return;
  const view = message.room !== undefined && message.room === app.view?.code ? app.view : null;
  if (message.t === "error" && !settled) view?.refused ? view.refused(message) : app.showError(message);
  else if (view) view.heard?.(message);
  else app.view?.elsewhere?.();
}

/** @type {ConnectionState | undefined} */
let latest;

/**
 * Show the state of the connection, once there are words for it.
 * @param {ConnectionState} state
 */
function changed(state) {
  latest = state;
  load("page").then(() => latest === state && shown(state));
}

/** @param {ConnectionState} state */
function shown(state) {
  if (state.name === "open") {
    if (!lamp.hidden) {
      announce(say("page.shell.again"));
      checkVersion();
    }
    banner.hidden = lamp.hidden = true;
    app.view?.connected?.(true);
  } else if (state.name === "ended") {
    if (["changed", "left"].includes(state.why ?? "") || !app.session?.greeted) return;
    lamp.hidden = true;
    withMore(import("./ended.js")).then(({ ended }) => ended(app, banner, state));
    app.view?.connected?.(false);
  } else if (state.since) {
    app.view?.connected?.(false);
    if (!app.view) app.route();
    if (!lamp.hidden) return; // announce it once
    lamp.replaceChildren(
      h("i"),
      `${say("page.shell.lost")} `,
      h("span", { "aria-hidden": "true", id: "count" }, say("page.shell.connecting")),
    );
    lamp.title = say("page.shell.reconnect");
    lamp.hidden = false;
    announce(say("page.shell.lost"));
  }
}
lamp.addEventListener("click", () => dispatchEvent(new Event("online"))); // the connection tries again

/** Offer to reload the page if the server has another version of it: modules of this version are no longer served. */
async function checkVersion() {
  const page = await fetch(base, { cache: "no-cache" })
    .then((answer) => answer.text())
    .catch(() => "");
  const [served] = /web\/\w+\/shell\/app\.js/.exec(page) ?? [];
  if (!served || import.meta.url === new URL(served, base).href) return;
  const words = say("page.shell.upgraded");
  banner.dataset.code = "upgraded";
  banner.replaceChildren(
    h("span", {}, words),
    button(say("page.shell.reload"), () => location.reload()),
  );
  banner.hidden = false;
  announce(words);
}
addEventListener("unhandledrejection", checkVersion); // a module may be missing

function latency() {
  const el = document.getElementById("latency"),
    ms = app.connection?.latency ?? null;
  if (el) text(el, ms === null ? "" : `${ms} ms`);
}
setInterval(latency, 2_000);

const toasts = h("div", { class: "toasts" });

/**
 * @param {string} message
 * @param {string} [code]
 */
function toast(message, code) {
  const el = h("p", { class: "toast", "data-code": code }, message);
  for (const old of [...toasts.children]) if (old.textContent === message) old.remove();
  style("styles/forms.css").then(() => {
    toasts.append(el);
    document.body.append(toasts);
  });
  announce(message);
  setTimeout(() => el.remove(), 5_000);
}

document.documentElement.lang = language;
load("page").then(() => text(element("skip"), say("page.shell.skip")));

/** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel$=icon], link[rel=manifest]")).forEach(
  (link) => link.setAttribute("href", link.href), // absolute: the address changes
);
const router = new Router(app, main);
app.start();
