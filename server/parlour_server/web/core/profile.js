// What profiles say, in words.

import { clock, say } from "./phrases.js";

const STREAK = 2; // wins in a row from which on they are worth a line

/**
 * What the last match of a profile has brought: a record, a streak.
 * @param {Protocol.ProfileRow} row
 */
export function moment({ last: [last], streak, longest }) {
  const before = last?.before === undefined ? null : clock(last.before);
  return [
    last?.record && last.ms !== undefined && say("page.result.record", { time: clock(last.ms), before }),
    streak >= STREAK && say("page.result.streak", { n: streak, longest: streak === longest }),
  ].filter(Boolean);
}
