"""What the node runs on: commits, room loading, queries, computations. May import ``lobby`` and below."""
