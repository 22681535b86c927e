// Describe how a room has changed.

/**
 * Yield a line for each change between two tables, as the protocol calls them.
 * @param {Protocol.Table} table
 * @param {Protocol.Table} before
 */
export function* changes(table, before) {
  const was = new Map(before.seats.map((row) => [row.name, row])), now = new Map(table.seats.map((row) => [row.name, row]));
  for (const name of was.keys()) if (!now.has(name)) yield `${name} left.`;
  for (const [name, row] of now) {
    const old = was.get(name);
    if (!old) yield `${name} (${row.kind}) took a seat.`;
    else if (row.by !== old.by) yield row.by === "standin" ? `A stand-in plays for ${name}.` : `${name} is playing again.`;
    else if (old.here !== row.here) yield row.here ? `${name} is back.` : `${name} lost the connection.`;
    if (row.ready && !old?.ready && row.kind === "human") yield `${name} is ready.`;
  }
  if (table.host !== before.host && table.host && before.host) yield `${table.host} is now the host.`;
  if (table.state !== before.state && table.state === "playing" && before.state !== "pause") yield "The match begins.";
}
