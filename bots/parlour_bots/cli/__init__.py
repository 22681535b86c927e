"""The ``parlour bot`` commands. May import ``tools`` and what is below."""
