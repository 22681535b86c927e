"""Goofspiel for parlour: a game with hidden bids and simultaneous decisions."""
