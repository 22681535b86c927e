"""Minesweeper: alone, in a race, together, or as a duel."""
