// Show the view that the address names, and pass it keys and focus.

import { clean, set, style } from "../core/dom.js";
import { load, together, withMore } from "../core/phrases.js";
import { game } from "../views/games.js";

/** @type {Record<string, () => Promise<any>>} */
const VIEWS = {
  create: () => withMore(import("../views/create.js")),
  ladder: () => withMore(import("../views/ladder.js")),
  practice: () => withMore(import("../views/practice.js")),
  player: () => withMore(import("../views/profile.js")),
  replay: () => withMore(import("../views/replay.js")),
  standings: () => withMore(import("../views/standings.js")),
  "": () =>
    together(
      import("../views/lobby.js"),
      load("page.lobby"),
      import("../views/played.js"),
      style("styles/forms.css"),
      style("styles/home.css"),
    ),
};

/**
 * @param {EventTarget | null} target
 * @param {string} selector
 */
const closest = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * The key that is meant: the small letter with Caps Lock, and the letter in its place on layouts without Latin ones.
 * @param {KeyboardEvent} event
 */
function letter({ key, code }) {
  if (/^[A-Z]$/.test(key)) return key.toLowerCase();
  return /^\p{L}$/u.test(key) && key > "\x7f" ? (/^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? key) : key;
}

export class Router {
  /** @type {Shown | null} */
  view = null;
  #routed = 0;
  /** @type {any} */
  #focused = null;

  /**
   * @param {App} app
   * @param {HTMLElement} main
   */
  constructor(app, main) {
    this.app = app;
    this.main = main;
    this.#load(); // while we connect
    const known = document.querySelector("meta[name=game]")?.getAttribute("content");
    if (known && this.code) game(known).widget();
    document.addEventListener("click", (event) => this.#click(event));
    addEventListener("popstate", () => this.route());
    document.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("focusin", ({ target }) => {
      this.#focused = target;
    });
    // whether an element is visible costs a layout, so new elements alone are no reason to ask
    new MutationObserver((changes) => {
      if (!this.#focused?.isConnected || changes.some(({ type }) => type === "attributes")) this.#refocus();
    }).observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ["hidden"],
    });
  }

  /**
   * The code of the room that the address names.
   * @returns {string | undefined}
   */
  get code() {
    return /^r\/([A-Za-z0-9]+)\/?$/i.exec(this.#path)?.[1].toUpperCase();
  }

  /** The code for the seats of the room that the address names, if it has one. */
  get seatCode() {
    return (this.code && new URLSearchParams(location.hash.slice(1)).get("seat")) || undefined;
  }

  /**
   * The address below the root of the page.
   * @returns {string}
   */
  get #path() {
    return location.pathname.slice(this.app.base.pathname.length);
  }

  /** The name of another view, and its argument. */
  get #named() {
    return [...new URLSearchParams(location.hash.slice(1)), [""]][0];
  }

  /**
   * Load the module of the view `name`, or of the room.
   * @param {string | null} [name]
   */
  #load(name = this.code ? null : this.#named[0]) {
    return name === null
      ? together(import("../views/room/room.js"), import("../views/room/side.js"), import("../core/pace.js"))
      : (Object.hasOwn(VIEWS, name) ? VIEWS[name] : VIEWS[""])();
  }

  /** @param {string} path */
  go(path) {
    history.pushState(null, "", new URL(path, this.app.base));
    return this.route();
  }

  async route() {
    const turn = ++this.#routed,
      code = this.code;
    const { session, lost } = this.app;
    if (!session?.greeted && !lost) return;
    const view = !session ? await this.#other("practice") : code ? await this.#room(code) : await this.#other();
    if (view && turn === this.#routed) this.show(view);
  }

  /** @param {Shown} view */
  show(view) {
    const { app, main, view: old } = this;
    old?.end?.(view);
    document.querySelectorAll(".toast").forEach((toast) => toast.remove());
    this.view = view;
    document.title = `${clean(view.title)} – parlour`;
    set(main, { "aria-label": view.title });
    app.hints();
    main.replaceChildren(view.el);
    view.begin?.();
    if (old) main.focus({ preventScroll: true });
  }

  /** @param {string} [name] */
  async #other(name = this.#named[0]) {
    if (this.#path && name !== "practice") return (await withMore(import("../views/entry.js"))).lostView(this.app);
    const [named, argument] = this.#named,
      { View } = await this.#load(name);
    return new View(this.app, named === name ? argument : undefined);
  }

  /** @param {string} code */
  async #room(code) {
    const { app } = this,
      loading = this.#load();
    if (!app.session.rooms.has(code)) {
      try {
        await app.ask({ t: "join", room: code, as: "spectator" });
      } catch (error) {
        return (await withMore(import("../views/entry.js"))).refusedView(app, code, error);
      }
    }
    const { RoomView } = await loading,
      room = app.session.rooms.get(code);
    return room ? new RoomView(app, room) : null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const link = closest(event.target, "a[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(link.getAttribute("data-go") ?? "");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = closest(event.target, "input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key.length === 1 && !this.app.prefs.keys && event.key !== " ") return;
    const key = letter(event);
    const meant = key === event.key ? event : new KeyboardEvent(event.type, { key, code: event.code });
    if (this.view?.key?.(meant)) event.preventDefault();
  }

  /** Move the focus into the view when the focused element has gone or is hidden. */
  #refocus() {
    if (!this.#focused || (this.#focused.checkVisibility?.() ?? true)) return;
    this.#focused = null;
    if (!this.view?.refocus?.()) this.main.focus({ preventScroll: true });
  }
}
