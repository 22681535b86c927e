// Let a spectator take a seat.

import { nameForm, rename } from "../name_form.js";

/** Show the form in the room `view`, unless its match has begun in the meantime. */
export function seatForm(view) {
  const { app, code } = view;
  view.form ??= nameForm(app, "Take a seat", async (name, key) => {
    await rename(app, name, key);
    await app.ask({ t: "join", room: code, as: "player" });
    view.heard({ t: "joined" });
  });
  if (view.room.seat === null && !view.room.underWay) view.wait.append(view.form);
}
