// The rules of the page as a referee. Reads a list of [text, digest or null] from stdin; writes for each match file
// what each seat sees and is
// asked after each record, or why the file is wrong.
import { readFileSync } from "node:fs";
import { add } from "../../server/parlour_server/web/core/phrases.js";
import { check } from "../../server/parlour_server/web/verify/game_file.js";
import { Replay } from "../../server/parlour_server/web/verify/replay.js";

add(JSON.parse(readFileSync(new URL("../../server/parlour_server/phrases/en.json", import.meta.url), "utf8")));

async function judged([text, digest]) {
  try {
    const { records } = check(text, digest),
      replay = await Replay.of(records),
      seats = [...records[0].players.keys()],
      steps = [];
    for (let at = 1; at < records.length; at++) {
      replay.seek(at);
      steps.push(seats.map((seat) => ({ view: replay.view(seat), ...replay.match.questions(seat) })));
    }
    replay.verify();
    return { steps };
  } catch (error) {
    return { wrong: error.message };
  }
}

const answers = [];
for (const file of JSON.parse(readFileSync(0, "utf8"))) answers.push(await judged(file));
process.stdout.write(JSON.stringify(answers));
