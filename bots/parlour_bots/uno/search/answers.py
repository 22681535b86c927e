"""The answers that are worth a thought, and what each of them does to a world."""

from collections.abc import Sequence

import attrs

from parlour_bots.sdk import Action
from parlour_bots.uno.search.playout import BLUE, GREEN, NOBODY, RED, YELLOW, Position, Shuffle, carry_out
from parlour_games.uno.actions import ACCEPT, CHALLENGE, COLOUR_CODES, DRAW, PASS
from parlour_games.uno.cards import COLOUR, COLOUR_MASK, COLOURS, SYMBOL, mask_of
from parlour_protocol.messages import Plain

_COLOURED = RED | YELLOW | GREEN | BLUE
_CODES = {"draw": DRAW, "pass": PASS, "accept": ACCEPT, "challenge": CHALLENGE}


@attrs.frozen
class Answer:
    """One of ``legal``, the rules' code of it, and the seat (in play) with which it swaps hands."""

    action: Action
    code: int
    swap: int = NOBODY
    rotates: bool = False

    def carry_out(self, position: Position, shuffle: Shuffle) -> None:
        """Do it in a world."""
        seat = position.turn
        carry_out(position, self.code, shuffle)
        if position.over:
            return
        hands = position.hands
        if self.swap != NOBODY:
            hands[seat], hands[self.swap] = hands[self.swap], hands[seat]
        elif self.rotates:
            before = hands.copy()
            for giver, hand in enumerate(before):
                hands[position.after(giver)] = hand


def candidates(view: Plain, legal: Sequence[Action], seats: Sequence[int], rotates: bool = False) -> list[Answer]:
    """Return the answers to choose between: at least one.

    Of equal faces one; UNO is always called; of the colours for a wild those in the hand; and whoever can lay a
    coloured card does not draw instead.
    """
    hand = mask_of(view["hand"])
    plays = [action for action in legal if action["do"] == "play"]
    found = [_play(action, seats, rotates) for action in _distinct(plays, legal) if _sensible_colour(action, hand)]
    fits = any(COLOUR[action["card"]] is not None for action in plays)
    others = [action for action in legal if action["do"] != "play" and not (fits and action["do"] == "draw")]
    return found + [_other(action) for action in others if _sensible_colour(action, hand)]


def _play(action: Action, seats: Sequence[int], rotates: bool) -> Answer:
    card = action["card"]
    own = COLOUR[card]
    colour = COLOURS.index(action["colour"]) if own is None else own
    swap = seats.index(action["swap"]) if "swap" in action else NOBODY
    return Answer(action, card << 3 | colour << 1, swap, rotates and SYMBOL[card] == 0)


def _other(action: Action) -> Answer:
    code = COLOUR_CODES[COLOURS.index(action["colour"])] if action["do"] == "colour" else _CODES[action["do"]]
    return Answer(action, code)


def _distinct(plays: list[Action], legal: Sequence[Action]) -> list[Action]:
    """Return one play of each face, colour named and swap, that calls UNO if it can."""
    faces: dict[tuple[object, ...], Action] = {}
    for action in plays:
        card = action["card"]
        face = (COLOUR[card], SYMBOL[card], action.get("colour"), action.get("swap"))
        if face not in faces or (action.get("uno") and not faces[face].get("uno")):
            faces[face] = action
    return list(faces.values())


def _sensible_colour(action: Action, hand: int) -> bool:
    """Tell whether the action names no colour, or one that the hand holds, if it holds any."""
    if "colour" not in action or not hand & _COLOURED:
        return True
    return bool(hand & COLOUR_MASK[COLOURS.index(action["colour"])])
