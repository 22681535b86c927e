"""Liar's dice for parlour: each round rolls hidden dice, and players go out one by one."""
