"""Play many games in worker processes and isolate third-party bots. Independent of the game."""
