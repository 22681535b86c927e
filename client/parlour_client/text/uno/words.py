"""The phrases of UNO, with their formats: players, cards, colours, points, and the rules of a match."""

from collections.abc import Iterator, Mapping
from typing import Any

from parlour_client.core.phrases import Format, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import player_of
from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, SYMBOL
from parlour_protocol.messages import Plain

_NONE: Mapping[str, Any] = {}

phrases.add("parlour_games.uno.phrases")


def said(room: JoinedRoom | None, key: str, fields: Mapping[str, Any] = _NONE, /, **more: Any) -> str:
    """Return the phrase ``key`` about a match in ``room``; None for phrases without players."""
    formats = {"card": _cards, "Card": _at_start, "colour": _colour} | (_with_players(room) if room else {})
    return say(key, fields, formats, **more)


def colour_name(colour: str) -> str:
    """Return a colour in words."""
    return say(f"uno.colour.{colour}")


def card_name(card: int) -> str:
    """Return a card in words, as ``red 5`` or ``wild draw four``."""
    if not 0 <= card < CARDS:
        return "?"
    colour, symbol = COLOUR[card], SYMBOL[card]
    sign = str(symbol) if symbol < 10 else say(f"uno.sign.{symbol}")
    return sign if colour is None else f"{colour_name(COLOURS[colour])} {sign}"


def card_names(cards: list[int]) -> str:
    """Return cards in words."""
    return ", ".join(map(card_name, cards)) or say("uno.cards.none")


def _cards(value: Any) -> tuple[str, ...]:
    return (card_names(value if isinstance(value, list) else [value]),)


def _at_start(card: int) -> tuple[str, ...]:
    name = card_name(card)
    return (name[0].upper() + name[1:],)


def _colour(value: Any) -> tuple[str, ...]:
    return colour_name(value) if value in COLOURS else str(value), str(value)


def _with_players(room: JoinedRoom) -> dict[str, Format]:
    player = player_of(room)

    def points(scores: list[int]) -> tuple[str, ...]:
        return (", ".join(f"{player(seat)[0]} {each}" for seat, each in enumerate(scores)),)

    def held(scores: list[int]) -> tuple[str, ...]:
        shown = ", ".join(f"{player(seat)[0]} {each}" for seat, each in enumerate(scores) if each)
        return shown, "other" if shown else "none"

    return {"player": player, "scores": points, "held": held}


def challenged(room: JoinedRoom) -> dict[str, Any]:
    """Return what is known of the wild draw four that we may challenge, and what each answer costs, for phrases."""
    view = room.view or {}
    of, n = view.get("of"), view.get("pending") or 4
    last, strict = of is not None and not view["counts"][of], room.table["options"].get("strict_wild4", False)
    return {"of": of, "before": view.get("before"), "last": last, "n": n, "more": n + 2, "strict_wild4": strict}


def in_short(game: str, options: Plain) -> Iterator[str]:
    """Yield what decides the match, and the preset or else the house rules in force."""
    if options.get("scoring"):
        yield say("uno.rules.scoring", options)
    if options.get("preset", "official") != "official":
        yield say(f"uno.option.preset.{options['preset']}")
    else:
        yield from house_rules(options)


def house_rules(options: Plain) -> Iterator[str]:
    """Yield the names of the house rules in force."""
    yield from (say(f"uno.option.{rule}") for rule in _on(options))
    if cost := options.get("false_call_penalty"):
        yield say("uno.rules.catch", n=cost)


def how_to(game: str, options: Plain) -> Iterator[str]:
    """Yield how the game is played with ``options``, in sentences."""
    yield say("uno.manual.aim")
    yield say("uno.manual.call", n=options.get("call_penalty"), wrong=options.get("false_call_penalty"))
    yield say("uno.manual.signs")
    if not options.get("no_bluff"):
        yield say("uno.manual.bluff", options)
    if options.get("scoring"):
        yield say("uno.manual.scoring", options)
    yield from (say(f"uno.option.{rule}.means") for rule in _on(options))


def _on(options: Plain) -> list[str]:
    return [rule for rule, on in options.items() if on is True]
