"""A node: runs a lobby on asyncio, commits, answers questions and keeps its lease. May import ``lobby`` and below."""
