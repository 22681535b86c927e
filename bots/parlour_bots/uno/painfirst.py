"""``painfirst``: attacks whenever it can, like the player in a well-known article on simulated UNO.

It plays the first of these that is possible:

1. an attack: a Draw Two, else a Skip, else a Reverse;
2. a number: matching the current colour or the top number, whichever it has more cards of;
3. a Wild;
4. a Wild Draw Four.

Among equals it prefers the colour it holds most cards of, and chooses this colour with a wild. Remaining ties are
broken at random. It plays a drawn card by the same rules, always calls UNO with the play, and accepts every Wild Draw
Four.
"""

from collections.abc import Sequence

from parlour_bots.sdk import Action, Turn
from parlour_games.uno.cards import COLOUR, COLOURS, DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD, WILD_FOUR
from parlour_protocol.messages import Plain

NUMBERS = range(10)
KINDS = ((DRAW_TWO,), (SKIP,), (REVERSE,), NUMBERS, (WILD,), (WILD_FOUR,))
"""The symbols by kind, best kind first."""
OTHERWISE = ("accept", "draw", "pass")


def play(turn: Turn) -> Action:
    """Attacks first: the greedy player of a well-known article on simulated UNO."""
    return turn.rng.choice(best(turn.view, turn.legal))


def best(view: Plain, legal: Sequence[Action]) -> list[Action]:
    """Return the best actions of ``legal``, in their order, among which a random one is played."""
    plays = [action for action in legal if action["do"] == "play"]
    colours = [action for action in legal if action["do"] == "colour"]
    if plays:
        return _calling(_of_fullest_colour(_of_best_kind(plays, view), view["hand"]))
    if colours:
        return _of_fullest_colour(colours, view["hand"])
    return [action for action in legal if action["do"] in OTHERWISE]


def _of_best_kind(plays: list[Action], view: Plain) -> list[Action]:
    found = next(found for kind in KINDS if (found := [play for play in plays if SYMBOL[play["card"]] in kind]))
    return _of_longer_match(found, view) if SYMBOL[found[0]["card"]] in NUMBERS else found


def _of_longer_match(numbers: list[Action], view: Plain) -> list[Action]:
    by_colour = [play for play in numbers if COLOUR[play["card"]] == COLOURS.index(view["colour"])]
    by_number = [play for play in numbers if SYMBOL[play["card"]] == SYMBOL[view["top"]]]
    if len(by_colour) == len(by_number):
        return numbers
    return max(by_colour, by_number, key=len)


def _of_fullest_colour(actions: list[Action], hand: list[int]) -> list[Action]:
    """Return the actions after which the current colour is the one most frequent in the hand."""
    held = [sum(COLOUR[card] == colour for card in hand) for colour in range(len(COLOURS))]
    most = max(held[_colour_after(action)] for action in actions)
    return [action for action in actions if held[_colour_after(action)] == most]


def _colour_after(action: Action) -> int:
    if "colour" in action:
        return COLOURS.index(action["colour"])
    colour = COLOUR[action["card"]]
    assert colour is not None, "a wild is played with its colour"
    return colour


def _calling(plays: list[Action]) -> list[Action]:
    return [play for play in plays if play.get("uno")] or plays
