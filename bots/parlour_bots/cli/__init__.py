"""The ``parlour bot`` commands. May import ``arena`` and below."""
