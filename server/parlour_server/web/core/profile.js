// What profiles say, in words, and what counts for them.

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

/**
 * What counts in a match whose deal was chosen or is that of the day, in words; and whether it is the `first` attempt
 * at the match of the day, where the server says so.
 * @param {App} app
 * @param {Room} room
 * @param {boolean} again whether a match has been played in this room before
 * @returns {Promise<{ words: string, first?: boolean }>}
 */
export async function whatCounts(app, { code, table: { fair } }, again) {
  if (fair.deal !== "daily") return { words: say("page.result.practice") };
  const [, day, board] = fair.context.split("/"),
    { you } = await app.ask({ t: "daily", board, day }).catch(() => ({ you: null }));
  if (!you?.room) return { words: say("page.room.attempt", { attempt: null, result: null }) };
  const { room, ms, points } = you,
    first = room === code && !again,
    result =
      ms === undefined ? null : points === undefined ? clock(ms) : say("page.result.daily.points", { n: points });
  return { words: say("page.room.attempt", { attempt: first ? "first" : "later", result }), first };
}
