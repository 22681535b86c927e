"""The node: runs a lobby on asyncio and keeps its lease. May import ``engine`` and below."""
