"""Servers with house bots: practice, hosting, the demo. May import ``tools`` and what is below."""
