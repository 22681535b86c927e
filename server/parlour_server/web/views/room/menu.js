// The menu of a room: help, the link, leaving, and the host's actions.

import { button, clean, h, style } from "../../core/dom.js";
import { LANGUAGES, language } from "../../core/phrases.js";

/** @type {Record<string, string>} */
const LEFT = { kicked: "The host removed you from the room.", banned: "The host banned you from the room.",
  expired: "The room or your seat in it no longer exists.", aborted: "The room was closed.", replaced: "The owner of the seat is back." };
const ACTIONS = { kick: "Remove", ban: "Ban", mute: "Mute", unmute: "Unmute", host: "Make host", addtime: "Add one minute" };
/** @type {Record<string, string>} */
const UNDO = { mute: "unmute", unmute: "mute" };
/** @type {Set<string>} */
const muted = new Set(); // by us: the server does not say who else is muted

/**
 * Show a dialog, which is removed when it is closed.
 * @param {string} title
 * @param {Child[]} children
 */
function dialog(title, ...children) {
  /** @type {HTMLDialogElement} */
  const box = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() }, h("h2", { id: "dialog-title" }, title), ...children,
    h("p", { class: "row" }, button("Close", () => box.close(), { autofocus: true })));
  style("styles/forms.css").then(() => {
    document.body.append(box);
    box.showModal();
    box.scrollTop = 0; // the focus is on the button at its end
  });
  return box;
}

/**
 * A field with the link to a room.
 * @param {string} url
 */
export function linkField(url) {
  const field = h("input", { readonly: true, class: "link", "aria-label": "The link to this room", value: url, onfocus: () => field.select() });
  return field;
}

export class Menu {
  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    this.app = view.app;
  }

  get #url() { return this.app.roomUrl(this.view.code); }

  /** @param {string} name */
  manage(name) {
    const { room } = this.view, who = `${room.code} ${name}`, hidden = /** @type {Record<string, boolean>} */ ({ [muted.has(who) ? "mute" : "unmute"]: true, addtime: !room.underWay });
    /** @type {Record<string, () => void>} */
    const note = { mute: () => muted.add(who), unmute: () => muted.delete(who) };
    const box = dialog(clean(name), h("p", { class: "row" }, ...Object.entries(ACTIONS).filter(([what]) => !hidden[what]).map(([what, label]) => button(label, async () => {
      box.close();
      note[what]?.();
      if (!await this.view.ask({ t: "manage", do: what, name })) note[UNDO[what]]?.();
    }, { "data-do": what }))));
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.#url);
      this.app.toast("Link copied.");
    } catch { // only allowed over TLS
      dialog("The link to this room", h("p", {}, linkField(this.#url)));
    }
  }

  share() {
    const { title } = this.view.game;
    navigator.share({ title: `${title} on parlour`, text: `Play ${title} with me`, url: this.#url }).catch(() => {}); // closed without sharing
  }

  async qr() {
    const { image } = await import("./qr.js");
    dialog("Scan to join", h("p", {}, image(this.#url)), h("p", {}, linkField(this.#url)));
  }

  leave() {
    const { room } = this.view;
    if (room.seat === null || !room.underWay) return void this.#leave();
    const sure = button("Leave and give up the seat", () => { box.close(); this.#leave(); }, { class: "danger" });
    const box = dialog("Leave the match?", h("p", {}, "You will give up your seat."), h("p", { class: "row" }, sure));
  }

  async #leave() {
    await this.view.ask({ t: "leave" });
    if (this.app.view === this.view) this.app.go("");
  }

  /**
   * Say why we are out of the room.
   * @param {string} why
   */
  left(why) { if (LEFT[why]) this.app.toast(LEFT[why], why); }

  /** Explain the game, then its keys, and offer settings. */
  async help() {
    const { view, app } = this, { prefs } = app, [controls, words, manual] = await Promise.all([view.widget?.manual() ?? {}, view.wording(), view.game.manual?.()]);
    /** @type {{ keys?: [key: string, does: string][], help?: string[] }} */
    const { keys = [], help = [] } = controls;
    /**
     * @param {string} label
     * @param {unknown} on
     * @param {(on: boolean) => void} turn
     */
    const box = (label, on, turn) => {
      const input = h("input", { type: "checkbox", checked: Boolean(on), onchange: () => turn(input.checked) });
      return h("p", {}, h("label", {}, input, ` ${label}`));
    };
    const languages = h("select", { onchange: () => { prefs.language = languages.value; location.reload(); } }, ...Object.entries(LANGUAGES).map(([value, name]) => h("option", { value, lang: value }, name)));
    languages.value = language;
    const { options } = view.room.table;
    const shortcuts = [...keys, ["t", "write a message"], ["q", "leave"]].flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]);
    dialog("Help", h("h3", {}, "In this room"), h("ul", { class: "chips" }, ...words.rules(options).map((rule) => h("li", {}, rule))),
      ...(manual ? [h("h3", {}, "How to play"), ...manual.howTo(options).map((line) => h("p", {}, line))] : []), ...help.map((line) => h("p", {}, line)),
      h("h3", {}, "Settings"), box("Sounds", prefs.sound, (on) => { prefs.sound = on; }), box("Show moves one by one (from the next room on)", prefs.pace, (on) => { prefs.pace = Number(on); }),
      box("Single-key shortcuts", prefs.keys, (on) => { prefs.keys = on; }),
      h("p", {}, h("label", {}, "Language ", languages)),
      h("details", { open: matchMedia("(hover: hover)").matches }, h("summary", {}, "Keys"), h("dl", { class: "keys" }, ...shortcuts)));
  }
}
