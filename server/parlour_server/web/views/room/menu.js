// The menu of a room: help, the link, leaving, and the host's actions.

import { button, h, style } from "../../core/dom.js";
import { LANGUAGES, known, language, say } from "../../core/phrases.js";
import { play } from "../../core/sound.js";
import { title } from "../games.js";

const ACTIONS = ["kick", "ban", "mute", "unmute", "host", "addtime"];
/** @type {Record<string, string>} */
const UNDO = { mute: "unmute", unmute: "mute" };
/** @type {Set<string>} */
const muted = new Set(); // by us: the server does not say who else is muted

/**
 * Show a dialog, which is removed when it is closed.
 * @param {string} title
 * @param {Child[]} children
 */
export function dialog(title, ...children) {
  /** @type {HTMLDialogElement} */
  const box = h(
    "dialog",
    { "aria-labelledby": "dialog-title", onclose: () => box.remove() },
    h("h2", { id: "dialog-title" }, title),
    ...children,
    h(
      "p",
      { class: "row" },
      button(say("page.menu.close"), () => box.close(), { autofocus: true }),
    ),
  );
  style("styles/forms.css").then(() => {
    document.body.append(box);
    box.showModal();
    box.scrollTop = 0; // the focus is on the button at its end
  });
  return box;
}

/**
 * A field with words to copy, such as the link to a room.
 * @param {string} words
 */
export function linkField(words, label = say("page.menu.link")) {
  const field = h("input", {
    readonly: true,
    class: "link",
    "aria-label": label,
    value: words,
    onfocus: () => field.select(),
  });
  return field;
}

/**
 * Copy words, or show them where browsers do not allow it: without TLS.
 * @param {App} app
 * @param {string} words
 */
export async function copyText(app, words) {
  try {
    await navigator.clipboard.writeText(words);
    app.toast(say("page.result.copied"));
  } catch {
    dialog(say("page.result.copy"), h("p", { class: "lines" }, words));
  }
}

export class Menu {
  /** @param {RoomView} view */
  constructor(view) {
    this.view = view;
    this.app = view.app;
  }

  get #url() {
    return this.app.roomUrl(this.view.code);
  }

  /** @param {string} name */
  manage(name) {
    const { room } = this.view,
      who = `${room.code} ${name}`,
      bot = room.table.seats.some((row) => row.name === name && row.kind === "bot"),
      alone = room.table.unrated === "alone";
    const hidden = /** @type {Record<string, boolean>} */ ({
      [muted.has(who) ? "mute" : "unmute"]: true,
      addtime: !room.underWay || (room.counts && !alone),
      host: bot,
      kick: room.counts,
      ban: room.counts,
    });
    /** @type {Record<string, () => void>} */
    const note = { mute: () => muted.add(who), unmute: () => muted.delete(who) };
    const box = dialog(
      name,
      room.counts && h("p", {}, say("room.fixed", { alone })),
      h(
        "p",
        { class: "row" },
        ...ACTIONS.filter((what) => !hidden[what]).map((what) =>
          button(
            say("page.menu.do", { do: what }),
            async () => {
              box.close();
              note[what]?.();
              if (!(await this.view.ask({ t: "manage", do: what, name }))) note[UNDO[what]]?.();
            },
            { "data-do": what },
          ),
        ),
      ),
    );
  }

  /**
   * Give our seat to a spectator.
   * @param {string} name
   */
  give(name) {
    const sure = button(
      say("page.menu.give.yes"),
      () => {
        box.close();
        this.view.ask({ t: "handover", to: name });
      },
      { class: "danger" },
    );
    const box = dialog(
      say("page.menu.give", { name }),
      h("p", {}, say("page.menu.give.means")),
      h("p", { class: "row" }, sure),
    );
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.#url);
      this.app.toast(say("page.menu.copied"));
    } catch {
      // only allowed over TLS
      dialog(say("page.menu.link"), h("p", {}, linkField(this.#url)));
    }
  }

  share() {
    const game = title(this.view.room.game);
    navigator
      .share({ title: say("page.menu.share.title", { game }), text: say("page.menu.share", { game }), url: this.#url })
      .catch(() => {}); // closed without sharing
  }

  async qr() {
    const { image } = await import("./qr.js");
    dialog(say("page.menu.scan"), h("p", {}, image(this.#url)), h("p", {}, linkField(this.#url)));
  }

  leave() {
    const { room } = this.view;
    if (room.seat === null || !room.underWay) return void this.#leave();
    const sure = button(
      say("page.menu.leave.yes"),
      () => {
        box.close();
        this.#leave();
      },
      { class: "danger" },
    );
    const box = dialog(
      say("page.menu.leave"),
      h("p", {}, say("page.menu.leave.means")),
      h("p", { class: "row" }, sure),
    );
  }

  async #leave() {
    await this.view.ask({ t: "leave" });
    if (this.app.view === this.view) this.app.go("");
  }

  /**
   * Say why we are out of the room.
   * @param {string} why
   */
  left(why) {
    if (known(`page.menu.left.${why}`)) this.app.toast(say(`page.menu.left.${why}`), why);
  }

  /** Explain the game, then its keys, and offer settings. */
  async help() {
    const { view, app } = this,
      { prefs } = app,
      [controls, words, manual] = await Promise.all([
        view.widget?.manual() ?? {},
        view.wording(),
        view.game.manual?.(),
      ]);
    /** @type {{ keys?(): [key: string, does: string][], help?(): string[] }} */
    const { keys, help } = controls;
    /**
     * @param {string} label
     * @param {unknown} on
     * @param {(on: boolean) => void} turn
     */
    const box = (label, on, turn) => {
      const input = h("input", { type: "checkbox", checked: Boolean(on), onchange: () => turn(input.checked) });
      return h("p", {}, h("label", {}, input, ` ${label}`));
    };
    const volume = h("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.1,
      value: prefs.sound,
      onchange: () => {
        prefs.sound = Number(volume.value);
        play("pop", prefs.sound);
      },
    });
    const press = h("input", {
      type: "range",
      name: "press",
      min: 250,
      max: 800,
      step: 50,
      value: prefs.press,
      onchange: () => {
        prefs.press = Number(press.value);
      },
    });
    const languages = h(
      "select",
      {
        onchange: () => {
          prefs.language = languages.value;
          location.reload();
        },
      },
      ...Object.entries(LANGUAGES).map(([value, name]) => h("option", { value, lang: value }, name)),
    );
    languages.value = language;
    const { options } = view.room.table;
    const shortcuts = [
      ...(keys?.() ?? []),
      ["t", say("page.help.key.write")],
      ["v", say("page.help.key.view")],
      ["q", say("page.help.key.leave")],
    ].flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]);
    dialog(
      say("page.help.title"),
      h("h3", {}, say("page.help.room")),
      h("ul", { class: "chips" }, ...words.rules(options, view.room.game).map((rule) => h("li", {}, rule))),
      ...(manual ? [h("h3", {}, say("page.help.how")), ...manual.howTo(options).map((line) => h("p", {}, line))] : []),
      ...(help?.() ?? []).map((line) => h("p", {}, line)),
      h("h3", {}, say("page.help.settings")),
      h("p", {}, h("label", {}, say("page.help.sound"), " ", volume)),
      matchMedia("(any-pointer: coarse)").matches && h("p", {}, h("label", {}, say("page.help.touch"), " ", press)),
      box(say("page.help.pace"), prefs.pace, (on) => {
        prefs.pace = Number(on);
      }),
      box(say("page.help.keys"), prefs.keys, (on) => {
        prefs.keys = on;
      }),
      h("p", {}, h("label", {}, say("page.help.language"), " ", languages)),
      h(
        "details",
        { open: matchMedia("(hover: hover)").matches },
        h("summary", {}, say("page.help.shortcuts")),
        h("dl", { class: "keys" }, ...shortcuts),
      ),
    );
  }
}
