"""The ``parlour arena`` command. May import the rest of the arena."""
