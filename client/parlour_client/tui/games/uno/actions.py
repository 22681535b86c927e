"""The buttons above the turn line: actions besides playing a card, or the answers to a choice."""

from collections.abc import Sequence

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno.words import colour_name
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.buttons import Button
from parlour_client.tui.games.uno.choosing import Choosing
from parlour_client.tui.games.uno.intents import Intent, Intents
from parlour_client.tui.games.uno.keys import COLOURS, NUMBERS
from parlour_client.tui.theme.theme import Look


def menu(
    look: Look, room: JoinedRoom, moves: Intents, choosing: Choosing, marked: Sequence[int]
) -> tuple[str, list[Button]]:
    """Return the prompt, "" for none, and the buttons. ``marked``: cards to play together."""
    if choosing.under_way is not None:
        return (
            "" if choosing.laid else f"{say('line.uno.action.other', do=choosing.under_way['do'])}{look.glyphs.more}",
            [],
        )
    asking, calls = choosing.asking, choosing.calls
    if asking is not None and asking.open is not None:
        forced = asking == moves.answers.get("colour")
        return say(f"uno.ask.{asking.open}"), [
            *_values(look, room, asking, asking.open),
            *([] if forced else [_back()]),
        ]
    return "", [*_offers(look, room, moves), *_answers(room, moves), *_extras(look, room, moves, calls, marked)]


def may_call(hand: Sequence[int], marked: Sequence[int]) -> bool:
    """Return whether the next play from ``hand`` leaves one card. ``marked``: cards to play together."""
    return len(hand) - max(1, len(marked)) == 1


def _values(look: Look, room: JoinedRoom, asking: Intent, field: str) -> list[Button]:
    values = asking.values(field)
    if field == "colour":
        keys = {colour: key for key, colour in COLOURS.items()}
        return [
            Button(keys[value], colour_name(value).upper(), f"narrow('colour', '{value}')", suit=value)
            for value in values
        ]
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
        whom = room.name(moves.catch.ways[0][1]["seat"])
        found.append(Button("c", say("uno.do.catch", who=whom), "catch", urgent=True))
    if moves.jump:
        card = words.face(look, moves.jump.ways[0][1]["card"]).plain
        found.append(Button("j", say("uno.do.jump", card=card), "jump", urgent=True))
    return found


def _answers(room: JoinedRoom, moves: Intents) -> list[Button]:
    view = room.view or {}
    penalty = view.get("pending") or 4
    labels = {
        "draw": ("d", say("uno.do.draw")),
        "pass": ("p", say("uno.do.pass" if view.get("drawn") is not None else "uno.do.nothing")),
        "accept": ("a", say("uno.do.accept", n=penalty)),
        "challenge": ("x", say("tui.uno.challenge", n=penalty + 2)),
    }
    return [Button(*labels[do], f"answer('{do}')") for do in moves.answers if do in labels]


def _extras(look: Look, room: JoinedRoom, moves: Intents, calls: bool, marked: Sequence[int]) -> list[Button]:
    found = []
    if room.over is None and may_call((room.view or {}).get("hand", ()), marked) and not moves.uno:
        label = f"{say('tui.uno.calls')} {look.glyphs.ready}" if calls else say("uno.do.call")
        found.append(Button("u", label, "call", urgent=calls))
    if marked:
        found += [Button(look.glyphs.enter, say("uno.do.together", n=len(marked)), "play"), _back()]
    return found


def _back() -> Button:
    return Button("esc", say("uno.do.back"), "back")
