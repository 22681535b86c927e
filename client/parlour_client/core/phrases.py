"""Say things to people in their language: phrases by key, and the fields of what they are about.

A phrase is a template in a part of ICU MessageFormat::

    {field}                                               the value
    {field, format}                                       the value in a format
    {n, plural, =0 {no card} one {a card} other {# cards}}
    {why, select, left {has left} other {is out}}
    {seat, player, you {You pass} other {# passes}}

Each format has keys for its cases; ``#`` is the value in the format. ``other`` is for keys without a case, and ``none``
for an absent field, which ``select`` takes as ``other``, too. ``core/phrases.js`` of the web page does the same.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs

from parlour_games.game import BadOptions
from parlour_protocol.messages import Error
from parlour_protocol.phrases import FALLBACK, language_of, table

Format: TypeAlias = Callable[[Any], tuple[str, ...]]
"""Returns a value as text, followed by its keys among the cases."""
_NONE: Mapping[str, Any] = {}


@attrs.frozen
class _Place:
    field: str
    format: str
    cases: "dict[str, list[str | _Place]]"


class Phrases:
    """The phrases of this process: those of some packages in one language."""

    def __init__(self) -> None:
        self._packages = ["parlour_protocol.phrases", "parlour_client.phrases"]
        self._language = FALLBACK
        self._tables: dict[str, dict[str, str]] = {}
        """By language, as far as they have been needed."""
        self._learnt: dict[str, str] = {}

    @property
    def language(self) -> str:
        """The language, one of ``parlour_protocol.phrases.LANGUAGES``."""
        return self._language

    def use(self, language: str) -> None:
        """Change the language. ``language`` may be a locale such as ``de_DE.UTF-8``; unknown ones are English."""
        self._language = language_of(language)

    def add(self, package: str) -> None:
        """Add the phrases of ``package``."""
        if package not in self._packages:
            self._packages.append(package)
            self._tables.clear()

    def learn(self, game: str, words: Mapping[str, Any]) -> None:
        """Add the phrases of ``game`` that a server has sent. They replace none of another package."""
        own = {key: each for key, each in words.items() if key.startswith(f"{game}.")}
        self._learnt |= {key: each for key, each in own.items() if isinstance(each, str)}

    def __contains__(self, key: str) -> bool:
        return key in self._table or key in self._learnt

    def has_places(self, key: str) -> bool:
        """Return whether the phrase ``key`` has places for fields. Raises LookupError if it does not exist."""
        return any(isinstance(part, _Place) for part in _parsed(self._template(key)))

    def say(
        self, key: str, fields: Mapping[str, Any] = _NONE, formats: Mapping[str, Format] = _NONE, /, **more: Any
    ) -> str:
        """Return the phrase ``key``. Raises LookupError if it does not exist or a field is missing."""
        return _filled(_parsed(self._template(key)), {**fields, **more}, {**self._formats, **formats}, "")

    def fault(self, key: str, formats: Mapping[str, Format] = _NONE) -> str | None:
        """Return what is wrong with the phrase ``key`` whatever its fields are, None if nothing is."""
        template, known = self._template(key), [*self._formats, *formats]
        if not isinstance(template, str):
            return "it is not a string"
        if not _balanced(template):
            return "its braces do not match"
        for place in _places(_parsed(template)):
            if place.format not in known:
                name, kind = place.field, place.format
                types = ", ".join(filter(None, known))
                return f"{{{name}, {kind} …}} has no type: write {{{name}, TYPE, CASE {{…}} …}} with a type of {types}"
            if not place.field or "" in place.cases:
                return f"{{{place.field} …}} has a place without a field or a case without a name"
        return None

    @property
    def _formats(self) -> dict[str, Format]:
        return {"": plain, "select": plain, "plural": _plural, "seconds": self._seconds}

    @property
    def _table(self) -> dict[str, str]:
        if self._language not in self._tables:
            tables = [table(package, self._language) for package in self._packages]
            self._tables[self._language] = {key: each for found in tables for key, each in found.items()}
        return self._tables[self._language]

    def _template(self, key: str) -> str:
        return self._table[key] if key in self._table else self._learnt[key]

    def _seconds(self, ms: Any) -> tuple[str, ...]:
        tenths = f"{ms / 1000:.1f}".removesuffix(".0")
        return (tenths.replace(".", self._template("decimal")),)


phrases = Phrases()
say = phrases.say


def plain(value: Any) -> tuple[str, ...]:
    """Return a value as it is, which is also the key of its case."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text, text


def _plural(n: Any) -> tuple[str, ...]:
    """Return the keys of a number in languages that tell one from many."""
    return str(n), f"={n}", "one" if n == 1 else "other"


@cache
def _parsed(template: str) -> list[str | _Place]:
    return _pattern(iter(re.split("([{}#])", template)))


def _pattern(tokens: Iterator[str]) -> list[str | _Place]:
    parts: list[str | _Place] = []
    for token in tokens:
        if token == "}":
            break
        parts.append(_place(tokens) if token == "{" else token)
    return parts


def _place(tokens: Iterator[str]) -> _Place:
    field, format, case = (*map(str.strip, next(tokens).split(",")), "", "")[:3]
    place = _Place(field, format, {})
    while next(tokens) == "{":
        place.cases[case] = _pattern(tokens)
        case = next(tokens).strip()
    return place


def _balanced(template: str) -> bool:
    depth = 0
    for sign in re.findall("[{}]", template):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return not depth


def _places(parts: list[str | _Place]) -> Iterator[_Place]:
    """Yield the places of a template, also those in cases."""
    for part in parts:
        if isinstance(part, _Place):
            yield part
            for case in part.cases.values():
                yield from _places(case)


def _filled(parts: list[str | _Place], fields: Mapping[str, Any], formats: Mapping[str, Format], shown: str) -> str:
    said = []
    for part in parts:
        if isinstance(part, _Place):
            said.append(_chosen(part, fields, formats))
        else:
            said.append(shown if part == "#" else part)
    return "".join(said)


def _chosen(place: _Place, fields: Mapping[str, Any], formats: Mapping[str, Format]) -> str:
    value = fields.get(place.field)
    shown, *keys = ("", "none") if value is None else formats[place.format](value)
    if value is not None or place.format == "select":
        keys.append("other")
    for key in keys:
        if key in place.cases:
            return _filled(place.cases[key], fields, formats, shown)
    if value is None or place.cases:
        none = f": choose by it, {{{place.field}, select, none {{…}} other {{…}}}}" if value is None else ""
        raise LookupError(f"no words for {place.field} {value!a:.40}{none}")
    return shown


def explained(error: Error, game: str | None = None) -> str:
    """Return what is wrong and what to do, by the code; the server's own words where there is no phrase for it.

    ``game`` is that of the room: its phrases say why it refuses an action.
    """
    if own := _of_game(error, game):
        return own
    msg, key = error.msg.removeprefix("options: "), f"refusal.{error.code}"
    if key in phrases:
        return say(key, msg=msg, why=error.why, rid=error.rid)
    return f"{msg} – {error.hint}." if error.hint else f"{msg}."


def _of_game(error: Error, game: str | None) -> str | None:
    """Return the words for the phrase: the game's, or those for all games; None if none fit the fields."""
    keys = (f"{game}.refusal.{error.phrase}", f"refusal.{error.code}.{error.phrase}")
    key = next((key for key in keys if key in phrases), None)
    if error.phrase is None or key is None:
        return None
    try:
        return say(key, error.fields or {})
    except (LookupError, TypeError):
        return None


def not_playable(error: Exception, game: str) -> str:
    """Return what is wrong with options of ``game``, without a full stop: in the user's language if there are words."""
    bad = BadOptions.of(error)
    told = _of_game(Error("bad_options", str(bad), phrase=bad.phrase, fields=bad.fields), game)
    return (told or str(bad)).removesuffix(".")


def refused_by(url: str, error: Error, hint: str | None = None, game: str | None = None) -> str:
    """Return that the server at ``url`` refuses and why. English keeps the server's own words, with ``hint``."""
    if phrases.language == FALLBACK or f"refusal.{error.code}" not in phrases:
        return say("fault.refuses", url=url, msg=error.msg, hint=hint)
    return say("fault.refuses", url=url, msg=explained(error, game), hint=None)
