#!/usr/bin/env node
// A bot for Minesweeper. Each line of input after the first is a turn; print the number of a cell to open.
import { createInterface } from "node:readline";

let greeting;

function play(turn) {
  // Open the first cell that is closed; cells are numbered row by row, from 0.
  return turn.view.rows.join("").indexOf(".");
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (!greeting)
    greeting = message; // {parlour, game, name, seed}: who we are; not to be answered
  else console.log(play(message)); // anything else goes to console.error
}
