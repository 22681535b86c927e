"""The UNO arena: schedules, games, ratings. Does not import the Minesweeper arena."""
