"""The buttons above the turn line: actions besides playing a card, or the answers to a choice."""

from collections.abc import Sequence

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.buttons import Button
from parlour_client.tui.games.uno.choosing import Choosing
from parlour_client.tui.games.uno.intents import Intent, Intents
from parlour_client.tui.games.uno.keys import COLOURS, NUMBERS
from parlour_client.tui.theme.theme import Look

_PROMPTS = {"colour": "Name a colour:", "swap": "Swap hands with:", "seat": "Catch whom?"}
_BACK = Button("esc", "back", "back")


def menu(
    look: Look, room: JoinedRoom, moves: Intents, choosing: Choosing, marked: Sequence[int]
) -> tuple[str, list[Button]]:
    """Return the prompt, "" for none, and the buttons. ``marked``: cards to play together."""
    if choosing.under_way is not None:
        return "" if choosing.laid else f"{choosing.under_way['do']}{look.glyphs.more}", []
    asking, calls = choosing.asking, choosing.calls
    if asking is not None and asking.open is not None:
        forced = asking == moves.answers.get("colour")
        return _PROMPTS[asking.open], [*_values(look, room, asking, asking.open), *([] if forced else [_BACK])]
    return "", [*_offers(look, room, moves), *_answers(room, moves), *_extras(look, room, moves, calls, marked)]


def may_call(hand: Sequence[int], marked: Sequence[int]) -> bool:
    """Return whether the next play from ``hand`` leaves one card. ``marked``: cards to play together."""
    return len(hand) - max(1, len(marked)) == 1


def _values(look: Look, room: JoinedRoom, asking: Intent, field: str) -> list[Button]:
    values = asking.values(field)
    if field == "colour":
        keys = {colour: key for key, colour in COLOURS.items()}
        return [Button(keys[value], value.upper(), f"narrow('colour', '{value}')", suit=value) for value in values]
    values.sort()
    labels = [room.name(seat) + (_held(look, room, seat) if field == "swap" else "") for seat in values]
    return [
        Button(NUMBERS[at], label, f"narrow('{field}', {seat})")
        for at, (seat, label) in enumerate(zip(values, labels, strict=True))
    ]


def _held(look: Look, room: JoinedRoom, seat: int) -> str:
    return f" {look.glyphs.card_back}{(room.view or {})['counts'][seat]}"


def _offers(look: Look, room: JoinedRoom, moves: Intents) -> list[Button]:
    found = [Button("u", "UNO!", "call", urgent=True)] if moves.uno else []
    if moves.catch:
        seats = moves.catch.values("seat")
        whom = room.name(seats[0]) if len(seats) == 1 else "somebody"
        found.append(Button("c", f"catch {whom}", "catch", urgent=True))
    if moves.jump:
        card = words.face(look, moves.jump.ways[0][1]["card"]).plain
        found.append(Button("j", f"jump in with {card}", "jump", urgent=True))
    return found


def _answers(room: JoinedRoom, moves: Intents) -> list[Button]:
    view = room.view or {}
    penalty = view.get("pending") or 4
    labels = {
        "draw": ("d", "draw"),
        "pass": ("p", "keep it" if view.get("drawn") is not None else "pass"),
        "accept": ("a", f"accept {penalty} cards"),
        "challenge": ("x", f"challenge ({penalty + 2} if wrong)"),
    }
    return [Button(*labels[do], f"answer('{do}')") for do in moves.answers if do in labels]


def _extras(look: Look, room: JoinedRoom, moves: Intents, calls: bool, marked: Sequence[int]) -> list[Button]:
    found = []
    if room.over is None and may_call((room.view or {}).get("hand", ()), marked) and not moves.uno:
        label = f"UNO with the next card {look.glyphs.ready}" if calls else "call UNO with the next card"
        found.append(Button("u", label, "call", urgent=calls))
    if marked:
        found += [Button(look.glyphs.enter, f"lay {len(marked)} together", "play"), _BACK]
    return found
