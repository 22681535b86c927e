// What the banner says when the connection has ended for good.

import { button, h } from "../core/dom.js";

const ENDED = {
  replaced: "You have come back in another tab or window, so this one has stopped.",
  banned: "The operator of this server has shut you out.",
  deleted: "This identity has been deleted.",
};

/** Show why the connection has ended, and offer to come back as a guest. */
export function ended(app, banner, { why, msg }) {
  banner.replaceChildren(h("span", {}, `${ENDED[why] ?? (msg || `The server has closed the connection (${why}).`)} `),
    button("Watch here as a guest", () => {
      banner.hidden = true;
      app.forget();
      app.begin();
    }));
  banner.hidden = false;
}
