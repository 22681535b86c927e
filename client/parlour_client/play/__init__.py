"""Enter a room and play in it, for line mode and screens. May import ``text`` and what is below."""
