"""The engine of a node: commits, room loading, queries, computations. May import ``lobby`` and below."""
