"""``parlour server load``: load tests of servers. May import ``hosting``, ``tools`` and below."""
