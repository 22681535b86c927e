// Views for errors: the server requires a name, a room cannot be watched, or there is no server.

import { button, h, style } from "../core/dom.js";
import { say } from "../core/phrases.js";
import { title } from "./games.js";
import { nameForm, rename } from "./name_form.js";
import { played } from "./played.js";

/**
 * @param {string} title
 * @param {Child[]} parts
 */
function sheet(title, ...parts) {
  style("styles/forms.css");
  return h("section", { class: "sheet" }, h("h1", {}, title), ...parts);
}

/**
 * Connect as a guest if the server refuses our name; else show why there is no connection.
 * @param {App} app
 * @param {Refusal} error
 */
export async function refused(app, error) {
  for (let tries = 0; tries < 3 && ["name_taken", "bad_name", "bad_message"].includes(error.code); tries++) {
    if (app.me.chosen) app.toast(`${app.me.name}: ${await app.explain(error)} ${say("page.entry.guest")}`);
    app.forget();
    try {
      await app.connect();
      return app.route();
    } catch (again) {
      error = again;
    }
  }
  app.show(error.code === "key_required" ? await nameView(app, error) : await failedView(app, error));
}

/**
 * @param {App} app
 * @param {Refusal} error
 */
async function nameView(app, error) {
  app.context();
  const form = nameForm(
    app,
    say("page.entry.connect"),
    async (name, key) => {
      await app.connect(name, key);
      await app.route();
    },
    { withKey: true },
  );
  return {
    title: say("page.name.name"),
    el: sheet(say("page.entry.choose"), h("p", { "data-code": error.code }, await app.explain(error)), form),
  };
}

/**
 * @param {App} app
 * @param {Refusal} error
 */
const failedView = async (app, error) => ({
  title: say("page.entry.failed"),
  el: sheet(
    say("page.entry.failed"),
    h("p", { "data-code": error.code }, await app.explain(error)),
    button(say("page.entry.again"), () => location.reload()),
  ),
});

/** @param {App} app */
const home = (app) => h("p", {}, h("a", { href: app.base.href, "data-go": "" }, say("page.shell.rooms")));

/**
 * The view for an address that does not exist.
 * @param {App} app
 */
export function lostView(app) {
  app.context();
  return {
    title: say("page.entry.lost"),
    el: sheet(say("page.entry.lost"), h("p", {}, say("page.entry.lost.means")), home(app)),
  };
}

/**
 * The host, the seats and the rules of a room, as far as the server tells them.
 * @param {Protocol.RoomRow | undefined} row
 */
async function about(row) {
  if (!row) return [];
  const { host, taken, seats } = row;
  return [
    h("p", { class: "dim" }, say("page.room.taken", { name: host, taken, seats })),
    h(
      "ul",
      { class: "chips", "aria-label": say("page.room.rules") },
      ...[title(row.game), ...(await played(row))].map((rule) => h("li", {}, rule)),
    ),
  ];
}

/**
 * The view for a room that we cannot watch.
 * @param {App} app
 * @param {string} code
 * @param {Refusal} error
 */
export async function refusedView(app, code, error) {
  app.context(" › ", h("b", {}, code));
  /**
   * @param {string} name
   * @param {string | null} key
   * @param {string} [seatCode]
   */
  const sit = async (name, key, seatCode) => {
    await rename(app, name, key);
    await app.ask({ t: "join", room: code, as: "player", ...(seatCode && { seat_code: seatCode }) });
    await app.route();
  };
  const unwatched = error.code === "no_watching";
  /** @type {Protocol.ServerRooms | null} */
  const found = unwatched ? await app.ask({ t: "list", room: code }).catch(() => null) : null,
    row = found?.rooms[0];
  const form = unwatched ? nameForm(app, say("page.name.sit"), sit, { withCode: row?.seat_code }) : null;
  return {
    title: code,
    el: sheet(
      say("page.room.title", { code }),
      h("p", { "data-code": error.code }, await app.explain(error)),
      form && (await about(row)),
      form,
      home(app),
    ),
  };
}
