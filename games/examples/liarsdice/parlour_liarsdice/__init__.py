"""Liar's dice for parlour: hidden dice that are rolled anew each round, and players who go out one by one."""
