"""Files of the player: settings, keys, recent servers. May import ``core``."""
