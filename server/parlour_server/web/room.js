// A room: its people, its talk, what stands in the middle, and what the host may do.

import { button, clean, dialog, h, keyed, say, text, who } from "./dom.js";
import { commitment } from "./fair.js";

const FACES = { uno: () => import("./uno.js"), minesweeper: () => import("./mines.js") };
const KEPT = 200; // lines of the log
const WHY = {
  target: "the target is reached", round: "one round was to be played", last: "one seat is left", won: "the board is cleared",
  lost: "the board is lost", race: "the race is over", majority: "most of the mines are found", resigned: "the others gave up",
  left: "the others have left", no_board: "no board without a guess was found; nothing counts",
  aborted: "it was broken off", expired: "nobody was left to play",
};
const STATES = { waiting: "waiting for players", playing: "a match is being played", pause: "a pause between rounds",
  finished: "the match is over", closed: "closed" };
const LEFT = { kicked: "The host has put you out of the room.", banned: "The host has banned you from the room.",
  expired: "The room, or your seat in it, is gone.", aborted: "The room was closed.", replaced: "The owner of the seat is back." };

export class RoomView {
  constructor(app, room) {
    Object.assign(this, { app, room, code: room.code, title: room.code, face: null, told: null, bots: [], listed: "", before: null });
    this.results = h("section", { class: "results", "aria-label": "Result", hidden: true });
    this.wait = h("section", { class: "wait", "aria-label": "Before the match" });
    this.stage = h("div", { class: "stage" }, this.results, this.wait);
    this.log = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "What happened", tabindex: 0 });
    this.chat = h("input", { name: "chat", maxlength: 200, autocomplete: "off", "aria-label": "Say something to everybody", placeholder: "Say something" });
    this.people = h("ul", { class: "people" });
    this.watchers = h("p", { class: "dim" });
    const talk = h("form", { class: "row", onsubmit: (event) => this.#say(event) }, this.chat, h("button", {}, "Send"));
    this.aside = h("aside", { "aria-label": "People and talk" }, h("h2", {}, "At the table"), this.people, this.watchers, h("h2", {}, "Table talk"),
      this.log, talk);
    this.el = h("div", { class: "room" }, this.stage, this.aside);
    this.timer = setInterval(() => this.#tick(), 250);
  }

  async begin() {
    const { room } = this;
    document.body.dataset.cloth = room.game;
    this.#context();
    for (const { from, text: line } of room.chat) this.#chatLine(from, line);
    this.heard({ t: "joined" });
    const { Face } = await FACES[room.game]();
    this.face = new Face(this);
    this.stage.append(this.face.el);
    this.#events();
    this.#show();
  }

  end(next) {
    clearInterval(this.timer);
    if (next?.code === this.code) return;
    delete document.body.dataset.cloth;
    if (this.room.seat === null && this.app.session.rooms.has(this.code)) this.app.ask({ t: "leave", room: this.code }).catch(() => {});
  }

  connected(yes) { this.el.classList.toggle("away", !yes); }

  left({ room, why }) {
    if (room !== this.code) return;
    if (LEFT[why]) this.app.toast(LEFT[why]);
    this.room.seat = null;
    this.app.go("");
  }

  /** A message of this room has come; the room as it is now is in the session. */
  heard(message) {
    this.room = this.app.session.rooms.get(this.code) ?? this.room;
    const { room } = this;
    if (message.t === "chat") {
      this.#chatLine(message.from.name, message.text);
      if (message.from.name !== this.app.session.name) say(`${clean(message.from.name)} says: ${clean(message.text)}`);
      return;
    }
    if (["joined", "seats"].includes(message.t)) this.#people(message.t === "seats");
    if (this.face && message.t !== "seats") this.#events();
    this.#show();
  }

  refused(error) {
    this.face?.refused?.(error);
    const reason = error.msg + (error.why && error.why !== error.msg && error.code !== "illegal_action" ? ` (${error.why})` : "");
    if (this.face && this.room.underWay) this.face.remark(reason); else this.app.toast(reason);
  }

  key(event) {
    if (event.key === "t") this.chat.focus();
    else if (event.key === "?") this.#help();
    else if (event.key === "q") this.leave();
    else return this.#playing ? this.face.key(event) : false;
    return true;
  }

  act(rid, action) { return this.app.link.act(this.code, rid, action); }

  // --- showing ---

  get #playing() { return Boolean(this.face) && this.room.view !== null && (this.room.underWay || this.room.table.state === "finished"); }

  #context() {
    const { app, room } = this;
    const link = button("Copy link", () => this.#copy(), { class: "small" });
    app.context(" › ", app.title(room.game), " › room ", h("b", {}, room.code), h("span", { class: "rules", id: "rules" }),
      h("span", { class: "end" }, link, button("Leave", () => this.leave(), { class: "small" })));
  }

  #show() {
    const { room, face } = this, playing = this.#playing;
    const mine = Boolean(room.question) && room.underWay;
    document.title = `${mine ? "● " : ""}${room.code} – parlour`;
    this.wait.hidden = playing && room.underWay && room.seat !== null && room.own?.by !== "standin";
    if (!this.wait.hidden) this.#wait();
    if (face) {
      face.el.hidden = !playing;
      if (playing) face.show(room);
      text(document.getElementById("rules"), face.rules(room).join(" · "));
    }
    this.#result();
    this.#hints();
  }

  #hints() {
    const keys = [...(this.#playing && this.room.seat !== null ? this.face.hints(this.room) : []), ["t", "Chat"], ["?", "Help"], ["q", "Leave"]];
    const shown = keys.map(([key, label]) => `${key} ${label}`).join();
    if (this.shownHints === shown) return;
    this.shownHints = shown;
    this.app.hints(...(this.app.singleKeys ? keys.flatMap(([key, label]) => [h("kbd", {}, key), ` ${label} `]) : []));
  }

  #tick() {
    this.ticks = (this.ticks ?? 0) + 1;
    if (this.ticks % 12 === 0 && !this.wait.hidden) { // other bots may have come
      this.listed = null;
      this.#show();
    }
    if (this.face && !this.face.el.hidden) this.face.tick(this.room);
  }

  #events() {
    const { room } = this;
    if (room.events === this.told) return;
    this.told = room.events;
    for (const event of room.events) {
      const line = event.e === "timeout" ? `${room.name(event.seat)} is out of time.`
        : event.e === "addtime" ? `${room.name(event.seat)} gets a minute more.` : this.face?.told?.(room, event) ?? null;
      if (line) this.#line(line);
    }
    this.face?.news?.(room, room.events);
  }

  #line(words, kind = "") {
    this.#add(h("p", { class: kind }, clean(words)));
    if (this.app.link?.state.name === "open" && this.room.seat !== null && this.room.game === "uno") say(clean(words));
  }

  #chatLine(name, words) { this.#add(h("p", { class: "said" }, who(name), " ", h("q", {}, clean(words)))); }

  #add(item) {
    const { log } = this, atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.append(item);
    while (log.children.length > KEPT) log.firstChild.remove();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  // --- people ---

  #people(tell) {
    const { room } = this, { seats, host, watchers } = room.table, hosting = host === this.app.session.name;
    if (tell && this.before) for (const line of changes(room, this.before)) this.#line(line, "note");
    this.before = room.table;
    text(this.watchers, watchers ? `Watching: ${watchers}` : "");
    keyed(this.people, seats.map((row) => `${row.seat} ${row.name}`), () => h("li")).forEach((item, at) => {
      const row = seats[at], mine = row.seat === room.seat;
      const facts = [mine ? "you" : row.kind, row.name === host && "host", row.by === "standin" ? "a stand-in plays" : !row.here && "away",
        row.left !== undefined && `held ${Math.ceil(row.left / 1000)} s`, row.rating !== undefined && `rated ${row.rating}`].filter(Boolean).join(", ");
      const ready = row.ready && !room.underWay ? h("span", { class: "ready" }, "✓ ready") : null;
      const powers = hosting && !mine ? button("⋯", () => this.#powers(row.name), { class: "small", "aria-label": `Deal with ${clean(row.name)}` }) : null;
      item.replaceChildren(who(row.name, { class: mine ? "who me" : "who" }), h("span", { class: "dim" }, ` ${facts} `), ready ?? "", powers ?? "");
    });
  }

  #powers(name) {
    const does = { kick: "Put out", ban: "Ban", mute: "Mute", unmute: "Unmute", host: "Make host", addtime: "One minute more" };
    const buttons = Object.entries(does).map(([what, label]) => button(label, () => {
      box.close();
      this.#ask({ t: "manage", room: this.code, do: what, name });
    }));
    const box = dialog(clean(name), h("p", { class: "row" }, ...buttons));
  }

  /** What stands in the middle before a match, and beside it for who watches. */
  #wait() {
    const { app, room } = this, { table, seat } = room, hosting = table.host === app.session.name, own = room.own;
    const key = JSON.stringify([seat, table.state, own?.ready, own?.by, hosting, this.bots, app.me.name]);
    if (seat !== null && hosting && !room.underWay) this.#listBots();
    if (this.waitKey === key) return;
    this.waitKey = key;
    const parts = [];
    if (seat === null) {
      parts.push(h("p", {}, "You are watching. ", h("span", { class: "dim" }, STATES[table.state])));
      this.form ??= app.nameForm("Take a seat", (name, code) => this.#sit(name, code));
      if (!room.underWay) parts.push(this.form);
    } else if (own?.by === "standin") {
      parts.push(h("p", {}, "A stand-in plays for you."), button("Take your seat back", () => this.#ask({ t: "ready", room: this.code }), { class: "main" }));
    } else {
      const over = table.state === "finished";
      const label = table.state === "pause" ? "Go on" : own?.ready ? "Not ready after all" : over ? "Play again" : "Ready";
      parts.push(over ? "" : h("h1", {}, `Room ${room.code}`), h("p", {}, over ? "" : "Send this to your friends:"), over ? "" : this.#link());
      parts.push(h("p", { class: "row" }, button(label, () => this.#ready(), { class: "main", "aria-pressed": own?.ready ? "true" : null }),
        hosting ? button("Start now", () => this.#ask({ t: "start", room: this.code })) : null, hosting ? this.#invite() : null));
      parts.push(h("p", { class: "dim" }, "It begins when everybody who plays is ready; bots always are."));
    }
    const active = document.activeElement, focused = this.wait.contains(active) ? active.textContent : null;
    this.wait.replaceChildren(...parts);
    if (focused !== null && this.wait.contains(active)) active.focus();
    else if (focused !== null) [...this.wait.querySelectorAll("button")].find((el) => el.textContent === focused || el.classList.contains("main"))?.focus();
  }

  #link() {
    const field = h("input", { readonly: true, class: "link", "aria-label": "The link to this room", value: this.app.roomUrl(this.code), onfocus: () => field.select() });
    return h("p", { class: "row" }, field, button("Copy", () => this.#copy(field)));
  }

  #invite() {
    const options = [h("option", { value: "" }, "any bot"), ...this.bots.map((bot) => h("option", { value: bot.name },
      clean(bot.name) + (bot.rating === undefined ? "" : ` (${bot.rating})`)))];
    const choice = h("select", { "aria-label": "Which bot" }, ...options);
    const invite = () => this.#ask({ t: "invite", room: this.code, ...(choice.value && { bot: choice.value }) });
    return h("span", { class: "row" }, button("Invite a bot", invite), choice);
  }

  async #listBots() {
    const listed = this.room.table.seats.map((row) => row.name).join();
    if (this.listed === listed) return;
    this.listed = listed;
    const found = await this.#ask({ t: "list", game: this.room.game });
    this.bots = found?.bots.filter((bot) => bot.free > 0) ?? [];
    this.#show();
  }

  // --- the end of a match ---

  #result() {
    const { room } = this, { over, view } = room;
    const key = over ? over.digest : room.table.state === "pause" ? `round ${view?.round}` : null;
    if (this.resultKey === key) return;
    this.resultKey = key;
    this.results.hidden = key === null || (!over && !this.face?.standing);
    if (over) this.#over(over);
    else if (key && this.face?.standing) this.results.replaceChildren(h("h2", {}, `End of round ${view.round}`), this.face.standing(room),
      room.seat === null ? "" : button("Go on", () => this.#ready()));
  }

  #over({ result, digest, seen, reveal }) {
    const { room } = this, { ranks, scores, why } = result;
    const order = Object.keys(ranks).sort((a, b) => ranks[a] - ranks[b] || a - b);
    const first = order.filter((seat) => ranks[seat] === 1), won = first.includes(String(room.seat));
    const title = won ? (first.length > 1 ? "A win for you" : "You win!") : first.length === 1 ? `${clean(room.name(Number(first[0])))} wins`
      : order.length === 1 ? "Lost" : "The match is over";
    const rows = order.map((seat) => h("tr", { class: Number(seat) === room.seat ? "me" : "" }, h("td", {}, `${ranks[seat]}.`),
      h("th", { scope: "row" }, who(room.name(Number(seat)))), h("td", {}, String(scores[seat] ?? 0))));
    const fair = seen ? (commitment(reveal) === room.commit ? "✓ Fair: the secret behind the deals fits its commitment."
      : "✗ The revealed secret does not fit the commitment shown before: this match may have been rigged.") : "";
    this.results.replaceChildren(h("h2", {}, title), h("p", { class: "dim" }, WHY[why] ?? why),
      h("table", { class: "ranks" }, h("caption", { class: "unseen" }, "Result"), h("tbody", {}, ...rows)), ...(this.face?.review?.(room, result) ?? []),
      h("p", { class: fair.startsWith("✗") ? "wrong" : "dim" }, fair),
      h("p", { class: "dim digest" }, `digest ${digest}`),
      h("p", { class: "row" }, button("Save the game file", () => this.#save(digest, false)), button("See it again", () => this.#save(digest, true))));
    say(`${title}. ${WHY[why] ?? ""}`);
  }

  async #save(digest, replay) {
    const lines = [];
    for (let after = 0; after !== undefined; ) {
      const part = await this.#ask({ t: "file", digest, after });
      if (!part) return;
      lines.push(...part.lines);
      after = part.after;
    }
    const content = `${lines.join("\n")}\n`;
    if (replay) {
      this.app.saved = { content, digest };
      return this.app.go("#replay");
    }
    const url = URL.createObjectURL(new Blob([content], { type: "application/jsonl" }));
    h("a", { href: url, download: `${this.room.game}-${digest.slice(0, 12)}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  // --- what a person does ---

  async #ask(message) {
    try {
      return await this.app.ask(message);
    } catch (error) {
      this.app.toast(error.message);
      return null;
    }
  }

  async #sit(name, key) {
    if (name !== this.app.me.name || key) {
      await this.app.rename(name, key);
      await this.app.ask({ t: "join", room: this.code, as: "player" });
      this.room = this.app.session.rooms.get(this.code);
      this.heard({ t: "joined" });
    } else await this.app.ask({ t: "join", room: this.code, as: "player" });
    this.waitKey = null;
    this.#show();
  }

  #ready() {
    const { own, table } = this.room, back = own?.ready && table.state !== "pause";
    this.#ask({ t: "ready", room: this.code, ...(back && { ready: false }) });
  }

  async #say(event) {
    event.preventDefault();
    const line = clean(this.chat.value).trim();
    if (!line) return;
    this.chat.value = "";
    await this.#ask({ t: "chat", room: this.code, text: line });
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.app.roomUrl(this.code));
      this.app.toast("The link is copied.");
    } catch { // only pages that came over TLS may
      dialog("The link to this room", h("p", {}, h("input", { readonly: true, class: "link", "aria-label": "Link", value: this.app.roomUrl(this.code) })));
    }
  }

  leave() {
    const { room } = this;
    if (room.seat === null || !room.underWay) return void this.#leave();
    const sure = button("Leave and give the seat up", () => { box.close(); this.#leave(); }, { class: "danger" });
    const box = dialog("Leave the match?", h("p", {}, "If you leave, your seat is given up."), h("p", { class: "row" }, sure));
  }

  async #leave() {
    await this.#ask({ t: "leave", room: this.code });
    if (this.app.view === this) this.app.go("");
  }

  #help() {
    const keys = [...(this.face?.keys ?? []), ["t", "say something"], ["q", "leave"]];
    const single = h("input", { type: "checkbox", checked: this.app.singleKeys, onchange: () => this.app.useSingleKeys(single.checked) });
    dialog("Keys", h("dl", { class: "keys" }, ...keys.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)])),
      h("p", {}, h("label", {}, single, " Single keys do things")), ...(this.face?.help ?? []).map((line) => h("p", {}, line)));
  }
}

/** A line for each thing at the table that a person wants to hear of. */
function* changes(room, before) {
  const was = new Map(before.seats.map((row) => [row.name, row])), now = new Map(room.table.seats.map((row) => [row.name, row]));
  for (const name of was.keys()) if (!now.has(name)) yield `${name} has left.`;
  for (const [name, row] of now) {
    const old = was.get(name);
    if (!old) yield `${name} (${row.kind}) sits down.`;
    else if (row.by !== old.by) yield row.by === "standin" ? `A stand-in plays for ${name}.` : `${name} plays again.`;
    else if (old.here !== row.here) yield row.here ? `${name} is back.` : `${name} has lost the connection.`;
    if (row.ready && !old?.ready && row.kind === "human") yield `${name} is ready.`;
  }
  if (room.table.host !== before.host && room.table.host && before.host) yield `${room.table.host} is the host now.`;
  if (room.table.state !== before.state && room.table.state === "playing" && before.state !== "pause") yield "The match begins.";
}
