"""The rules of the games: pure and deterministic, without I/O and without a clock. May import no other package."""
