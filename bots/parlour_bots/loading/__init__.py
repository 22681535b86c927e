"""Find bots by name, file or module, and parse their parameters. May import ``play`` and below."""
