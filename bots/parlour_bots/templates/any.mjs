#!/usr/bin/env node
// A bot for THE_GAME. Each line of input after the first is a turn; print the index of an action in turn.legal.
import { createInterface } from "node:readline";

let greeting;

function play(turn) {
  // Play the first legal action. What lies on the table is in turn.view.
  return 0;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (!greeting)
    greeting = message; // {parlour, game, name, seed}: who we are; not to be answered
  else console.log(play(message)); // anything else goes to console.error
}
