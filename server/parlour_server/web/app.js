// The page: who we are, which view is shown, and how the connection stands. What a view needs is loaded with it.

import { button, h, say, style } from "./dom.js";
import { Link } from "./link.js";
import { Session } from "./session.js";

const base = new URL("../../", import.meta.url); // where the page lies, whatever prefix a proxy has put before it
const socketUrl = Object.assign(new URL(base), { protocol: base.protocol === "https:" ? "wss:" : "ws:" }).href;
const [bar, banner, main, hints] = ["bar", "banner", "main", "hints"].map((id) => document.getElementById(id));
const KEPT = `parlour ${base.pathname}`;
const LETTERS = "bcdfghjkmnpqrstvwxz23456789";
const TITLES = { uno: "UNO", minesweeper: "Minesweeper" };

const guest = () => `guest-${Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => LETTERS[byte % LETTERS.length]).join("")}`;
const nobody = () => ({ name: guest(), token: null, chosen: false });

function stored(storage, key, value) {
  try { // a browser may forbid it
    if (value === undefined) return JSON.parse(storage().getItem(key));
    storage().setItem(key, JSON.stringify(value));
  } catch { /* then nothing is kept */ }
  return null;
}

const place = () => /^r\/([A-Za-z0-9]+)\/?$/.exec(location.pathname.slice(base.pathname.length));
if (place()) import("./room.js"); // while the connection is being made

export const app = {
  base, link: null, session: null, view: null, singleKeys: stored(() => localStorage, "parlour keys") ?? true,

  /** Who we are: {name, token, chosen}. The token is of this tab alone. */
  me: stored(() => sessionStorage, KEPT) ?? nobody(),
  lastName: stored(() => localStorage, "parlour name") ?? "",
  title: (game) => TITLES[game] ?? game,
  roomUrl: (code) => new URL(`r/${code}`, base).href,

  keep(change) {
    Object.assign(this.me, change);
    stored(() => sessionStorage, KEPT, this.me);
  },

  /** Be nobody in particular from now on. */
  forget() { this.keep(nobody()); },

  useSingleKeys(on) {
    this.singleKeys = on;
    stored(() => localStorage, "parlour keys", on);
  },

  /** Be somebody: the one of this tab, or `name`, who is new. Fails with what the server said. */
  async become(name = null, key = null) {
    const me = name === null ? this.me : { name, token: null, chosen: true };
    const session = new Session({ name: me.name, token: me.token, key, entropy: (n) => crypto.getRandomValues(new Uint8Array(n)),
      keep: (token) => { if (this.session === session || me === this.me) this.keep({ token }); } });
    session.lost = (left) => this.session === session && this.view?.left?.(left);
    const mine = (hear) => (...all) => { if (this.link === link || !this.link) hear(...all); };
    const link = new Link(socketUrl, session, { heard: mine(heard), changed: mine(changed) });
    await link.connect();
    this.link?.end("changed");
    Object.assign(this, { session, link });
    this.keep({ ...me, name: session.name, token: session.token });
    if (name !== null) stored(() => localStorage, "parlour name", (this.lastName = name));
    changed(link.state);
  },

  /** Be somebody, at whatever cost: a guest under another name if the name has gone. */
  async arrive() {
    for (let tries = 0; ; tries++) {
      try {
        return await this.become();
      } catch (error) {
        if (error.code === "key_required") return show(await (await entry()).nameView(app, error));
        if (tries === 3 || !["name_taken", "bad_name", "bad_message"].includes(error.code)) throw error;
        if (this.me.chosen) toast(`${this.me.name}: ${await words(error)} You are a guest for now.`);
        this.forget();
      }
    }
  },

  /** Come in, and show what the address names. */
  begin: () => app.arrive().then(route, async (error) => show(await (await entry()).failedView(error))),

  /** Be called `name` from now on; nothing is done if that is our name already. */
  async rename(name, key = null) {
    if (name && (name !== this.me.name || key)) await this.become(name, key);
  },

  async ask(message) { return this.link.ask(message); },

  go(path) {
    history.pushState(null, "", new URL(path, base));
    return route();
  },

  route, toast, tell: async (error) => toast(await words(error)), hints: (...parts) => hints.replaceChildren(...parts),

  /** The context bar: game › place, and what else belongs there. */
  context(...parts) {
    const brand = h("a", { href: base.href, "data-go": "", class: "brand" }, "parlour");
    bar.replaceChildren(h("nav", { "aria-label": "Place" }, brand, ...parts), h("span", { class: "latency", id: "latency" }));
    latency();
  },
};

const entry = () => import("./entry.js");
/** What went wrong, in words for people. */
export const words = (error) => import("./refusals.js").then(({ told }) => told(error), () => error.msg ?? error.message);

// --- messages and the connection ---

function heard(message, news, settled) {
  if (!news) return;
  const here = message.room !== undefined && message.room === app.view?.code;
  if (message.t === "error" && !settled) here && app.view.refused ? app.view.refused(message) : app.tell(message);
  else if (here) app.view.heard(message);
}

function changed(state) {
  if (state.name === "open") {
    if (!banner.hidden) say("The connection is back.");
    banner.hidden = true;
    app.view?.connected?.(true);
  } else if (state.name === "ended") {
    if (["changed", "left"].includes(state.why) || !app.session?.greeted) return;
    entry().then(({ ended }) => ended(app, banner, state));
    app.view?.connected?.(false);
  } else if (state.since) {
    app.view?.connected?.(false);
    if (!banner.hidden) return; // a screen reader hears of it once
    banner.replaceChildren(h("span", {}, "The connection is lost."), h("span", { "aria-hidden": "true", id: "count" }, "Trying again…"), button("Try now", () => app.link.hurryUp()));
    banner.hidden = false;
  }
}

function latency() {
  const el = document.getElementById("latency"), ms = app.link?.latency ?? null;
  if (el) el.textContent = ms === null ? "" : `${ms} ms`;
}
setInterval(latency, 2_000);

function toast(message) {
  const el = h("p", { class: "toast" }, message);
  style("forms.css").then(() => document.body.append(el));
  say(message);
  setTimeout(() => el.remove(), 5_000);
}

// --- views ---

function show(view) {
  const another = Boolean(app.view);
  app.view?.end?.(view);
  app.view = view;
  document.title = `${view.title} – parlour`;
  main.setAttribute("aria-label", view.title);
  app.hints();
  main.replaceChildren(view.el);
  view.begin?.();
  if (another) main.focus({ preventScroll: true });
}

let focused = null; // where the keys were last

/** Where that has gone, the keys go on in the view. */
function refocus() {
  if (!focused || (focused.checkVisibility?.() ?? true)) return;
  focused = null;
  if (!app.view?.refocus?.()) main.focus({ preventScroll: true });
}
document.addEventListener("focusin", ({ target }) => { focused = target; });
new MutationObserver(refocus).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden"] });

let routed = 0;

function hashed() {
  try { return decodeURIComponent(location.hash.slice(1)).split("="); } catch { return [""]; }
}

async function route() {
  const turn = ++routed, found = place();
  if (!app.session?.greeted) return;
  const [name, ...more] = hashed();
  const view = found ? await roomView(found[1].toUpperCase()) : await other(name, more.join("="));
  if (view && turn === routed) show(view);
}

async function other(name, argument) {
  if (name === "create") return new (await import("./create.js")).CreateView(app);
  if (name === "replay") return new (await import("./replay.js")).ReplayView(app);
  if (name === "standings") return new (await import("./standings.js")).StandingsView(app, argument);
  return new (await import("./lobby.js")).LobbyView(app);
}

async function roomView(code) {
  if (!app.session.rooms.has(code)) {
    try {
      await app.ask({ t: "join", room: code, as: "spectator" });
    } catch (error) {
      return (await entry()).refusedView(app, code, error);
    }
  }
  const { RoomView } = await import("./room.js"), room = app.session.rooms.get(code);
  return room ? new RoomView(app, room) : null;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  app.go(link.getAttribute("data-go"));
});
addEventListener("popstate", () => route());
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key.length === 1 && !app.singleKeys && event.key !== " ") return;
  if (app.view?.key?.(event)) event.preventDefault();
});

for (const icon of document.querySelectorAll("link[rel=icon]")) icon.href = String(icon.href); // wherever the page goes
app.begin();
