"""The screens. May import ``games``, ``widgets`` and ``theme``."""
