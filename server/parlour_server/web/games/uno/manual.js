// How UNO is played, for the help of a room.

import { say } from "../../core/phrases.js";

/**
 * The rules, in sentences.
 * @param {Plain} options
 */
export function howTo(options) {
  const on = Object.keys(options).filter((name) => options[name] === true);
  return [
    say("uno.manual.aim"),
    say("uno.manual.call", { n: options.call_penalty, wrong: options.false_call_penalty }),
    say("uno.manual.signs"),
    ...(options.no_bluff ? [] : [say("uno.manual.bluff", options)]),
    say("uno.manual.scoring", options),
    ...on.map((name) => say(`uno.option.${name}.means`)),
  ];
}
