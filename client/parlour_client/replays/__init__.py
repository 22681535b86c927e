"""Read game files and step through them. May import ``play`` and what is below."""
