// What has changed at a table, in words.

/** A line for each thing that a person wants to hear of; `before`: the table as it was. */
export function* changes(table, before) {
  const was = new Map(before.seats.map((row) => [row.name, row])), now = new Map(table.seats.map((row) => [row.name, row]));
  for (const name of was.keys()) if (!now.has(name)) yield `${name} has left.`;
  for (const [name, row] of now) {
    const old = was.get(name);
    if (!old) yield `${name} (${row.kind}) sits down.`;
    else if (row.by !== old.by) yield row.by === "standin" ? `A stand-in plays for ${name}.` : `${name} plays again.`;
    else if (old.here !== row.here) yield row.here ? `${name} is back.` : `${name} has lost the connection.`;
    if (row.ready && !old?.ready && row.kind === "human") yield `${name} is ready.`;
  }
  if (table.host !== before.host && table.host && before.host) yield `${table.host} is the host now.`;
  if (table.state !== before.state && table.state === "playing" && before.state !== "pause") yield "The match begins.";
}
