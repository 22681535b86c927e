// The form with which the host changes the rules of a room between two matches.

import { h, text } from "../../core/dom.js";
import { say } from "../../core/phrases.js";
import { CLOCKS, Field, RulesForm, clockWords, select } from "../rules_form.js";
import { dialog } from "./menu.js";

/** @param {RoomView} view */
export async function configure(view) {
  const {
      app,
      room: { game, table },
    } = view,
    rules = new RulesForm(),
    same = (/** @type {Protocol.Clock | null} */ clock) => JSON.stringify(clock) === JSON.stringify(table.clock);
  const named = Object.keys(CLOCKS).find((name) => same(CLOCKS[name])),
    clocks = named === undefined && table.clock ? { ...CLOCKS, own: table.clock } : CLOCKS;
  const clock = new Field(
    "clock",
    select(Object.fromEntries(Object.entries(clocks).map(([name, value]) => [name, clockWords(name, value)]))),
    { label: say("page.form.clock"), means: say("page.form.clock.means") },
  );
  clock.value = named ?? "own";
  const wrong = h("p", { class: "wrong", role: "alert" });
  const form = h(
    "form",
    {
      onchange: () => rules.usual(),
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        try {
          await app.ask({
            t: "configure",
            room: view.code,
            options: rules.chosen,
            seats: rules.seats.value,
            clock: clocks[clock.value],
          });
          box.close();
        } catch (error) {
          text(wrong, await app.explain(error, view.room.game));
          wrong.dataset.code = error.code;
        }
      },
    },
    ...rules.els,
    h("div", { class: "fields" }, clock.el),
    wrong,
    h("p", { class: "row" }, h("button", { class: "main" }, say("page.panel.rules"))),
  );
  await rules.show(game, () => true, table);
  const box = dialog(say("page.panel.rules"), form);
}
