"""Texts of the turn line: whose turn it is, and the rule to follow."""

from rich.text import Text

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno.cards import suit_of, symbol_of
from parlour_client.tui.games.uno.intents import Intents, bluffs
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.turn_line import STOOD_IN, TAKE_BACK
from parlour_games.uno.cards import DRAW_TWO, NAMES, SYMBOL, WILD
from parlour_protocol.messages import Plain


def headline(room: JoinedRoom, moves: Intents) -> str:
    """Return whose turn it is."""
    view = room.view
    if view is None:
        return "Nothing has been dealt yet"
    if room.over is not None or view["phase"] == "over":
        return "Match over"
    if moves.rid is not None:
        return _ours(view)
    if view["phase"] == "pause":
        return "Round over"
    if room.stood_in:
        return STOOD_IN
    if view["turn"] is None:
        return "QUICK" if moves.offered else "A moment for calls"
    return f"{room.name(view['turn'])}'s turn" if view["turn"] != room.seat else "Your turn is coming"


def rule(look: Look, room: JoinedRoom, moves: Intents) -> Text:
    """Return the options against the top card, as a short text."""
    view = room.view
    if view is None or room.over is not None:
        return Text()
    if room.stood_in:
        return look.text(TAKE_BACK)
    if moves.rid is None:
        return look.text(_chance(moves)) if view["turn"] is None else _matching(look, view)
    match view["phase"]:
        case "drawn":
            return _drawn(look, moves, view)
        case "challenge":
            return look.text(_penalty(moves, view))
        case "colour":
            return look.text("name the colour of the first card")
    if view.get("pending"):
        return look.text(_penalty(moves, view))
    return (
        _matching(look, view)
        if moves.plays
        else look.joined(_matching(look, view), look.text(f"{look.glyphs.dash} draw one"), gap=1)
    )


def face(look: Look, card: int) -> Text:
    """Return a card in a few columns, as ``▲ 7``."""
    return look.text(f"{look.glyphs.suit(suit_of(card))} {symbol_of(look, card)}")


def why_not(look: Look, room: JoinedRoom, moves: Intents, card: int) -> str:
    """Return why ``card`` cannot be played."""
    view = room.view or {}
    if room.stood_in:
        return f"{STOOD_IN}: {TAKE_BACK}."
    if moves.rid is None:
        turn = view.get("turn")
        return "It is not your turn." if turn in (None, room.seat) else f"It is {room.name(turn)}'s turn."
    if view.get("phase") == "drawn":
        return "After drawing, only the card you drew can be played."
    if view.get("phase") in ("challenge", "colour") or view.get("pending"):
        return f"{NAMES[card].capitalize()} is no answer here: {rule(look, room, moves).plain}."
    if SYMBOL[card] > WILD:
        return "The rules here forbid that wild draw four: other cards of yours fit."
    return f"{NAMES[card].capitalize()} does not fit: {_matching(look, view).plain}."


def legal(room: JoinedRoom, moves: Intents) -> str:
    """Return the names of all cards that can be played now."""
    bluffed = bluffs(room, moves)
    names = list(dict.fromkeys(f"{NAMES[card]}{' (a bluff)' if card in bluffed else ''}" for card in moves.plays))
    others = [f"{name} it" if name == "pass" else name for name in moves.answers]
    return f"You can play {', '.join(names)}." if names else f"No card can be played: {' or '.join(others)}."


def _ours(view: Plain) -> str:
    if view["phase"] == "drawn":
        return "No card was left" if view.get("drawn") is None else f"You drew {NAMES[view['drawn']]}"
    if view["phase"] == "challenge" or view.get("pending"):
        return f"+{view.get('pending') or 4} FOR YOU"
    return "YOUR TURN"


def _chance(moves: Intents) -> str:
    """Return what we can do while it is not our turn."""
    if moves.uno:
        return "call before you are caught"
    if moves.catch:
        return "one card, and no call yet"
    return "you hold the same card" if moves.jump else ""


def _matching(look: Look, view: Plain) -> Text:
    if view["colour"] is None:
        return Text()
    top = SYMBOL[view["top"]]
    colour = look.text(f"{look.glyphs.suit(view['colour'])} {view['colour']}", bold=True)
    also = "" if top >= WILD else f"or {symbol_of(look, view['top'])}"
    return look.joined(look.text("match"), colour, look.text(also), gap=1)


def _drawn(look: Look, moves: Intents, view: Plain) -> Text:
    if moves.plays:
        return look.text("play it or keep it" if "pass" in moves.answers else "play it")
    return look.text("it does not fit" if view.get("drawn") is not None else "pass")


def _penalty(moves: Intents, view: Plain) -> str:
    draw = view.get("pending") or 4
    stack = "+2" if SYMBOL[view["top"]] == DRAW_TWO else "+4"
    stacks = f"stack a {stack}, " if moves.plays else ""
    if "challenge" in moves.answers:
        return f"{stacks}accept {draw} or challenge"
    return f"{stacks or 'you '}{'or ' if stacks else ''}draw {draw}"
