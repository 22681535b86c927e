// What the banner says when the connection has ended for good.

import { button, h } from "../core/dom.js";

/** @type {Record<string, string>} */
const ENDED = {
  replaced: "You are connected in another tab or window, so this one was disconnected.",
  banned: "An admin of this server has banned you.",
  deleted: "This identity has been deleted.",
};

/**
 * Show why the connection has ended, and offer to come back as a guest.
 * @param {App} app
 * @param {HTMLElement} banner
 * @param {ConnectionState} state
 */
export function ended(app, banner, { why, msg }) {
  banner.replaceChildren(h("span", {}, `${ENDED[why ?? ""] ?? (msg || `The server closed the connection (${why}).`)} `),
    button("Continue as a guest", () => {
      banner.hidden = true;
      app.forget();
      app.start();
    }));
  banner.hidden = false;
}
