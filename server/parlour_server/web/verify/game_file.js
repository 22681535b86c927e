// Read a match file: its records, if the hash chain and the commitment are right.

import { commitment, hex, join, sha256, utf8 } from "../core/fair.js";
import { say } from "../core/phrases.js";

/**
 * The canonical JSON of plain data: keys sorted, no spaces.
 * @param {any} value
 * @returns {string}
 */
export const canonical = (value) =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(",")}]`
    : value !== null && typeof value === "object"
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join(",")}}`
      : JSON.stringify(value);

/**
 * An error about a file: what is wrong, after the line it is in.
 * @param {string} what
 * @param {number | null} line
 * @param {Plain} fields
 */
export function wrong(what, line = null, fields = {}) {
  const words = say(`page.replay.wrong.${what}`, fields);
  return new Error(line === null ? words : say("page.replay.wrong.line", { n: line, what: words }));
}

/**
 * The content of the file of a match from the server, and whether it reviews the match. Fails with its refusal.
 * @param {string} digest
 * @param {(message: Ask) => Promise<any>} ask
 */
export async function fetched(digest, ask) {
  const lines = [];
  let review = false;
  for (let after = 0; after !== undefined; ) {
    const part = await ask({ t: "file", digest, after });
    lines.push(...part.lines);
    review ||= part.review;
    after = part.after;
  }
  return { content: `${lines.join("\n")}\n`, review };
}

/**
 * @param {string} line
 * @param {number} number
 */
function parsed(line, number) {
  try {
    return JSON.parse(line);
  } catch {
    throw wrong("json", number);
  }
}

/**
 * Read the records of a match file. Fails with what is wrong.
 * @param {string} content
 * @param {string | null} [digest]
 */
export function check(content, digest = null) {
  let chain = new Uint8Array();
  if (!content.startsWith("{")) throw wrong("json", 1);
  if (content.includes("\r")) throw wrong("crlf");
  if (!content.endsWith("\n")) throw wrong("end");
  const records = content
    .slice(0, -1)
    .split("\n")
    .map((line, at) => {
      const { h: hash, ...record } = parsed(line, at + 1);
      chain = sha256(join(chain, utf8(canonical(record))));
      if (line !== canonical({ ...record, h: hex(chain) })) throw wrong("hash", at + 1);
      return record;
    });
  const begun = records[0];
  if (digest !== null && digest !== hex(chain)) throw wrong("digest");
  if (begun.r !== "begun" || records.at(-1)?.r !== "over") throw wrong("part");
  if (commitment(begun.secret) !== begun.commit) throw wrong("commitment", 1);
  if (begun.nonces.length !== begun.players.length + (begun.beacon ? 1 : 0)) throw wrong("nonces", 1);
  if (!begun.deal && !begun.context.endsWith(`/${begun.match}`)) throw wrong("context", 1);
  return { records, digest: hex(chain) };
}
