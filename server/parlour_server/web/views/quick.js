// Start a match with one press: against bots, or on a board alone.

import { say } from "../core/phrases.js";

const BOTS = 3;

/**
 * Play against bots of the server. The match begins with those that are free.
 * @param {App} app
 * @param {string} game
 * @param {Plain} [options]
 */
export async function withBots(app, game, options = {}) {
  const { room } = await app.ask({ t: "create", game, options, private: true });
  let invited = 0;
  for (let bot = 0; bot < BOTS; bot++) {
    try {
      await app.ask({ t: "invite", room });
      invited += 1;
    } catch (error) {
      if (!["no_bot", "room_full"].includes(error.code)) throw error;
      break;
    }
  }
  if (invited) await app.ask({ t: "ready", room });
  else app.toast(say("page.lobby.busy"), "no_bot");
  await app.go(`r/${room}`);
}

/**
 * Play on a board alone.
 * @param {App} app
 * @param {string} game
 * @param {Plain} options
 */
export async function alone(app, game, options) {
  if (app.lost) return app.go(`#practice=${options.level}`);
  const { room } = await app.ask({ t: "create", game, options, seats: 1, private: true, clock: null });
  await app.ask({ t: "ready", room });
  await app.go(`r/${room}`);
}

/**
 * Play the board of the day.
 * @param {App} app
 * @param {string} board
 */
export async function daily(app, board) {
  if (app.lost) return app.toast(say("page.lobby.daily.lost"), "lost");
  const { room } = await app.ask({ t: "daily", board, play: true });
  await app.go(`r/${room}`);
}

/**
 * Open a room with the usual rules for friends.
 * @param {App} app
 * @param {string} game
 */
export async function withFriends(app, game) {
  const { room } = await app.ask({ t: "create", game, options: {} });
  await app.go(`r/${room}`);
}
