#!/usr/bin/env node
// A bot for UNO. Each line of input after the first is a turn; print the index of an action in turn.legal.
import { createInterface } from "node:readline";

let greeting;

function play(turn) {
  // Play the first card that fits; otherwise do what is left.
  return Math.max(
    0,
    turn.legal.findIndex((action) => action.do === "play"),
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (!greeting)
    greeting = message; // {parlour, game, name, seed}: who we are; not to be answered
  else console.log(play(message)); // anything else goes to console.error
}
