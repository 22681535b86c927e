// Make and update elements. Text is always set as text and never parsed as HTML. `h`, `set` and `text` remove
// characters that are invisible or change the direction of text.

/**
 * An element of index.html.
 * @param {string} id
 */
export const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {unknown} value */
const absent = (value) => value === null || value === undefined || value === false;

/**
 * Remove invisible and direction-changing characters, but for tabs and ends of lines.
 * @param {unknown} words
 */
export const clean = (words) => String(words).replace(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");

/** @param {Child[]} children */
const nodes = (children) =>
  /** @type {(Node | string)[]} */ (children.flat(2))
    .filter((child) => !absent(child))
    .map((child) => (typeof child === "string" ? clean(child) : child));

/**
 * Make an element. `on…` are listeners, `value` and `checked` properties, all others attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} props
 * @param {Child[]} children
 */
export function h(tag, props = {}, ...children) {
  /** @type {HTMLElementTagNameMap[Tag] & Plain} */
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (absent(value)) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") el[name] = value;
    else el.setAttribute(name, value === true ? "" : clean(value));
  }
  el.append(...nodes(children));
  return /** @type {HTMLElementTagNameMap[Tag]} */ (el);
}

/**
 * @param {Child} label
 * @param {(event: any) => unknown} press
 * @param {Props} props
 */
export const button = (label, press, props = {}) => h("button", { type: "button", onclick: press, ...props }, label);

/**
 * A name, isolated: right-to-left letters in it do not reorder the text around it.
 * @param {unknown} name
 * @param {Props} props
 */
export const who = (name, props = {}) => h("bdi", { class: "who", ...props }, String(name));

/**
 * Set the attributes that change; null and false remove one.
 * @param {Element} el
 * @param {Record<string, string | number | boolean | null | undefined>} props
 */
export function set(el, props) {
  for (const [name, value] of Object.entries(props)) {
    if (absent(value)) el.removeAttribute(name);
    else if (el.getAttribute(name) !== clean(value)) el.setAttribute(name, clean(value));
  }
}

/**
 * Set properties of an element's style.
 * @param {HTMLElement} el
 * @param {Record<string, string | number>} values
 */
export const put = (el, values) => {
  for (const [name, value] of Object.entries(values)) el.style.setProperty(name, String(value));
};

/**
 * The head of a table, with a column for each name.
 * @param {string[]} names
 */
export const tableHead = (...names) =>
  h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));

/**
 * Set the text of an element if it changes.
 * @param {Element} el
 * @param {string} words
 */
export const text = (el, words) => {
  if (el.textContent !== clean(words)) el.textContent = clean(words);
};

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Whether an element shows something else than `key` stands for. Remembers `key`.
 * @param {Element} el
 * @param {string} key
 */
export function changes(el, key) {
  if (shown.get(el) === key) return false;
  shown.set(el, key);
  return true;
}

/**
 * Give `parent` one child for each key, in order; existing ones stay, with their focus.
 * @template {string | number} Key
 * @param {HTMLElement} parent
 * @param {Key[]} keys
 * @param {(key: Key) => HTMLElement} make
 */
export function keyed(parent, keys, make) {
  const old = new Map(/** @type {HTMLElement[]} */ ([...parent.children]).map((child) => [child.dataset.key, child]));
  const wanted = keys.map((key) => old.get(String(key)) ?? make(key));
  /** @type {Set<Element>} */
  const held = new Set(wanted);
  for (const child of [...parent.children]) if (!held.has(child)) child.remove();
  wanted.forEach((child, at) => {
    child.dataset.key = String(keys[at]);
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
  return wanted;
}

/** Resolves after the next frame, or immediately while the page is hidden. */
export async function framed() {
  if (!document.hidden) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/**
 * Those of some sizes in rem that a length in pixels does not exceed, as an attribute for the style sheet.
 * @param {number[]} sizes
 * @param {number} pixels
 */
export function notAbove(sizes, pixels) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return sizes.filter((each) => pixels <= each * rem).join(" ");
}

const NARROW = [52, 44, 34.6, 34]; // rem

/**
 * Tell the style sheet how wide an element is, and which widths it does not exceed: queries of a container took
 * longer than the layout of all that is in it.
 * @template {HTMLElement} El
 * @param {El} el
 */
export function measured(el) {
  new ResizeObserver(([{ contentRect }]) => {
    set(el, { "data-narrow": notAbove(NARROW, contentRect.width) });
    put(el, { "--width": `${contentRect.width}px` });
  }).observe(el);
  return el;
}

/** @type {string[]} */
let waiting = [];

/**
 * Announce words to screen readers, batched.
 * @param {string} words
 */
export function announce(words) {
  if (waiting.push(words) > 1) return;
  setTimeout(() => {
    text(element("announcer"), waiting.slice(-64).join(" "));
    waiting = [];
  }, 400);
}

/** @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/**
 * Load a stylesheet once; resolves when it applies.
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export function style(name) {
  const found =
    styles.get(name) ??
    new Promise((done) => {
      document.head.append(
        h("link", {
          rel: "stylesheet",
          href: new URL(`../${name}`, import.meta.url).href,
          onload: done,
          onerror: done,
        }),
      );
    });
  styles.set(name, found);
  return found;
}
