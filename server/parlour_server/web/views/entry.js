// Views for errors: the server requires a name, a room cannot be watched, or there is no server.

import { button, clean, h, style } from "../core/dom.js";
import { title } from "./games.js";
import { nameForm, rename } from "./name_form.js";

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
    if (app.me.chosen) app.toast(`${app.me.name}: ${await app.explain(error)} You are connected as a guest.`);
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
  const form = nameForm(app, "Connect", async (name, key) => { await app.connect(name, key); await app.route(); }, true);
  return { title: "Your name", el: sheet("Choose a name", h("p", { "data-code": error.code }, await app.explain(error)), form) };
}

/**
 * @param {App} app
 * @param {Refusal} error
 */
const failedView = async (app, error) => ({ title: "No connection", el: sheet("No connection", h("p", { "data-code": error.code }, await app.explain(error)), button("Try again", () => location.reload())) });

/**
 * How a listed room is played.
 * @param {App} app
 * @param {string} code
 */
async function rulesOf(app, code) {
  /** @type {Protocol.ServerRooms | null} */
  const found = await app.ask({ t: "list", after: code.slice(0, -1) }).catch(() => null), row = found?.rooms.find(({ room }) => room === code);
  return row && h("ul", { class: "chips", "aria-label": "Rules" }, ...[title(row.game), ...(row.rules ?? [])].map((rule) => h("li", {}, clean(rule))));
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
   */
  const sit = async (name, key) => {
    await rename(app, name, key);
    await app.ask({ t: "join", room: code, as: "player" });
    await app.route();
  };
  const form = error.code === "no_watching" ? nameForm(app, "Take a seat", sit) : null;
  return { title: code, el: sheet(`Room ${code}`, h("p", { "data-code": error.code }, await app.explain(error)), form && await rulesOf(app, code), form, h("p", {}, h("a", { href: app.base.href, "data-go": "" }, "Open rooms"))) };
}
