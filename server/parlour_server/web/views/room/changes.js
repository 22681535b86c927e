// Describe how a room has changed.

import { say } from "../../core/phrases.js";

/**
 * Yield a line for each change between two tables, as the protocol calls them.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 */
export function* changes(table, before) {
  const was = new Map(before.seats.map((row) => [row.name, row])), now = new Map(table.seats.map((row) => [row.name, row]));
  for (const name of was.keys()) if (!now.has(name)) yield say("room.left", { name });
  for (const [name, row] of now) {
    const old = was.get(name);
    if (!old) yield say("room.sat", { name, kind: row.kind });
    else if (row.by !== old.by) yield say(`room.${row.by}`, { name });
    else if (old.here !== row.here) yield say(row.here ? "room.back" : "room.away", { name });
    if (row.ready && !old?.ready && row.kind === "human") yield say("room.ready", { name });
  }
  if (table.host !== before.host && table.host && before.host) yield say("room.host", { name: table.host });
  if (table.state !== before.state && table.state === "playing" && before.state !== "pause") yield say("room.begins");
}
