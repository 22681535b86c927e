// Coming in: who somebody is, and what is said to those who cannot come in or have been shown out.

import { button, h, style } from "./dom.js";
import { words } from "./app.js";

const GONE = {
  replaced: "You have come back in another tab or window, so this one has stopped.",
  banned: "The operator of this server has shut you out.",
  deleted: "This identity has been deleted.",
};

/** A form for the name, and for a key where the server asks for one; `done(name, key)` may fail. */
export function nameForm(app, label, done, withKey = false) {
  style("forms.css");
  const name = h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]{0,19}", autocomplete: "nickname",
    title: "1 to 20 letters a–z, digits, - or _", value: app.me.chosen ? app.me.name : app.lastName, autocapitalize: "off", spellcheck: "false" });
  const key = h("input", { name: "key", type: "password", maxlength: 128, autocomplete: "current-password" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h("form", { class: "row" }, h("label", {}, "Your name ", name), h("button", { class: "main" }, label),
    h("details", { open: withKey }, h("summary", {}, "with a key"), h("label", {}, "Your key ", key)), wrong);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await done(name.value.trim(), key.value || null);
    } catch (error) {
      wrong.textContent = await words(error);
      if (error.code === "key_required") form.querySelector("details").open = true;
    }
  });
  return form;
}

/** Let who watches the room of `view` sit down in it. */
export function seatForm(view) {
  const { app, code } = view;
  view.form ??= nameForm(app, "Take a seat", async (name, key) => {
    await app.rename(name, key);
    await app.ask({ t: "join", room: code, as: "player" });
    view.heard({ t: "joined" });
  });
  if (view.room.seat === null && !view.room.underWay) view.wait.append(view.form);
}

function sheet(title, ...parts) {
  style("forms.css");
  return h("section", { class: "sheet" }, h("h1", {}, title), ...parts);
}

/** The view of somebody who has to have a key. */
export async function nameView(app, error) {
  app.context();
  const form = nameForm(app, "Come in", async (name, key) => { await app.become(name, key); await app.route(); }, true);
  return { title: "Your name", el: sheet("Who are you?", h("p", {}, await words(error)), form) };
}

/** The view of a room that cannot be watched. */
export async function refusedView(app, code, error) {
  app.context(" › ", h("b", {}, code));
  const sit = async (name, key) => {
    await app.rename(name, key);
    await app.ask({ t: "join", room: code, as: "player" });
    await app.route();
  };
  const form = error.code === "no_watching" ? nameForm(app, "Sit down", sit) : null;
  return { title: code, el: sheet(`Room ${code}`, h("p", {}, await words(error)), form, h("p", {}, h("a", { href: app.base.href, "data-go": "" }, "The open rooms"))) };
}

/** The view when there is no server. */
export const failedView = async (error) => ({ title: "No connection", el: sheet("No connection", h("p", {}, await words(error)), button("Try again", () => location.reload())) });

/** What the banner says when the connection is not to come back. */
export function ended(app, banner, { why, msg }) {
  banner.replaceChildren(h("span", {}, `${GONE[why] ?? (msg || `The server has closed the connection (${why}).`)} `),
    button("Watch here as a guest", () => {
      banner.hidden = true;
      app.forget();
      app.begin();
    }));
  banner.hidden = false;
}
