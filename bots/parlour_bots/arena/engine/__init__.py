"""What plays many games in worker processes. Knows no game."""
