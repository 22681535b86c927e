// Load the English phrases, as the server would serve them.
import { readFileSync } from "node:fs";
import { add } from "../../../server/parlour_server/web/core/phrases.js";

const PLACES = [
  "protocol/parlour_protocol",
  "server/parlour_server",
  "games/parlour_games/uno",
  "games/parlour_games/minesweeper",
];
for (const place of PLACES)
  add(JSON.parse(readFileSync(new URL(`../../../${place}/phrases/en.json`, import.meta.url), "utf8")));
