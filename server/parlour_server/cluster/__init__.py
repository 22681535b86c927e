"""Several nodes behind one store: routing and relays. May import ``engine`` and what is below."""
