// The menu of a room: help, the link, leaving, and the host's actions.

import { button, clean, h, style } from "../../core/dom.js";

const LEFT = { kicked: "The host removed you from the room.", banned: "The host banned you from the room.",
  expired: "The room or your seat in it no longer exists.", aborted: "The room was closed.", replaced: "The owner of the seat is back." };
const ACTIONS = { kick: "Remove", ban: "Ban", mute: "Mute", unmute: "Unmute", host: "Make host", addtime: "Add one minute" };
const muted = new Set(); // by us: the server does not say who else is muted

/** Show a dialog, which is removed when it is closed. */
function dialog(title, ...children) {
  const box = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() }, h("h2", { id: "dialog-title" }, title), ...children,
    h("p", { class: "row" }, button("Close", () => box.close())));
  style("styles/forms.css").then(() => {
    document.body.append(box);
    box.showModal();
  });
  return box;
}

/** A field with the link to a room. */
export function linkField(url) {
  const field = h("input", { readonly: true, class: "link", "aria-label": "The link to this room", value: url, onfocus: () => field.select() });
  return field;
}

export class Menu {
  constructor(view) { Object.assign(this, { view, app: view.app }); }

  manage(name) {
    const { room } = this.view, who = `${room.code} ${name}`, hidden = { [muted.has(who) ? "mute" : "unmute"]: true, addtime: !room.underWay };
    const note = { mute: () => muted.add(who), unmute: () => muted.delete(who) };
    const box = dialog(clean(name), h("p", { class: "row" }, ...Object.entries(ACTIONS).filter(([what]) => !hidden[what]).map(([what, label]) => button(label, async () => {
      box.close();
      note[what]?.();
      if (!await this.view.ask({ t: "manage", do: what, name })) note[{ mute: "unmute", unmute: "mute" }[what]]?.();
    }, { "data-do": what }))));
  }

  async copy() {
    const url = this.app.roomUrl(this.view.code);
    try {
      await navigator.clipboard.writeText(url);
      this.app.toast("Link copied.");
    } catch { // only allowed over TLS
      dialog("The link to this room", h("p", {}, linkField(url)));
    }
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

  /** Say why we are out of the room. */
  left(why) { if (LEFT[why]) this.app.toast(LEFT[why], why); }

  async help() {
    const { keys = [], help = [] } = (await this.view.widget?.manual()) ?? {}, { rules } = await this.view.wording;
    const single = h("input", { type: "checkbox", checked: this.app.singleKeys, onchange: () => this.app.useSingleKeys(single.checked) });
    dialog("Help", h("p", {}, rules(this.view.room.table.options).join(" · ")), h("dl", { class: "keys" }, ...[...keys, ["t", "write a message"], ["q", "leave"]].flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
      h("p", {}, h("label", {}, single, " Single-key shortcuts")), ...help.map((line) => h("p", {}, line)));
  }
}
