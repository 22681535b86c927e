// Replay matches with the page's own modules. Reads a list of {records} or {text, digest} from stdin; writes for each
// to stdout:
// every view and the full state after each record, as text; or "sound", or why the file is refused.
import { readFileSync } from "node:fs";
import { add } from "../../server/parlour_server/web/core/phrases.js";
import { check } from "../../server/parlour_server/web/verify/game_file.js";
import { Replay } from "../../server/parlour_server/web/verify/replay.js";

add(JSON.parse(readFileSync(new URL("../../server/parlour_server/phrases/en.json", import.meta.url), "utf8")));

/** The same JSON for the same data: as Python writes it, keys in order, no spaces. */
function plain(data) {
  if (Array.isArray(data)) return `[${data.map(plain)}]`;
  if (data === null || typeof data !== "object") return JSON.stringify(data ?? null);
  const names = Object.keys(data)
    .filter((name) => data[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${plain(data[name])}`)}}`;
}

async function replayed(records) {
  const replay = await Replay.of(records),
    viewers = [null, ...records[0].players.keys()],
    steps = [];
  for (let at = 1; at <= records.length; at++) {
    replay.seek(at);
    const seen = viewers.map((viewer) => ({ view: replay.view(viewer), events: replay.events(viewer) }));
    const asked = viewers
      .slice(1)
      .map((seat) => replay.match.questions(seat))
      .map(({ legal, may }) => ({ legal, may: may.map(plain).sort() }));
    steps.push(plain({ seen, asked, outcome: replay.match.outcome, state: replay.match.canonical() }));
  }
  return steps;
}

async function verified({ text, digest = null }) {
  try {
    const replay = await Replay.of(check(text, digest).records);
    replay.verify();
    return "sound";
  } catch (error) {
    return error.message;
  }
}

/** Why the last of the records is refused; nothing if it is not. */
async function refused(records) {
  const replay = await Replay.of(records);
  replay.seek(records.length - 1);
  try {
    replay.seek(records.length);
  } catch (error) {
    return error.message;
  }
  return "";
}

const answers = [];
for (const asked of JSON.parse(readFileSync(0, "utf8")))
  answers.push(await (asked.records ? replayed(asked.records) : asked.last ? refused(asked.last) : verified(asked)));
process.stdout.write(JSON.stringify(answers));
