// Read a game file: its records, if the hash chain and the commitment are right.

import { commitment, hex, join, sha256, utf8 } from "../core/fair.js";

/**
 * The canonical JSON of plain data: keys sorted, no spaces.
 * @param {any} value
 * @returns {string}
 */
export const canonical = (value) =>
  Array.isArray(value) ? `[${value.map(canonical).join(",")}]`
  : value !== null && typeof value === "object" ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`
  : JSON.stringify(value);

/**
 * @param {string} line
 * @param {number} number
 */
function parsed(line, number) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`line ${number}: not a line of a match file`);
  }
}

/**
 * Read the records of a game file. Fails with what is wrong.
 * @param {string} content
 * @param {string | null} [digest]
 */
export function check(content, digest = null) {
  let chain = new Uint8Array();
  if (content.includes("\r")) throw new Error("lines end with CR LF instead of a line feed: something converted the file");
  if (!content.endsWith("\n")) throw new Error("the line feed at the end is missing: the file was cut off or edited");
  const records = content.slice(0, -1).split("\n").map((line, at) => {
    const { h: hash, ...record } = parsed(line, at + 1);
    chain = sha256(join(chain, utf8(canonical(record))));
    if (line !== canonical({ ...record, h: hex(chain) })) throw new Error(`line ${at + 1}: wrong hash or form`);
    return record;
  });
  const begun = records[0];
  if (digest !== null && digest !== hex(chain)) throw new Error("this is not the file with that digest");
  if (begun.r !== "begun" || records.at(-1)?.r !== "over") throw new Error("this file does not hold a whole match");
  if (commitment(begun.secret) !== begun.commit) throw new Error("line 1: the commitment does not match the secret");
  if (!begun.deal && !begun.context.endsWith(`/${begun.match}`)) throw new Error("line 1: the context does not match the number of the match");
  return { records, digest: hex(chain) };
}
