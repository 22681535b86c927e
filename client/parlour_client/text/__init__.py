"""Rooms, contests and games as lines of text. May import ``storage`` and ``core``."""
