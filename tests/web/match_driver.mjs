// Plays matches again with the page's own modules. On stdin a list of {records} or {text, digest}; on stdout, for each:
// what all may see after each record and the whole state, as text; or that the file is sound, or why it is refused.
import { readFileSync } from "node:fs";
import { check } from "../../server/parlour_server/web/verify/game_file.js";
import { Replay } from "../../server/parlour_server/web/verify/replay.js";
import { GAMES } from "../../server/parlour_server/web/views/games.js";

/** The same JSON for the same data: as Python writes it, keys in order, no spaces. */
function plain(data) {
  if (Array.isArray(data)) return `[${data.map(plain)}]`;
  if (data === null || typeof data !== "object") return JSON.stringify(data ?? null);
  const names = Object.keys(data).filter((name) => data[name] !== undefined).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${plain(data[name])}`)}}`;
}

async function retold(records) {
  const story = await Replay.of(records, GAMES), viewers = [null, ...records[0].players.keys()], steps = [];
  for (let at = 1; at <= records.length; at++) {
    story.seek(at);
    const seen = viewers.map((viewer) => ({ view: story.view(viewer), events: story.events(viewer) }));
    steps.push(plain({ seen, state: story.match.canonical() }));
  }
  return steps;
}

async function verified({ text, digest = null }) {
  try {
    const story = await Replay.of(check(text, digest).records, GAMES);
    story.verify();
    return "sound";
  } catch (error) {
    return error.message;
  }
}

const answers = [];
for (const asked of JSON.parse(readFileSync(0, "utf8"))) answers.push(await (asked.records ? retold(asked.records) : verified(asked)));
process.stdout.write(JSON.stringify(answers));
