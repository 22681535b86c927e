"""The command ``parlour arena``. May import the rest of the arena."""
