"""The games' widgets. May import ``widgets`` and ``theme``."""
