// What somebody at a table can do besides playing: be ready, ask bots in, deal with people, go.

import { button, clean, h, style, text } from "./dom.js";

const LEFT = { kicked: "The host has put you out of the room.", banned: "The host has banned you from the room.",
  expired: "The room, or your seat in it, is gone.", aborted: "The room was closed.", replaced: "The owner of the seat is back." };
const SEAT_HELD = 30_000; // ms, SPEC.md#stand-ins
const POWERS = { kick: "Put out", ban: "Ban", mute: "Mute", unmute: "Let talk again", host: "Make host", addtime: "One minute more" };
const muted = new Set(); // by us, who are not told of others

/** A dialog over the page; it is gone when it is closed. Returns it. */
function dialog(title, ...children) {
  const box = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() }, h("h2", { id: "dialog-title" }, title), ...children,
    h("p", { class: "row" }, button("Close", () => box.close())));
  style("forms.css").then(() => {
    document.body.append(box);
    box.showModal();
  });
  return box;
}

export class Desk {
  constructor(view) {
    Object.assign(this, { view, app: view.app, bots: [], listed: null });
    if (view.room.seat !== null) import("./result.js"); // it will be wanted, perhaps when the connection is gone
    style("forms.css");
  }

  /** What stands in `place` for who has a seat and does not play. */
  wait(place) {
    const { app } = this, { room } = this.view, { table, own } = room, hosting = table.host === app.session.name;
    if (room.seat === null || place.hidden) return;
    const key = JSON.stringify([room.seat, table.state, own?.ready, own?.by, hosting, this.bots]);
    if (hosting && !room.underWay) this.#listBots();
    if (this.view.waitKey === key) return;
    this.view.waitKey = key;
    const focused = place.contains(document.activeElement) ? document.activeElement.textContent : null;
    place.replaceChildren(...(own?.by === "standin" ? this.#standIn() : this.#before(room, hosting)));
    if (focused !== null) [...place.querySelectorAll("button")].find((el) => el.textContent === focused || el.classList.contains("main"))?.focus();
  }

  #standIn() {
    return [h("p", {}, "A stand-in plays for you."), button("Take your seat back", () => this.view.ask({ t: "ready" }), { class: "main" })];
  }

  #before({ table, own, code }, hosting) {
    const { options } = table, over = table.state === "finished";
    const label = table.state === "pause" ? "Go on" : own?.ready ? "Not ready after all" : over ? "Play again" : "Ready";
    return [...(over ? [] : [h("h1", {}, `Room ${code}`), h("p", {}, "Send this to your friends:"), this.#link()]),
      h("p", { class: "row" }, button(label, () => this.ready(), { class: "main", "aria-pressed": own?.ready ? "true" : null }),
        hosting ? button("Start now", () => this.view.ask({ t: "start" })) : null, hosting && options.mode !== "solo" ? this.#invite() : null),
      h("p", { class: "dim" }, "It begins when everybody who plays is ready; bots always are.")];
  }

  ready() {
    const { own, table } = this.view.room, back = own?.ready && table.state !== "pause";
    this.view.ask({ t: "ready", ...(back && { ready: false }) });
  }

  /** Tell how long it is until another try, and until the seat is another's. */
  countDown({ since, until, name }) {
    const count = document.getElementById("count"), seconds = (ms) => Math.ceil((ms - performance.now()) / 1000), held = seconds(since + SEAT_HELD);
    if (!count || !since) return;
    const { room } = this.view, seat = !room.underWay || room.seat === null ? "" : held > 0 ? `Your seat is held for ${held} s.` : "Somebody stands in for you until you are back.";
    text(count, `${name === "waiting" ? `Trying again in ${Math.max(0, seconds(until))} s.` : "Connecting again…"} ${seat}`);
  }

  // --- bots ---

  #invite() {
    const label = (bot) => clean(bot.name) + (bot.rating === undefined ? "" : ` (${bot.rating})`);
    const choice = h("select", { "aria-label": "Which bot" }, h("option", { value: "" }, "any bot"), ...this.bots.map((bot) => h("option", { value: bot.name }, label(bot))));
    return h("span", { class: "row" }, button("Invite a bot", () => this.view.ask({ t: "invite", ...(choice.value && { bot: choice.value }) })), choice);
  }

  /** Other bots may have come. */
  lookForBots() {
    this.listed = null;
    this.wait(this.view.wait);
  }

  async #listBots() {
    const listed = this.view.room.table.seats.map((row) => row.name).join();
    if (this.listed === listed) return;
    this.listed = listed;
    const found = await this.app.ask({ t: "list", game: this.view.room.game }).catch(() => null);
    this.bots = found?.bots.filter((bot) => bot.free > 0) ?? this.bots;
    this.wait(this.view.wait);
  }

  powers(name) {
    const { room } = this.view, who = `${room.code} ${name}`, no = { [muted.has(who) ? "mute" : "unmute"]: true, addtime: !room.underWay };
    const note = { mute: () => muted.add(who), unmute: () => muted.delete(who) };
    const box = dialog(clean(name), h("p", { class: "row" }, ...Object.entries(POWERS).filter(([what]) => !no[what]).map(([what, label]) => button(label, async () => {
      box.close();
      note[what]?.();
      if (!await this.view.ask({ t: "manage", do: what, name })) note[{ mute: "unmute", unmute: "mute" }[what]]?.();
    }))));
  }

  // --- the link, the keys, the door ---

  #field() {
    const field = h("input", { readonly: true, class: "link", "aria-label": "The link to this room", value: this.app.roomUrl(this.view.code), onfocus: () => field.select() });
    return field;
  }

  #link() { return h("p", { class: "row" }, this.#field(), button("Copy", () => this.copy())); }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.app.roomUrl(this.view.code));
      this.app.toast("The link is copied.");
    } catch { // only pages that came over TLS may
      dialog("The link to this room", h("p", {}, this.#field()));
    }
  }

  leave() {
    const { room } = this.view;
    if (room.seat === null || !room.underWay) return void this.#leave();
    const sure = button("Leave and give the seat up", () => { box.close(); this.#leave(); }, { class: "danger" });
    const box = dialog("Leave the match?", h("p", {}, "If you leave, your seat is given up."), h("p", { class: "row" }, sure));
  }

  async #leave() {
    await this.view.ask({ t: "leave" });
    if (this.app.view === this.view) this.app.go("");
  }

  /** Say why somebody is out of the room. */
  gone(why) { if (LEFT[why]) this.app.toast(LEFT[why]); }

  async help() {
    const { keys = [], help = [] } = (await this.view.face?.manual?.()) ?? {}, { rules } = await this.view.wording;
    const single = h("input", { type: "checkbox", checked: this.app.singleKeys, onchange: () => this.app.useSingleKeys(single.checked) });
    dialog("Help", h("p", {}, rules(this.view.room.table.options).join(" · ")), h("dl", { class: "keys" }, ...[...keys, ["t", "say something"], ["q", "leave"]].flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
      h("p", {}, h("label", {}, single, " Single keys do things")), ...help.map((line) => h("p", {}, line)));
  }
}
