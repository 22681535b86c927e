"""UNO. ``plugin`` implements ``Game``, ``rules`` is the core. May import ``game``, ``options`` and ``fair``."""
