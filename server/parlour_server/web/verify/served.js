// The replay of a match of which the page does not have the rules: the server replays it, for one viewer at a time.

/** A match at any of its records, as `Replay` shows one; `at` is the number of records done. */
export class Served {
  /** @type {Map<number | null, { events: Plain[], view: Plain }[]>} What each viewer saw after each record. */
  seen = new Map();
  at = 1;
  match = null;

  /**
   * @param {Plain[]} records
   * @param {string} digest
   * @param {(message: Ask) => Promise<any>} ask
   */
  constructor(records, digest, ask) {
    this.records = records;
    this.digest = digest;
    this.ask = ask;
  }

  /**
   * Load what a viewer saw. Fails with the refusal of the server.
   * @param {number | null} viewer
   */
  async load(viewer) {
    if (this.seen.has(viewer)) return;
    const found = [];
    for (let after = 0, view = {}; after !== undefined; ) {
      const page = await this.ask({
        t: "file",
        digest: this.digest,
        after,
        views: true,
        ...(viewer !== null && { seat: viewer }),
      });
      for (const each of page.views) found.push({ events: each.events, view: (view = each.view ?? view) });
      after = page.after;
    }
    this.seen.set(viewer, found);
  }

  /** Another replay of the match. */
  copy() {
    return Object.assign(new Served(this.records, this.digest, this.ask), { seen: this.seen });
  }

  /** @returns {Plain} */
  get record() {
    return this.records[this.at - 1];
  }

  /** @param {number} at */
  seek(at) {
    this.at = at;
  }

  /** @param {number | null} viewer */
  view(viewer) {
    return this.seen.get(viewer)?.[this.at - 1]?.view ?? {};
  }

  /** @param {number | null} viewer */
  events(viewer) {
    return this.seen.get(viewer)?.[this.at - 1]?.events ?? [];
  }

  /** The server has done so. */
  verify() {}
}
