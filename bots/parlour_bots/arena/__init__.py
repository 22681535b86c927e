"""Compare bots in many games without a server. May import ``tools`` and below."""
