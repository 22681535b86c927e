"""The candidate answers of a turn, and their effect on a world."""

from collections.abc import Sequence

import attrs

from parlour_bots.sdk import Action
from parlour_bots.uno.search.playout import BLUE, GREEN, NOBODY, RED, YELLOW, PlayoutPosition, Shuffle, carry_out
from parlour_games.uno.actions import ACCEPT, CHALLENGE, COLOUR_CODES, DRAW, PASS
from parlour_games.uno.cards import COLOUR, COLOUR_MASK, COLOURS, SYMBOL, mask_of
from parlour_protocol.messages import Plain

_COLOURED = RED | YELLOW | GREEN | BLUE
_CODES = {"draw": DRAW, "pass": PASS, "accept": ACCEPT, "challenge": CHALLENGE}


@attrs.frozen
class Candidate:
    """A legal action, its code in the rules, and its effect on hands (seats are indices of those in play)."""

    action: Action
    code: int
    swap: int = NOBODY
    rotates: bool = False

    def carry_out(self, position: PlayoutPosition, shuffle: Shuffle) -> None:
        """Apply the answer to a world."""
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


def candidates(view: Plain, legal: Sequence[Action], seats: Sequence[int], rotates: bool = False) -> list[Candidate]:
    """Return the answers to compare, at least one.

    Of equal cards only one is kept, with a call of UNO if possible. Wilds choose only colours in the hand. Drawing is
    left out if a coloured card can be played.
    """
    hand = mask_of(view["hand"])
    plays = [action for action in legal if action["do"] == "play"]
    fits = any(COLOUR[action["card"]] is not None for action in plays)
    others = [action for action in legal if action["do"] != "play" and not (fits and action["do"] == "draw")]
    found = [action for action in (*_distinct(plays), *others) if _sensible_colour(action, hand)]
    return [answer(action, seats, rotates) for action in found]


def answer(action: Action, seats: Sequence[int], rotates: bool = False) -> Candidate:
    """Return the answer that a legal action is. ``rotates``: a 0 passes all hands on."""
    return _play(action, seats, rotates) if action["do"] == "play" else _other(action)


def face(action: Action) -> tuple[object, ...]:
    """Return what makes an action different: equal cards, and a call of UNO, do not."""
    card = action.get("card")
    looks = None if card is None else (COLOUR[card], SYMBOL[card])
    return action["do"], looks, action.get("colour"), action.get("swap")


def _play(action: Action, seats: Sequence[int], rotates: bool) -> Candidate:
    card = action["card"]
    own = COLOUR[card]
    colour = COLOURS.index(action["colour"]) if own is None else own
    swap = seats.index(action["swap"]) if "swap" in action else NOBODY
    return Candidate(action, card << 3 | colour << 1, swap, rotates and SYMBOL[card] == 0)


def _other(action: Action) -> Candidate:
    code = COLOUR_CODES[COLOURS.index(action["colour"])] if action["do"] == "colour" else _CODES[action["do"]]
    return Candidate(action, code)


def _distinct(plays: list[Action]) -> list[Action]:
    """Return one play per face, chosen colour and swap, with a call of UNO if possible."""
    faces: dict[tuple[object, ...], Action] = {}
    for action in plays:
        kind = face(action)
        if kind not in faces or (action.get("uno") and not faces[kind].get("uno")):
            faces[kind] = action
    return list(faces.values())


def _sensible_colour(action: Action, hand: int) -> bool:
    """Return whether the action chooses no colour, or one in the hand if the hand has any."""
    if "colour" not in action or not hand & _COLOURED:
        return True
    return bool(hand & COLOUR_MASK[COLOURS.index(action["colour"])])
