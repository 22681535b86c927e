// Make and update elements. Text is always set as text and never parsed as HTML.

const absent = (value) => value === null || value === undefined || value === false;

/** Make an element. `on…` are listeners, `value` and `checked` properties, all others attributes. */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (absent(value)) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") el[name] = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.flat(2).filter((child) => !absent(child)));
  return el;
}

export const button = (label, press, props = {}) => h("button", { type: "button", onclick: press, ...props }, label);

/** A name, isolated: right-to-left letters in it do not reorder the text around it. */
export const who = (name, props = {}) => h("bdi", { class: "who", ...props }, clean(name));

/** Remove invisible and direction-changing characters. */
export const clean = (text) => String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");

/** Set the attributes that change; null and false remove one. */
export function set(el, props) {
  for (const [name, value] of Object.entries(props)) {
    if (absent(value)) el.removeAttribute(name);
    else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, value);
  }
}

/** The head of a table, with a column for each name. */
export const tableHead = (...names) => h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));

/** Set the text of an element if it changes. */
export const text = (el, words) => { if (el.textContent !== words) el.textContent = words; };

/** Give `parent` one child for each key, in order; existing ones stay, with their focus. */
export function keyed(parent, keys, make) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const wanted = keys.map((key) => old.get(String(key)) ?? make(key)), held = new Set(wanted);
  for (const child of [...parent.children]) if (!held.has(child)) child.remove();
  wanted.forEach((child, at) => {
    child.dataset.key = keys[at];
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
  return wanted;
}

let waiting = [], timer = null;

/** Announce words to screen readers, batched. */
export function announce(words) {
  waiting.push(words);
  timer ??= setTimeout(() => {
    document.getElementById("announcer").textContent = waiting.slice(-64).join(" ");
    waiting = [];
    timer = null;
  }, 400);
}

const styles = new Map();

/** Load a stylesheet once; resolves when it applies. */
export function style(name) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((done) => {
      document.head.append(h("link", { rel: "stylesheet", href: new URL(`../${name}`, import.meta.url).href, onload: done, onerror: done }));
    }));
  }
  return styles.get(name);
}
