"""The screens. May import ``games``, ``widgets``, ``theme`` and ``signals``."""
