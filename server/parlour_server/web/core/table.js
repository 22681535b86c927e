// Parts of tables.

import { h } from "./dom.js";

/** A head with a column for each name. */
export const tableHead = (...names) => h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));
