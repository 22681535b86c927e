// A form for a name, and for a key where the server asks for one: to connect, or to take a seat.

import { h, style, text, who } from "../core/dom.js";
import { around, say } from "../core/phrases.js";

/**
 * A form for the name, for a key where the server asks for one, and for the code for the seats of a room that has one.
 * `done(name, key, seatCode)` may fail.
 * @param {App} app
 * @param {string} label
 * @param {(name: string, key: string | null, seatCode?: string) => Promise<void>} done
 */
export function nameForm(app, label, done, { withKey = false, withCode = false } = {}) {
  style("styles/forms.css");
  const name = h("input", {
    name: "name",
    required: true,
    maxlength: 40,
    pattern: "[\\p{L}\\p{Nd}][\\p{L}\\p{M}\\p{Nd}_\\-]*",
    autocomplete: "nickname",
    title: say("page.name.allowed"),
    value: (!app.me.chosen && app.lastName) || app.me.name,
    autocapitalize: "off",
    spellcheck: "false",
    onchange: () => {
      name.value = name.value.trim().replace(/\s+/g, "-");
    },
  });
  const key = h("input", { name: "key", type: "password", maxlength: 128, autocomplete: "current-password" });
  const code = h("input", {
    name: "seat_code",
    maxlength: 16,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    value: app.seatCode ?? "",
  });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const more = h(
    "details",
    { open: withKey },
    h("summary", {}, say("page.name.have_key")),
    h("label", {}, say("page.name.key"), " ", key),
  );
  const form = h(
    "form",
    { class: "row" },
    h("label", {}, say("page.name.name"), " ", name),
    withCode ? h("label", {}, say("page.name.seat_code"), " ", code) : null,
    h("button", { class: "main" }, label),
    more,
    wrong,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    text(wrong, "");
    try {
      await done(name.value.trim().normalize("NFC"), key.value || null, code.value.trim() || undefined);
    } catch (error) {
      text(wrong, await app.explain(error));
      wrong.dataset.code = error.code;
      if (error.code === "key_required") more.open = true;
    }
  });
  return form;
}

/**
 * Connect as `name`, unless that is our name already.
 * @param {App} app
 * @param {string} name
 * @param {string | null} key
 */
export async function rename(app, name, key) {
  if (name && (name !== app.me.name || key)) await app.connect(name, key);
}

/**
 * A button to come back to the seat that this browser has in a room; null without one.
 * @param {App} app
 * @param {string} code
 */
function comeBack(app, code) {
  const name = app.identities.seat(code);
  if (name === null || name === app.session.name) return null;
  const back = async () => {
    try {
      await app.connect(name);
      await app.route();
      if (app.session.rooms.get(code)?.seat === null) app.identities.left(code);
    } catch (error) {
      app.identities.left(code);
      app.showError(error);
      app.start();
    }
  };
  return h(
    "p",
    { class: "row back" },
    h("button", { type: "button", class: "main", onclick: back }, ...around("page.name.back", who(name))),
  );
}

/**
 * Let a spectator take a seat in the room `view`, unless its match has begun in the meantime.
 * @param {RoomView} view
 */
export function seatForm(view) {
  const { app, code } = view;
  view.back ??= comeBack(app, code);
  if (view.room.seat === null && view.back && !view.back.isConnected) view.wait.append(view.back);
  view.form ??= nameForm(
    app,
    say("page.name.sit"),
    async (name, key, seatCode) => {
      await rename(app, name, key);
      await app.ask({ t: "join", room: code, as: "player", ...(seatCode && { seat_code: seatCode }) });
      view.rejoined();
    },
    { withCode: view.room.table.seat_code },
  );
  if (view.room.seat === null && !view.room.underWay && !view.form.isConnected) view.wait.append(view.form);
}
