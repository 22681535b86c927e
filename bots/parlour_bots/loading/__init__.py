"""Find bots by name, file or module, and read their parameters. May import ``play`` and what is below."""
