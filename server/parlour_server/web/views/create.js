// The form for a new room: the game, its variant as cards, what most people change; all other settings under "more".

import { button, h, style, text } from "../core/dom.js";
import { known, say } from "../core/phrases.js";
import { title } from "./games.js";
import { CLOCKS, Field, RulesForm, box, clockWords, select } from "./rules_form.js";
import { GAMES } from "./form_options.js";

/** @type {Record<string, number | undefined>} */
const PACES = { usual: undefined, once: 0, brisk: 400, people: 900 };
/**
 * The settings of a room, each with its choices; true and false for a box that is checked or not, null for a number.
 */
const ROOM = {
  private: false,
  clock: Object.keys(CLOCKS),
  kinds: ["any", "humans", "bots"],
  watch: true,
  standin: true,
  rated: true,
  pace: Object.keys(PACES),
  delay: ["0", "10000", "30000", "60000"],
  seat_code: false,
  hints: true,
  start: ["host", "full"],
  as: ["player", "spectator"],
  deal: null,
};

/**
 * @param {Protocol.Clock | null} a
 * @param {Protocol.Clock | null} b
 */
const same = (a, b) => a?.bank === b?.bank && a?.add === b?.add && a?.cap === b?.cap;

/**
 * A setting of the room.
 * @param {[name: string, choices: string[] | boolean | null]} setting
 */
function setting([name, choices]) {
  const key = `page.form.${name}`,
    named = (/** @type {string} */ value) =>
      name === "clock" ? clockWords(value, CLOCKS[value]) : say(`${key}.${value}`);
  const input = Array.isArray(choices)
    ? select(Object.fromEntries(choices.map((value) => [value, named(value)])))
    : choices === null
      ? h("input", { type: "number", min: 0 })
      : box(choices);
  return new Field(name, input, { label: say(key), means: known(`${key}.means`) ? say(`${key}.means`) : "" });
}

export class View {
  title = say("page.shell.new");

  /**
   * @param {App} app
   * @param {string} wanted
   */
  constructor(app, wanted) {
    this.app = app;
    const games = Object.keys(GAMES).filter((name) => app.session.can.includes(name));
    this.game = new Field("game", select(Object.fromEntries(games.map((name) => [name, title(name)]))), {
      label: say("page.form.game"),
    });
    this.game.value = games.includes(wanted) ? wanted : games.includes("uno") ? "uno" : games[0];
    this.game.input.addEventListener("change", () => this.#game());
    this.rules = new RulesForm();
    this.presets = h("p", { class: "row", hidden: true });
    this.room = Object.entries(ROOM).map(setting);
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.form = h(
      "form",
      { onsubmit: (/** @type {SubmitEvent} */ event) => this.#create(event), onchange: () => this.rules.usual() },
      this.game.el,
      this.presets,
      ...this.rules.els,
      h(
        "details",
        { class: "more" },
        h("summary", {}, say("page.form.others")),
        h("div", { class: "fields" }, ...this.room.map(({ el }) => el)),
      ),
      this.wrong,
      h("p", { class: "submit" }, h("button", { class: "main" }, say("page.form.create"))),
    );
    this.el = h("section", { class: "sheet" }, h("h1", {}, this.title), this.form);
    this.#game();
  }

  begin() {
    style("styles/forms.css");
    style("styles/home.css");
    this.app.context(` › ${this.title}`);
  }

  /** Show the options of the chosen game. */
  #game() {
    const name = this.game.value;
    this.#listPresets(name);
    return this.rules.show(name, () => this.game.value === name);
  }

  /**
   * Offer the presets that people have saved on this server.
   * @param {string} game
   */
  async #listPresets(game) {
    this.presets.hidden = true;
    if (!this.app.session.can.includes("presets")) return;
    /** @type {Protocol.ServerPresets | null} */
    const found = await this.app.ask({ t: "presets", game }).catch(() => null);
    if (this.game.value !== game || !found?.presets.length) return;
    this.presets.replaceChildren(
      say("page.form.presets"),
      " ",
      ...found.presets.map((row) =>
        button(row.name, () => this.#use(row), {
          class: "small",
          title: say("page.form.presets.by", { name: row.by }),
        }),
      ),
    );
    this.presets.hidden = false;
  }

  /**
   * Fill in the rules of a preset.
   * @param {Protocol.PresetRow} row
   */
  async #use({ game, options, seats, clock }) {
    await this.rules.show(game, () => this.game.value === game, { options, size: seats });
    const field = /** @type {Field} */ (this.room.find(({ name }) => name === "clock")),
      name = Object.keys(CLOCKS).find((each) => same(CLOCKS[each], clock));
    if (name === undefined) {
      CLOCKS.preset = clock;
      field.input.querySelector("[value=preset]")?.remove();
      field.input.append(h("option", { value: "preset" }, clockWords("preset", clock)));
    }
    field.value = name ?? "preset";
  }

  /** @param {SubmitEvent} event */
  async #create(event) {
    event.preventDefault();
    const {
        clock: named,
        pace: speed,
        delay,
        deal: seed,
        ...room
      } = Object.fromEntries(this.room.map((field) => [field.name, field.value])),
      clock = named === "usual" ? undefined : CLOCKS[named],
      pace = PACES[speed];
    try {
      const deal = seed === null ? null : (await import("../core/fair.js")).seeded(seed);
      const joined = await this.app.ask({
        t: "create",
        game: this.game.value,
        options: this.rules.chosen,
        seats: this.rules.seats.value,
        ...(clock !== undefined && { clock }),
        ...(pace !== undefined && { pace }),
        ...(deal && { deal }),
        ...(delay !== "0" && { delay: Number(delay) }),
        ...room,
      });
      await this.app.go(`r/${joined.room}`);
    } catch (error) {
      text(this.wrong, await this.app.explain(error, this.game.value));
      this.wrong.dataset.code = error.code;
    }
  }
}
