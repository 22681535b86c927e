"""The options of a game as lines of text."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from parlour_client.core.phrases import phrases, say
from parlour_client.text.base import add_words
from parlour_games.options import Option

_INDENT, _WIDTH = "      ", 80


def written(option: Option) -> list[str]:
    """Return the choices of an option as people type them."""
    return [str(value).lower() if isinstance(value, bool) else value for value in option.choices]


def option_lines(game: str, options: Iterable[Option]) -> Iterator[str]:
    """Yield the name of a game, and for each option its values and what it means."""
    add_words(game)
    yield _worded(f"{game}.name", game)
    for option in options:
        yield f"  {option.name} = {_values(option)}"
        means = _worded(f"{game}.option.{option.name}.means", option.help)
        yield from wrap(means, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _values(option: Option) -> str:
    """Return the values that an option takes, the default first in brackets."""
    default = str(option.default).lower()
    if option.choices:
        return " | ".join(f"[{each}]" if each == default else each for each in written(option))
    if option.low is not None:
        return f"{option.low}…{option.high} {option.unit}".rstrip() + f" [{default}]"
    return f"[{default}]"


def _worded(key: str, otherwise: str) -> str:
    return say(key) if key in phrases and not phrases.has_places(key) else otherwise
