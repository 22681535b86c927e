// The log of a room, and its chat.

import { clean, h, who } from "../../core/dom.js";

const MOST = 200; // lines

export class Log {
  /** `send(text)` sends a chat line. */
  constructor(send) {
    this.lines = h("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "Log and chat", tabindex: 0 });
    this.input = h("input", { name: "chat", maxlength: 200, autocomplete: "off", "aria-label": "Message", placeholder: "Message" });
    this.form = h("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      const line = clean(this.input.value).trim();
      this.input.value = "";
      if (line) send(line);
    } }, this.input, h("button", {}, "Send"));
  }

  chat(name, line) { this.add("said", who(name), " ", h("q", {}, clean(line))); }

  add(kind, ...parts) {
    const { lines } = this, atEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
    lines.append(h("p", { class: kind }, ...parts));
    while (lines.children.length > MOST) lines.firstChild.remove();
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  }
}
