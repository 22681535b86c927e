"""A bot for UNO. Everything it is told is in the turn; what it returns is an action out of turn.legal."""

from parlour_bots import Turn, run


def play(turn: Turn) -> dict[str, object]:
    """Play a card if one fits, any of them; otherwise do what is left."""
    cards = [action for action in turn.legal if action["do"] == "play"]
    return turn.rng.choice(cards or turn.legal)


run(play, game="uno")
