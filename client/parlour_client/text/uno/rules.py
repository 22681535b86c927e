"""The rules of a match of UNO in words."""

from collections.abc import Iterator

from parlour_client.core.phrases import phrases, say
from parlour_protocol.messages import Plain

phrases.add("parlour_games.uno.phrases")


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
    yield say("uno.manual.call", n=options.get("call_penalty"))
    yield say("uno.manual.signs")
    if not options.get("no_bluff"):
        yield say("uno.manual.bluff")
    if options.get("scoring"):
        yield say("uno.manual.scoring", options)
    yield from (say(f"uno.option.{rule}.means") for rule in _on(options))


def _on(options: Plain) -> list[str]:
    return [rule for rule, on in options.items() if on is True]
