"""The Minesweeper arena: boards, games, results. Does not import the UNO arena."""
