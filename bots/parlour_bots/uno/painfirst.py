"""A player that hurts whenever it can, after the model in a well-known article on simulated UNO.

It plays, if it can, the first of these:

1. an attack: a Draw Two, else a Skip, else a Reverse;
2. a number: of the current colour or of the number on the table, whichever it has more cards to lay of;
3. a Wild;
4. a Wild Draw Four.

Among equals it prefers the colour it holds most cards of, and it names that colour with a wild. What is still
equal is left to chance. It plays the card it has drawn by the same rules, always calls UNO with the play, and
accepts every Wild Draw Four.
"""

from collections.abc import Sequence

from parlour_bots.sdk import Action, Turn
from parlour_games.uno.cards import COLOUR, COLOURS, DRAW_TWO, REVERSE, SKIP, SYMBOL, WILD, WILD_FOUR
from parlour_protocol.messages import Plain

NUMBERS = range(10)
KINDS = ((DRAW_TWO,), (SKIP,), (REVERSE,), NUMBERS, (WILD,), (WILD_FOUR,))
"""The symbols it would lay, the best kind first."""
OTHERWISE = ("accept", "draw", "pass")


def play(turn: Turn) -> Action:
    """Hurts first: the greedy player of the article that this project began from."""
    return turn.rng.choice(best(turn.view, turn.legal))


def best(view: Plain, legal: Sequence[Action]) -> list[Action]:
    """Return the actions of ``legal`` between which chance decides, in their order there; ``view`` is its seat's."""
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
    """Return those that make the colour current of which the hand holds most."""
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
