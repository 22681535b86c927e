"""The UNO arena: schedules, games, ratings. May not import the Minesweeper arena."""
