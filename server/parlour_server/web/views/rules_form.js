// The parts of a form for a room: its fields, and the options of a game with their usual values.

import { h, set } from "../core/dom.js";
import { known, say, times } from "../core/phrases.js";
import { game as parts } from "./games.js";
import { CLOCK, GAMES } from "./form_options.js";

/** @type {Record<string, Protocol.Clock | null>} */
export const CLOCKS = {
  usual: CLOCK,
  quick: { bank: 20_000, add: 5_000 },
  slow: { bank: 300_000, add: 60_000 },
  day: { bank: 86_400_000, add: 86_400_000, cap: 86_400_000 },
  none: null,
};
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

/**
 * A clock in words, by its name in the list of clocks or as a clock of its own.
 * @param {string} name
 * @param {Protocol.Clock | null} clock
 */
export const clockWords = (name, clock) =>
  clock ? say("page.form.clock.is", { clock: name, ...times(clock) }) : say("page.form.clock.none");

/** One setting: an input, its label, and what it means. */
export class Field {
  /**
   * @param {string} name
   * @param {any} input
   * @param {{ label?: string, means?: string, unit?: string, scale?: number, none?: number | null, when?: ((options:
   *   Plain) => boolean) | null }} more
   */
  constructor(name, input, { label = spaced(name), means = "", unit = "", scale = 1, none = null, when = null } = {}) {
    this.name = name;
    this.input = input;
    this.scale = scale;
    this.none = none;
    this.when = when;
    this.touched = false;
    input.id = `field-${name.replace(/\W/g, "-")}`;
    input.addEventListener("change", () => {
      this.touched = true;
    });
    const rest = [unit, means].filter(Boolean).join(". "),
      more = rest && h("span", { class: "dim", id: `${input.id}-means` }, rest);
    if (more) set(input, { "aria-describedby": more.id });
    this.el = h(
      "div",
      { class: "field" },
      input.matches("fieldset") ? null : h("label", { for: input.id }, label),
      input,
      more,
    );
  }

  get value() {
    const { input, scale, none } = this;
    if (input.matches("fieldset")) return input.querySelector(":checked").value;
    if (input.type === "checkbox") return input.checked;
    if (input.type === "number") return input.value === "" ? none : Math.round(Number(input.value) * scale);
    return input.value;
  }

  set value(value) {
    const { input, scale, none } = this;
    if (input.matches("fieldset")) for (const radio of input.elements) radio.checked = radio.value === value;
    else if (input.type === "checkbox") input.checked = value;
    else input.value = input.type !== "number" ? value : value === none ? "" : value / scale;
  }
}

/** @param {Record<string, string>} words */
export const select = (words) =>
  h("select", {}, ...Object.entries(words).map(([value, label]) => h("option", { value }, label)));
/** @param {boolean} on */
export const box = (on) => h("input", { type: "checkbox", checked: on });

/**
 * A choice of cards, each with a name and a sentence.
 * @param {string} name
 * @param {string} key
 * @param {string[]} values
 */
function cards(name, key, values) {
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", { class: "unseen" }, words(key, name)),
    ...values.map((value) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name, value }),
        h("b", {}, say(`${key}.${value}`)),
        h("span", {}, say(`${key}.${value}.means`)),
      ),
    ),
  );
}

/** The seats and the options of a game: most people's choices, and the rest under "more". */
export class RulesForm {
  /** @type {Map<string, Field>} The options of the game. */
  options = new Map();
  game = "";

  constructor() {
    this.seats = new Field("seats", h("input", { type: "number" }), { label: say("page.form.seats") });
    this.variant = h("div");
    this.first = h("div", { class: "fields" });
    this.more = h("div", { class: "fields" });
    this.els = [
      this.variant,
      this.first,
      h("details", { class: "more" }, h("summary", {}, say("page.form.more")), this.more),
    ];
  }

  /**
   * Show the options of a game: their usual values, or those of a table.
   * @param {string} name
   * @param {() => boolean} wanted
   * @param {{ options: Plain, size?: number } | null} table
   */
  async show(name, wanted = () => true, table = null) {
    this.game = "";
    const { FORM } = (await parts(name).form?.()) ?? { FORM: NONE };
    if (!wanted()) return;
    const offered = new Map(GAMES[name].options.map((option) => [option.name, option])),
      make = (/** @type {Option} */ option) => {
        const key = `${name}.option.${option.name}`,
          more = FORM.fields[option.name] ?? {},
          explained = FORM.explained?.includes(option.name) ?? true;
        return new Field(option.name, this.#input(key, option, FORM), {
          label: words(key, spaced(option.name)),
          means: explained ? words(`${key}.means`, option.means) : "",
          unit: more.scale ? say("page.form.seconds") : "",
          ...more,
        });
      };
    this.options = new Map([...offered].map(([field, option]) => [field, make(option)]));
    this.game = name;
    this.seats.touched = false;
    this.variant.replaceChildren(...(FORM.cards ? [this.#field(FORM.cards).el] : []));
    const first = FORM.first ?? [...offered.keys()];
    this.first.replaceChildren(this.seats.el, ...first.map((field) => this.#field(field).el));
    this.more.replaceChildren(
      ...[...this.options].filter(([field]) => field !== FORM.cards && !first.includes(field)).map(([, { el }]) => el),
    );
    this.usual();
    if (table) this.#fill(table);
  }

  /** @param {{ options: Plain, size?: number }} table */
  #fill({ options, size }) {
    for (const [name, field] of this.options) {
      if (!(name in options) || field.value === options[name]) continue;
      field.value = options[name];
      field.touched = true;
      this.usual(); // a preset changes what is usual for the others
    }
    if (size === undefined) return;
    this.seats.value = size;
    this.seats.touched = true;
  }

  /**
   * @param {string} key
   * @param {Plain} option
   * @param {Plain} form
   */
  #input(key, { name, allowed, low, high, usual }, { cards: first, fields }) {
    if (name === first && allowed) return cards(name, key, allowed);
    if (typeof usual === "boolean") return box(usual);
    if (allowed)
      return select(
        Object.fromEntries(
          allowed.map((/** @type {any} */ value) => [value, words(`${key}.${value}`, spaced(String(value)))]),
        ),
      );
    const { scale = 1, none } = fields[name] ?? {};
    return h(
      "input",
      typeof usual === "number"
        ? {
            type: "number",
            placeholder: none === undefined ? null : say(`${key}.none`),
            min: low / scale,
            max: high / scale,
            step: scale === 1 ? 1 : "any",
          }
        : { type: "text" },
    );
  }

  /**
   * @param {string} name
   * @returns {Field}
   */
  #field(name) {
    return /** @type {Field} */ (this.options.get(name));
  }

  /** Show the usual values of the settings that were not touched, and only the settings that apply. */
  usual() {
    if (!this.game) return; // its options are on their way
    const { options, seats } = GAMES[this.game];
    /** @type {Plain} */
    const values = { seats };
    for (const option of options) values[option.name] = option.usual;
    for (const { name, then } of options)
      if (this.#field(name).touched) Object.assign(values, then?.[this.#field(name).value]);
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

  /** The options that were chosen. */
  get chosen() {
    return Object.fromEntries(
      [...this.options.values()]
        .filter(({ touched, el, value }) => touched && !el.hidden && value !== null)
        .map(({ name, value }) => [name, value]),
    );
  }
}
