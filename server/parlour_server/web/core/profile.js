// What profiles say, in words.

const STREAK = 2; // wins in a row from which on they are worth a line

/**
 * A time as minutes and seconds, rounded down.
 * @param {number} ms
 */
export const clock = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/**
 * What the last match of a profile has brought: a record, a streak.
 * @param {Protocol.ProfileRow} row
 */
export function moment({ last: [last], streak, longest }) {
  const before = last?.before === undefined ? "" : `, before ${clock(last.before)}`;
  return [last?.record && last.ms !== undefined && `New best time ${clock(last.ms)}${before}.`,
    streak >= STREAK && `${streak} wins in a row${streak === longest ? ", your longest streak" : ""}.`].filter(Boolean);
}
