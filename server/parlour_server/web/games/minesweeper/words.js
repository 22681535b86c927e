// Minesweeper in words: cells, options, and events.

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const column = (x) => (x < 26 ? LETTERS[x] : LETTERS[Math.floor(x / 26) - 1] + LETTERS[x % 26]);
/** A cell as on a chessboard, but from the top: d5. */
export const cellName = (x, y) => `${column(x)}${y + 1}`;
const CHARS = { ".": "closed", F: "flagged", 0: "empty", "*": "mine, set off", A: "mine found by seat 0", B: "mine found by seat 1",
  M: "unmarked mine", X: "wrong flag" };
export const cellWords = (char) => CHARS[char] ?? `${char}`;
const TITLES = { solo: "Solo", race: "Race", coop: "Co-op", duel: "Duel" };

/** The mode, the board and the special rules. */
export function rules(options) {
  const { mode, level, width, height, mines, lives, penalty } = options;
  return [TITLES[mode] ?? mode, level === "custom" ? `${width}×${height}, ${mines} mines` : mode === "duel" ? "16×16" : level,
    options.no_guess && "no guessing", lives > 1 && `${lives} lives`, penalty > 0 && `${penalty / 1000} s penalty for a mine`].filter(Boolean);
}

// --- events ---

const WHY_OUT = { resigned: "resigns", left: "left" };
const ENDS = { won: "The board is clear: won.", lost: "The board is lost.", no_board: "No board that needs no guessing was found." };
const some = (n, one, many = `${one}s`) => (n === 1 ? `1 ${one}` : `${n} ${many}`);
const cells = (at) => at.slice(0, 8).map(([x, y]) => cellName(x, y)).join(", ") + (at.length > 8 ? ` and ${at.length - 8} more` : "");
const line = (room, seat, does, bare, rest = "") => (seat === room.seat ? `You ${bare}${rest}.` : `${room.name(seat)} ${does}${rest}.`);

export const EVENTS = {
  __proto__: null,
  making: () => "Searching for a board that needs no guessing.",
  board: (room, e) => ("at" in e ? `The mines are placed. ${cellName(...e.at)} is open.` : "The mines are placed."),
  open: (room, e) => ("at" in e ? line(room, e.seat, "opens", "open", ` ${cells(e.at)}${e.n > e.at.length ? `: ${e.n} cells` : ""}`) : null),
  flag: (room, e) => (e.on ? line(room, e.seat, "flags", "flag", ` ${cells(e.at)}`) : line(room, e.seat, "unflags", "unflag", ` ${cells(e.at)}`)),
  mine: (room, e) => line(room, e.seat, "sets", "set", ` off ${e.at ? `the mine at ${cellName(...e.at)}` : "a mine"}`),
  out: (room, e) => {
    const frozen = room.view?.mode === "coop" && e.why === "clock";
    if (e.seat === room.seat) return frozen ? "You ran out of time." : "You are out.";
    return `${room.name(e.seat)} ${frozen ? "ran out of time" : WHY_OUT[e.why] ?? "is out"}.`;
  },
  done: (room, e) => line(room, e.seat, "has", "have", ` cleared the board in ${(e.ms / 1000).toFixed(1)} s`),
  found: (room, e) => line(room, e.seat, "finds", "find", ` ${e.at.length === 1 ? "a mine" : "mines"} at ${cells(e.at)}`),
  miss: (room, e) => line(room, e.seat, "finds", "find", ` no mine at ${cellName(...e.at)}${e.n > 1 ? `; ${e.n} cells open` : ""}`),
  bomb: (room, e) => line(room, e.seat, "bombs", "bomb", ` around ${cellName(...e.at)}: ${some(e.found, "mine")}`),
  pass: (room, e) => line(room, e.seat, "passes", "pass"),
  end: (room, e) => ENDS[e.why] ?? null,
};
/** The log line for an event, null if it has none. */
export const describe = (room, event) => EVENTS[event.e]?.(room, event) ?? null;
