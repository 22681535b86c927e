"""Four in a row for parlour: a game with perfect information."""
