// What the banner says when the connection has ended for good.

import { button, h } from "../core/dom.js";
import { say } from "../core/phrases.js";

const SAID = ["replaced", "banned", "deleted"];

/**
 * Show why the connection has ended, and offer to come back as a guest.
 * @param {App} app
 * @param {HTMLElement} banner
 * @param {ConnectionState} state
 */
export function ended(app, banner, { why = "", msg }) {
  banner.replaceChildren(
    h("span", {}, `${msg && !SAID.includes(why) ? msg : say("page.ended.why", { why })} `),
    button(say("page.ended.guest"), () => {
      banner.hidden = true;
      app.forget();
      app.start();
    }),
  );
  banner.hidden = false;
}
