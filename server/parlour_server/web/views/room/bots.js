// The bots that may be invited to a chair: by strength, by name, by style.

import { button, h } from "../../core/dom.js";
import { face } from "../../core/faces.js";
import { say } from "../../core/phrases.js";
import { dialog } from "./menu.js";

const LEVELS = ["easy", "normal", "hard"],
  LLM = "llm";

/** @typedef {{ label: string, who: string, bot?: string, style?: string }} Choice `who` has the face that is shown. */

/**
 * What may be invited: the levels, the bots without styles by name, and the other styles.
 * @param {Protocol.BotRow[]} bots Those that are free and play the game.
 * @returns {Choice[]}
 */
function choices(bots) {
  const ways = (/** @type {Protocol.BotRow} */ bot) => (bot.styles ?? []).filter((style) => style !== LLM),
    styles = [...new Set(bots.flatMap(ways))];
  /** @param {string} style */
  const of = (style) => ({ style, who: style, label: say("page.room.bot", { style }) });
  return [
    ...LEVELS.filter((name) => styles.includes(name)).map(of),
    ...bots
      .filter((bot) => !ways(bot).length)
      .map(({ name, rating }) => ({
        bot: name,
        who: name,
        label: name + (rating === undefined ? "" : ` (${rating})`),
      })),
    ...styles.filter((name) => !LEVELS.includes(name)).map(of),
  ];
}

/**
 * Let the host choose a bot for a free chair of the room `view`.
 * @param {RoomView} view
 */
export async function chooseBot(view) {
  const { app, room } = view,
    { bots } = await app.ask({ t: "list", game: room.game });
  const free = bots.filter((/** @type {Protocol.BotRow} */ bot) => bot.free > 0 && bot.games.includes(room.game));
  if (!free.length) return void app.showError({ code: "no_bot" });
  /** @param {Choice} choice */
  const take = ({ bot, style, who, label }) =>
    button(
      [h("span", { class: "portrait", "aria-hidden": "true" }, face(who, true)), label],
      () => {
        box.close();
        view.ask({ t: "invite", ...(bot && { bot }), ...(style && { style }) });
      },
      { "data-choice": bot ?? style },
    );
  const box = dialog(say("page.panel.which"), h("div", { class: "bots" }, ...choices(free).map(take)));
}
