"""A bot for UNO. The turn holds all that it knows, and it returns an action from turn.legal."""

from parlour_bots import Turn, run

GAME = "uno"


def play(turn: Turn) -> dict[str, object]:
    """Play a card if one fits, any of them; otherwise do what is left."""
    cards = [action for action in turn.legal if action["do"] == "play"]
    return turn.rng.choice(cards or turn.legal)


if __name__ == "__main__":
    run(play)
