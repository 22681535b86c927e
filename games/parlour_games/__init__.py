"""The rules of the games: pure, deterministic, without I/O and without a clock."""
