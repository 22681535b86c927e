"""A whole bot: python hello.py [--room CODE] [--server URL] [--arena N] [--check]."""

from parlour_bots import Turn, run

GAME = "uno"


def play(turn: Turn) -> int:
    """Play the first card that fits, or draw."""
    return 0  # an index into turn.legal, or one of the actions in it


if __name__ == "__main__":
    run(play)
