"""Minesweeper: solo, race, coop and duel. ``plugin`` implements ``Game``; ``inference`` needs nothing but ``board``."""
