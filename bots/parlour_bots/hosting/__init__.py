"""Start servers and bots together: practice, hosting, house bots, demo. May import ``tools`` and below."""
