// The panel before a match, for players and the host: chairs, rules, the link to the room; ready or not.

import { button, h, set, style, text } from "../../core/dom.js";
import { say, withMore } from "../../core/phrases.js";
import { inShort } from "../games.js";
import { Chairs } from "./chairs.js";
import { countDown } from "./held_seat.js";
import { copyText, linkField } from "./menu.js";

/** Up to so many chairs and letters, the rules stand in the middle of the table; otherwise above it. */
const ROOMY = { chairs: 5, letters: 120 };

export class Panel {
  countDown = countDown;
  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    this.app = view.app;
    style("styles/forms.css");
    import("./result.js"); // the connection may be gone when it is shown
    const { code } = view,
      press = (/** @type {keyof MenuItems} */ what) => () => view.menu(what);
    this.chairs = new Chairs({
      invite: () => view.ask({ t: "invite" }),
      choose: () =>
        withMore(import("./bots.js"))
          .then(({ chooseBot }) => chooseBot(view))
          .catch(this.app.showError),
    });
    this.words = h("span");
    this.change = button("✎", async () => (await withMore(import("./configure.js"))).configure(view), {
      class: "small",
      "aria-label": say("page.panel.rules"),
      title: say("page.panel.rules"),
    });
    this.rules = h("p", { class: "rules" }, this.words, " ", this.change);
    this.code = h("div");
    this.ready = button("", () => this.#ready(), { class: "main" });
    this.start = button(say("page.panel.start"), () => view.ask({ t: "start" }));
    this.why = h("p", { class: "dim", role: "status" });
    this.title = h("h1", {}, say("page.room.title", { code }));
    this.link = h(
      "div",
      { class: "invite" },
      h(
        "div",
        {},
        h("p", {}, say("page.panel.invite")),
        h(
          "p",
          { class: "row" },
          linkField(this.app.roomUrl(code)),
          button(say("page.panel.copy"), press("copy")),
          "share" in navigator ? button(say("page.panel.share"), press("share")) : null,
          button(say("page.panel.qr"), press("qr"), { class: "enlarge" }),
        ),
        this.app.session.ssh ? this.#terminal(this.app.session.ssh) : null,
      ),
      this.code,
    );
    import("./qr.js").then(
      ({ image }) => this.code.append(image(this.app.roomUrl(code))),
      () => {},
    );
    this.chairs.centre.append(this.rules, h("p", { class: "row" }, this.ready, this.start), this.why);
    this.before = h("div", {}, this.title, this.chairs.el, this.link);
    this.standIn = h(
      "div",
      { class: "row" },
      h("p", {}, say("page.panel.standin")),
      button(say("page.panel.take_back"), () => view.ask({ t: "ready" }), { class: "main" }),
    );
  }

  /**
   * The command that comes in from a terminal.
   * @param {number} port
   */
  #terminal(port) {
    const { hostname, pathname, hash } = new URL(this.app.roomUrl(this.view.code)),
      code = pathname.split("/").pop() + hash.replace("#seat=", "-"),
      line = `ssh -t -p ${port} ${hostname.replace(/[[\]]/g, "")} ${code}`;
    return [
      h("p", {}, say("page.panel.ssh")),
      h(
        "p",
        { class: "row" },
        linkField(line, say("page.panel.ssh")),
        button(say("page.panel.copy"), () => copyText(this.app, line)),
      ),
    ];
  }

  show() {
    const { app, view } = this,
      { room, wait } = view,
      { table, own } = room,
      hosting = table.host === app.session.name;
    if (wait.hidden || (room.seat === null && (!hosting || room.underWay))) return;
    const shown = own?.by === "standin" ? this.standIn : this.before;
    if (wait.firstChild !== shown || wait.children.length > 1 + Number(room.seat === null)) wait.replaceChildren(shown);
    if (shown === this.before) this.#before(room, hosting);
    if (room.seat === null && !room.underWay) import("../name_form.js").then(({ seatForm }) => seatForm(view));
    view.waitKey = "";
    view.reactions?.show();
  }

  /**
   * @param {Room} room
   * @param {boolean} hosting
   */
  #before({ table, own, seat, over: ended }, hosting) {
    const { seats, size, options } = table,
      over = ended !== null || table.state === "finished",
      between = !over && table.state === "pause",
      alone = size === 1 || options.mode === "solo";
    const short = !alone && seats.length < 2 && !between;
    const { words, room } = this.view,
      inviting = hosting && !alone && !between && (size === undefined || seats.length < size);
    this.title.hidden = this.link.hidden = over || between;
    this.chairs.list.hidden = (over && !inviting) || between;
    this.change.hidden = !hosting || "deal" in table.fair || !this.app.session.can.includes("configure");
    this.rules.hidden = between || (over && this.change.hidden);
    const rules = words ? inShort(words, room) : "",
      crowded = !over && !between && ((size ?? 0) > ROOMY.chairs || rules.length > ROOMY.letters);
    text(this.words, rules);
    if (crowded !== (this.rules.parentNode === this.before))
      crowded ? this.title.after(this.rules) : this.chairs.centre.prepend(this.rules);
    text(
      this.ready,
      say("page.panel.ready", { what: between ? "continue" : own?.ready ? "back" : over ? "again" : "ready" }),
    );
    set(this.ready, { "aria-pressed": own?.ready ? "true" : null });
    this.ready.hidden = seat === null;
    this.start.hidden = !hosting || between || (alone && over);
    this.start.disabled = short;
    if (!this.chairs.list.hidden) this.chairs.show(room, inviting);
    text(this.why, short ? say("page.panel.short") : between || alone ? "" : say("page.panel.begins"));
  }

  #ready() {
    const { own, table } = this.view.room,
      back = own?.ready && table.state !== "pause";
    this.view.ask({ t: "ready", ...(back && { ready: false }) });
  }
}
