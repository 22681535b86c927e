"""Contests: pairings, results, and who plays next. No I/O. May import ``directory`` and below."""
