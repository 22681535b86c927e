// Making elements. Text is only ever set as text: nothing that comes from others is parsed as HTML.

/** Make an element. `on…` are listeners, `value` and `checked` properties, all else attributes; false and null are left out. */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") el[name] = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return el;
}

export const button = (label, press, props = {}) => h("button", { type: "button", onclick: press, ...props }, label);

/** Somebody's name: kept apart, so that no letters in it turn the text around it. */
export const who = (name, props = {}) => h("bdi", { class: "who", ...props }, clean(name));

/** What others have written, without characters that show nothing or turn the direction of text. */
export const clean = (text) => String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "");

/** Set attributes where they change; null and false take one away. */
export function set(el, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) el.removeAttribute(name);
    else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, value);
  }
}

/** Change the text of an element if it is another one. */
export const text = (el, words) => { if (el.textContent !== words) el.textContent = words; };

/** Let `parent` hold one child for each key, in that order; those that are there are kept, with their focus. */
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

/** Let a screen reader say it, politely; what comes in quick succession is said together. */
export function say(words) {
  waiting.push(words);
  timer ??= setTimeout(() => {
    document.getElementById("say").textContent = waiting.slice(-64).join(" ");
    waiting = [];
    timer = null;
  }, 400);
}

const styles = new Map();

/** Load a stylesheet of the page once; the promise is kept when it holds. */
export function style(name) {
  if (!styles.has(name)) {
    styles.set(name, new Promise((done) => {
      document.head.append(h("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href, onload: done, onerror: done }));
    }));
  }
  return styles.get(name);
}
