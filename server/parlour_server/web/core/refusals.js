// What the server has refused, in words for people: what was wrong, and what can be done now.

const MISUNDERSTOOD = "The server did not understand that. Load the page again: it may be older than the server.";
const LATE = "That came too late: it had been decided already.";
const sentence = (words) => words && words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

export const REFUSALS = {
  __proto__: null,
  bad_name: "That cannot be a name here. Take 1 to 20 letters a–z, digits, - or _, and begin with a letter or a digit.",
  name_taken: "Somebody else has that name. Choose another one; or, if it is yours, come with its key.",
  bad_key: "That is not the key of this name. Try once more, or choose another name.",
  key_required: "This server lets in only names that have a key. Choose a name and a key: whoever brings both is you.",
  bad_token: "The server does not know this tab any more. Load the page again to come in as a guest.",
  banned: "You have been shut out of there. Only who did that, the host or the operator, can let you in again.",
  muted: "You may not talk here for now. You can go on playing and watching.",
  no_game: "This server does not have that game. Choose another one.",
  bad_options: (msg) => `That does not go together. ${sentence(msg.replace("options: ", ""))} Change it, and try again.`,
  no_room: "There is no such room, or not any more. Check the code, or choose one of the open rooms.",
  not_here: "You are not in that room any more. Go in again to see it.",
  room_full: "All seats of this room are taken. You can watch, or choose another room.",
  no_watching: "This room is not for watching, but you can sit down in it.",
  wrong_kind: "The seats of this room are for bots. You can watch, or choose another room.",
  too_many_rooms: "You are in too many rooms. Leave one of them first.",
  not_host: "Only the host of this room may do that.",
  wrong_state: (msg) => `That is not possible now. ${sentence(msg)}`,
  not_seated: "Only those who have a seat may do that, and you are watching.",
  no_such_name: "Nobody of that name is here. Perhaps they have just left.",
  no_bot: "No such bot is free. Choose another one, or try again a little later.",
  no_contest: "There is no contest of that name. Ask the operator what it is called.",
  no_file: "The server has no game file of that match, or not any more.",
  stale: LATE,
  no_such_rid: LATE,
  illegal_action: sentence,
  rate_limited: "That was too much at once, so it was not done. Wait a moment, then try again.",
  busy: "The server has too much to do, so that was not done. Try again in a moment.",
  retry: "The server could not keep that, so it was not done. Try again.",
  drain: "The server is about to stop. Come back in a minute.",
  internal: "The server has made a mistake, and has noted it. Try again, or choose another room.",
  lost: "The connection was lost, so that may not have happened.",
  bad_frame: MISUNDERSTOOD,
  bad_message: MISUNDERSTOOD,
  unknown_type: MISUNDERSTOOD,
};

/** What to tell somebody of a refusal: our own words where there are some, else the server's. */
export function explained({ code, msg, message, hint }) {
  const words = msg ?? message, own = REFUSALS[code];
  return typeof own === "function" ? own(String(words)) : own ?? sentence([words, hint].filter(Boolean).join(" – "));
}
