"""The games' widgets. May import ``widgets``, ``theme`` and ``signals``."""
