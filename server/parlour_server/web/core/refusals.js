// The errors of the server in words for people: what is wrong, and what to do.

const INCOMPATIBLE = "The server did not understand the page. Reload it: it may be older than the server.";
const LATE = "Too late: this was decided already.";
const sentence = (words) => words && words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

export const REFUSALS = {
  __proto__: null,
  bad_name: "This name is not allowed. Use 1 to 20 letters a–z, digits, - or _, and start with a letter or digit.",
  name_taken: "This name is taken. Choose another one, or enter its key if it is yours.",
  bad_key: "This is not the key of this name. Try again, or choose another name.",
  key_required: "This server requires a name with a key. Choose both: you need them to return under this name.",
  bad_token: "The server does not know this tab any more. Reload the page to connect as a guest.",
  banned: "You are banned. Only the host or the admin who banned you can let you in again.",
  muted: "You are muted. You can still play and watch.",
  no_game: "This server does not have that game. Choose another one.",
  bad_options: (msg) => `These settings do not work together. ${sentence(msg.replace("options: ", ""))} Change them and try again.`,
  no_room: "This room does not exist, or it was closed. Check the code, or choose one of the open rooms.",
  not_here: "You are not in this room any more. Join it again to see it.",
  room_full: "All seats of this room are taken. You can watch, or choose another room.",
  no_watching: "This room has no spectators, but you can take a seat.",
  wrong_kind: "The seats of this room are for bots. You can watch, or choose another room.",
  too_many_rooms: "You are in too many rooms. Leave one of them first.",
  not_host: "Only the host of this room can do that.",
  wrong_state: (msg) => `This is not possible now. ${sentence(msg)}`,
  not_seated: "Only players can do that, and you are watching.",
  no_such_name: "There is no player with this name. They may have just left.",
  no_bot: "No such bot is available. Choose another one, or try again later.",
  no_contest: "There is no contest with this name. Ask an admin for the name.",
  no_file: "The server does not have the file of this match, or has deleted it.",
  stale: LATE,
  no_such_rid: LATE,
  illegal_action: sentence,
  too_much: "There were too many changes that get the match nowhere. Make one that does, or wait a moment.",
  rate_limited: "Too many requests: this one was ignored. Wait a moment and try again.",
  busy: "The server is overloaded and did not do this. Try again in a moment.",
  retry: "The server could not save this and did not do it. Try again.",
  drain: "The server is stopping. Come back in a minute.",
  internal: "An error in the server prevented this. Try again, or choose another room.",
  lost: "The connection was lost. This may not have happened.",
  bad_frame: INCOMPATIBLE,
  bad_message: INCOMPATIBLE,
  unknown_type: INCOMPATIBLE,
};

/** Explain an error in our own words where there are some, else in the server's. */
export function explained({ code, msg, message, hint }) {
  const words = msg ?? message, own = REFUSALS[code];
  return typeof own === "function" ? own(String(words)) : own ?? sentence([words, hint].filter(Boolean).join(" – "));
}
