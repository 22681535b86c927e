"""A bot for liar's dice."""

from parlour_bots import Turn


def cautious(turn: Turn) -> dict[str, object]:
    """Doubt what its own dice and the average of the others do not make likely; else raise as little as that allows."""
    view = turn.view
    others = sum(view["left"]) - len(view["dice"])

    def surplus(count: int, face: int) -> float:
        held: int = view["dice"].count(face)
        return held + others / 6 - count

    bid = view["bid"]
    if bid and surplus(bid["count"], bid["face"]) < -1:
        return {"do": "doubt"}
    bids = [action for action in turn.legal if action["do"] == "bid"]
    return max(bids or turn.legal, key=lambda action: surplus(action["count"], action["face"]) if bids else 0)
