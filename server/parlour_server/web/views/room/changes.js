// Describe how a room has changed.

import { say, times } from "../../core/phrases.js";

/**
 * Yield a line for each change between two tables, as the protocol calls them.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 * @param {string[]} rules
 */
export function* changes(table, before, rules) {
  const was = new Map(before.seats.map((row) => [row.name, row])), now = new Map(table.seats.map((row) => [row.name, row]));
  const given = new Map(table.seats.flatMap(({ seat, name }) => { // one goes and one comes with one change
    const old = before.seats.find((row) => row.seat === seat)?.name;
    return old !== undefined && !was.has(name) && !now.has(old) ? [[name, old]] : [];
  })), gone = new Set(given.values());
  for (const name of was.keys()) if (!now.has(name) && !gone.has(name)) yield say("room.left", { name });
  for (const [name, row] of now) {
    const old = was.get(name);
    if (given.has(name)) yield say("room.handed", { name, before: given.get(name) });
    else if (!old) yield say("room.sat", { name, kind: row.kind });
    else if (row.by !== old.by) yield say(`room.${row.by}`, { name });
    else if (old.here !== row.here) yield say(row.here ? "room.back" : "room.away", { name });
    if (row.ready && !old?.ready && row.kind === "human") yield say("room.ready", { name });
  }
  if (table.host !== before.host && table.host && before.host) yield say("room.host", { name: table.host });
  for (const { seat, name } of table.requests ?? []) {
    if (!before.requests?.some((asked) => asked.seat === seat && asked.name === name)) yield say("room.asks", { name, owner: table.seats.find((row) => row.seat === seat)?.name ?? "" });
  }
  for (const name of table.queue ?? []) if (!before.queue?.includes(name)) yield say("room.waits", { name });
  const changed = [...newRules(table, before, rules)];
  if (changed.length && table.host) yield say("room.changed", { name: table.host, rules: changed.join(", ") });
  if (table.state !== before.state && table.state === "playing" && before.state !== "pause") yield say("room.begins");
}

/**
 * Yield the rules, the seats and the clock, each if the host has changed it.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 * @param {string[]} rules
 */
function* newRules({ options, size, clock }, before, rules) {
  const differ = (/** @type {unknown} */ one, /** @type {unknown} */ other) => JSON.stringify(one) !== JSON.stringify(other);
  if (differ(options, before.options)) yield* rules.length ? rules : [say("room.usual_rules")];
  if (size !== undefined && size !== before.size) yield say("room.seats", { n: size });
  if (clock !== undefined && differ(clock, before.clock)) yield say("room.clock", times(clock));
}
