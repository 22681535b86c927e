// The form for a new room: the game, its variant as cards, what most people change; all other settings under "more".

import { h, set, style } from "../core/dom.js";
import { known, say } from "../core/phrases.js";
import { game as parts, title } from "./games.js";
import { CLOCK, GAMES } from "./form_options.js";

/** @type {Record<string, Protocol.Clock>} */
const CLOCKS = { usual: CLOCK, quick: { bank: 20_000, add: 5_000 }, slow: { bank: 300_000, add: 60_000 } };
/** @type {Record<string, number | undefined>} */
const PACES = { usual: undefined, once: 0, brisk: 400, people: 900 };
/** The settings of a room, each with its choices; true and false for a box that is checked or not, null for a number. */
const ROOM = { private: false, clock: [...Object.keys(CLOCKS), "none"], kinds: ["any", "humans", "bots"], watch: true, standin: true, pace: Object.keys(PACES),
  hints: true, start: ["host", "full"], as: ["player", "spectator"], deal: null };
/** @type {Form} */
const NONE = { fields: {} };
/** @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");

/**
 * The phrase `key`, or other words if the game has none.
 * @param {string} key
 * @param {string} otherwise
 */
const words = (key, otherwise) => (known(key) ? say(key) : otherwise);

/** @param {string} name */
const clockWords = (name) => (name in CLOCKS ? say("page.form.clock.is", { clock: name, ...CLOCKS[name] }) : say(`page.form.clock.${name}`));

/**
 * A setting of the room.
 * @param {[name: string, choices: string[] | boolean | null]} setting
 */
function setting([name, choices]) {
  const key = `page.form.${name}`, named = (/** @type {string} */ value) => (name === "clock" ? clockWords(value) : say(`${key}.${value}`));
  const input = Array.isArray(choices) ? select(Object.fromEntries(choices.map((value) => [value, named(value)]))) : choices === null ? h("input", { type: "number", min: 0 }) : box(choices);
  return new Field(name, input, { label: say(key), means: words(`${key}.means`, "") });
}

/** One setting: an input, its label, and what it means. */
class Field {
  /**
   * @param {string} name
   * @param {any} input
   * @param {{ label?: string, means?: string, unit?: string, scale?: number, when?: ((options: Plain) => boolean) | null }} more
   */
  constructor(name, input, { label = spaced(name), means = "", unit = "", scale = 1, when = null } = {}) {
    this.name = name;
    this.input = input;
    this.scale = scale;
    this.when = when;
    this.touched = false;
    input.id = `field-${name.replace(/\W/g, "-")}`;
    input.addEventListener("change", () => { this.touched = true; });
    const rest = [unit, means].filter(Boolean).join(". "), more = rest && h("span", { class: "dim", id: `${input.id}-means` }, rest);
    if (more) set(input, { "aria-describedby": more.id });
    this.el = h("div", { class: "field" }, input.matches("fieldset") ? null : h("label", { for: input.id }, label), input, more);
  }

  get value() {
    const { input, scale } = this;
    if (input.matches("fieldset")) return input.querySelector(":checked").value;
    if (input.type === "checkbox") return input.checked;
    if (input.type === "number") return input.value === "" ? null : Math.round(Number(input.value) * scale);
    return input.value;
  }

  set value(value) {
    const { input, scale } = this;
    if (input.matches("fieldset")) for (const radio of input.elements) radio.checked = radio.value === value;
    else if (input.type === "checkbox") input.checked = value;
    else input.value = input.type === "number" ? value / scale : value;
  }
}

/** @param {Record<string, string>} words */
const select = (words) => h("select", {}, ...Object.entries(words).map(([value, label]) => h("option", { value }, label)));
/** @param {boolean} on */
const box = (on) => h("input", { type: "checkbox", checked: on });

/**
 * A choice of cards, each with a name and a sentence.
 * @param {string} name
 * @param {string} key
 * @param {string[]} values
 */
function cards(name, key, values) {
  return h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, words(key, name)),
    ...values.map((value) => h("label", { class: "choice" }, h("input", { type: "radio", name, value }), h("b", {}, say(`${key}.${value}`)), h("span", {}, say(`${key}.${value}.means`)))));
}

export class View {
  title = say("page.shell.new");
  /** @type {Map<string, Field>} The options of the chosen game. */
  options = new Map();
  chosen = "";

  /**
   * @param {App} app
   * @param {string} wanted
   */
  constructor(app, wanted) {
    this.app = app;
    const games = Object.keys(GAMES).filter((name) => app.session.can.includes(name));
    this.game = new Field("game", select(Object.fromEntries(games.map((name) => [name, title(name)]))), { label: say("page.form.game") });
    this.game.value = games.includes(wanted) ? wanted : games.includes("uno") ? "uno" : games[0];
    this.game.input.addEventListener("change", () => this.#game());
    this.seats = new Field("seats", h("input", { type: "number" }), { label: say("page.form.seats") });
    this.room = Object.entries(ROOM).map(setting);
    this.variant = h("div");
    this.first = h("div", { class: "fields" });
    this.more = h("div", { class: "fields" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.form = h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => this.#create(event), onchange: () => this.#usual() }, this.game.el, this.variant, this.first,
      h("details", { class: "more" }, h("summary", {}, say("page.form.more")), this.more), h("details", { class: "more" }, h("summary", {}, say("page.form.others")), h("div", { class: "fields" }, ...this.room.map(({ el }) => el))),
      this.wrong, h("p", { class: "submit" }, h("button", { class: "main" }, say("page.form.create"))));
    this.el = h("section", { class: "sheet" }, h("h1", {}, this.title), this.form);
    this.#game();
  }

  begin() {
    style("styles/forms.css");
    style("styles/home.css");
    this.app.context(` › ${this.title}`);
  }

  /** Show the options of the chosen game. */
  async #game() {
    const name = this.game.value, { FORM } = (await parts(name).form?.()) ?? { FORM: NONE };
    if (this.game.value !== name) return;
    const offered = new Map(GAMES[name].options.map((option) => [option.name, option])), make = (/** @type {Option} */ option) => {
      const key = `${name}.option.${option.name}`, more = FORM.fields[option.name] ?? {}, explained = FORM.explained?.includes(option.name) ?? true;
      return new Field(option.name, this.#input(key, option, FORM), { label: words(key, spaced(option.name)), means: explained ? words(`${key}.means`, option.means) : "",
        unit: more.scale ? say("page.form.seconds") : "", ...more });
    };
    this.options = new Map([...offered].map(([field, option]) => [field, make(option)]));
    this.chosen = name;
    this.seats.touched = false;
    this.variant.replaceChildren(...(FORM.cards ? [this.#field(FORM.cards).el] : []));
    const first = FORM.first ?? [...offered.keys()];
    this.first.replaceChildren(this.seats.el, ...first.map((field) => this.#field(field).el));
    this.more.replaceChildren(...[...this.options].filter(([field]) => field !== FORM.cards && !first.includes(field)).map(([, { el }]) => el));
    this.#usual();
  }

  /**
   * @param {string} key
   * @param {Plain} option
   * @param {Plain} form
   */
  #input(key, { name, allowed, low, high, usual }, { cards: first, fields }) {
    if (name === first && allowed) return cards(name, key, allowed);
    if (typeof usual === "boolean") return box(usual);
    if (allowed) return select(Object.fromEntries(allowed.map((/** @type {any} */ value) => [value, words(`${key}.${value}`, spaced(String(value)))])));
    const { scale = 1 } = fields[name] ?? {};
    return h("input", typeof usual === "number" ? { type: "number", min: low / scale, max: high / scale, step: scale === 1 ? 1 : "any" } : { type: "text" });
  }

  /**
   * @param {string} name
   * @returns {Field}
   */
  #field(name) { return /** @type {Field} */ (this.options.get(name)); }

  /** Show the usual values of the settings that were not touched, and only the settings that apply. */
  #usual() {
    if (this.chosen !== this.game.value) return; // its options are on their way
    const { options, seats } = GAMES[this.chosen];
    /** @type {Plain} */
    const values = { seats };
    for (const option of options) values[option.name] = option.usual;
    for (const { name, then } of options) if (this.#field(name).touched) Object.assign(values, then?.[this.#field(name).value]);
    for (const [name, field] of this.options) {
      if (field.touched) values[name] = field.value;
      else field.value = values[name];
    }
    for (const field of this.options.values()) field.el.hidden = field.when !== null && !field.when(values);
    const [min, usual, max] = values.seats;
    set(this.seats.input, { min, max });
    if (!this.seats.touched || this.seats.value < min || this.seats.value > max) this.seats.value = usual;
    this.seats.el.hidden = min === max;
  }

  /** @param {SubmitEvent} event */
  async #create(event) {
    event.preventDefault();
    const { clock: named, pace: speed, deal: seed, ...room } = Object.fromEntries(this.room.map((field) => [field.name, field.value])), clock = named === "usual" ? undefined : CLOCKS[named] ?? null, pace = PACES[speed];
    const options = Object.fromEntries([...this.options.values()].filter(({ touched, el, value }) => touched && !el.hidden && value !== null).map(({ name, value }) => [name, value]));
    try {
      const deal = seed === null ? null : (await import("../core/fair.js")).seeded(seed);
      const joined = await this.app.ask({ t: "create", game: this.game.value, options, seats: this.seats.value, ...(clock !== undefined && { clock }), ...(pace !== undefined && { pace }), ...(deal && { deal }), ...room });
      await this.app.go(`r/${joined.room}`);
    } catch (error) {
      this.wrong.textContent = await this.app.explain(error);
      this.wrong.dataset.code = error.code;
    }
  }
}
