"""A bot for Twentyone."""

from parlour_bots import Turn


def careful(turn: Turn) -> dict[str, str]:
    """Stop when the next card is too much more often than not."""
    total = sum(turn.view["hand"])
    return {"do": "take" if total + 5 <= turn.options["limit"] else "stop"}
