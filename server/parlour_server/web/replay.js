// A saved game: its chain and its commitment are checked here, and it is told line by line.

import { clean, h } from "./dom.js";
import { cardNames } from "./cards.js";
import { commitment, hex, join, sha256, utf8 } from "./fair.js";
import { cellName } from "./mines_words.js";

/** Plain data the one way it is written: keys sorted, no spaces. */
export const canonical = (value) =>
  Array.isArray(value) ? `[${value.map(canonical).join(",")}]`
  : value !== null && typeof value === "object" ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`
  : JSON.stringify(value);

/** The records of a game file whose chain and commitment are right. Fails with what is wrong. */
export function check(content, digest = null) {
  let chain = new Uint8Array();
  const records = content.trimEnd().split("\n").map((line, at) => {
    const { h: hash, ...record } = JSON.parse(line);
    chain = sha256(join(chain, utf8(canonical(record))));
    if (line !== canonical({ ...record, h: hex(chain) })) throw new Error(`line ${at + 1}: its hash or form is wrong`);
    return record;
  });
  const begun = records[0];
  if (digest !== null && digest !== hex(chain)) throw new Error("this is not the record that the digest belongs to");
  if (begun.r !== "begun" || records.at(-1).r !== "over") throw new Error("this is not the file of a whole match");
  if (commitment(begun.secret) !== begun.commit) throw new Error("the commitment is not that of the secret");
  return { records, digest: hex(chain) };
}

function act({ do: what, ...more }) {
  if (what === "play" || what === "jump") return `${what === "jump" ? "jumps in with" : "plays"} ${cardNames(more.cards ?? [more.card])}${more.colour ? `, ${more.colour}` : ""}${more.uno ? ", UNO!" : ""}`;
  if (more.cells) return `${what} ${more.cells.map(([x, y]) => cellName(x, y)).join(", ")}`;
  if (more.moves) return more.moves.map(([verb, x, y]) => `${verb} ${cellName(x, y)}`).join(", ");
  return what + (more.colour ? ` ${more.colour}` : "") + (more.at ? ` ${cellName(...more.at)}` : "");
}

/** The lines that tell a match. */
export function* story([begun, ...records]) {
  const name = (seat) => begun.players[seat]?.name ?? `seat ${seat}`;
  yield `${begun.game}, ${begun.context}: ${begun.players.map((player) => `${player.name} (${player.kind})`).join(", ")}`;
  for (const record of records) {
    if (record.r === "act") yield `${name(record.seat)}: ${act(record.act)}${record.why ? ` – “${record.why}”` : ""}`;
    else if (record.r === "timeout") yield `${name(record.seat)} is out of time: the default`;
    else if (record.r === "control") yield record.by === "standin" ? `A stand-in plays for ${name(record.seat)}` : `${name(record.seat)} plays again`;
    else if (record.r === "over") yield `The match is over (${record.why}): ${Object.keys(record.scores).map((seat) => `${name(seat)} ${record.scores[seat]}`).join(", ")}`;
  }
}

export class ReplayView {
  title = "A saved game";

  constructor(app) {
    this.app = app;
    this.told = h("p", { role: "status" });
    this.list = h("ol", {});
    const file = h("input", { type: "file", accept: ".jsonl", "aria-label": "Game file", onchange: () => file.files[0] && this.#read(file.files[0]) });
    const drop = h("p", { class: "drop" }, "Drop a game file here, or choose one: ", file);
    drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => { event.preventDefault(); this.#read(event.dataTransfer.files[0]); });
    this.el = h("section", { class: "sheet wide" }, h("h1", {}, "A saved game"), drop, this.told, this.list);
  }

  begin() {
    this.app.context(" › saved game");
    const { saved } = this.app;
    this.app.saved = null;
    if (saved) this.#show(saved.content, saved.digest);
  }

  async #read(file) { if (file) this.#show(await file.text(), null); }

  #show(content, digest) {
    this.list.replaceChildren();
    try {
      const found = check(content, digest);
      this.told.textContent = `✓ The chain is right, and the secret fits its commitment. Digest ${found.digest}`;
      this.list.append(...[...story(found.records)].map((line) => h("li", {}, clean(line))));
    } catch (error) {
      this.told.textContent = `✗ ${clean(error.message)}`;
    }
  }
}
