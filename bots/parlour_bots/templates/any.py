"""A bot for THE_GAME. The turn holds all that it knows; its answer is an action from turn.legal."""

from parlour_bots import Turn, run

GAME = "THE_GAME"


def play(turn: Turn) -> dict[str, object]:
    """Play any legal action. What lies on the table is in turn.view."""
    return turn.rng.choice(turn.legal)


if __name__ == "__main__":
    run(play)
