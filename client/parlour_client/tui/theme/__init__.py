"""Colors, glyphs and styles. May import ``signals``."""
