"""Options of a match: how a game declares and checks them, and how forms learn about them.

An option is an attrs field of ``Game.Options``, made by ``option``. Its validator knows the limits, and its metadata
holds a sentence of help. A field with any other validator works, too: a form shows it without limits.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias

import attrs

from parlour_games.game import BadOptions, Game

Validator: TypeAlias = Callable[[Any, "attrs.Attribute[Any]", Any], None]


_SHOWN = 32
"""Characters of an unknown name or a wrong value that a refusal repeats."""


def _repeated(value: Any) -> str:
    """Return the beginning of a value as a refusal repeats it."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


@attrs.frozen
class OneOf:
    """Validator that accepts one of ``choices``."""

    choices: tuple[str, ...]

    def __attrs_post_init__(self) -> None:
        """Raise TypeError for choices that are no strings."""
        if odd := [choice for choice in self.choices if type(choice) is not str]:
            raise TypeError(f"choices are strings, not {odd[0]!r}: use Between for numbers, Switch for true and false")

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        """Raise BadOptions unless ``value`` is one of the choices."""
        if value not in self.choices:
            fields = {"name": field.name, "choices": ", ".join(self.choices), "value": _repeated(value)}
            raise BadOptions("{name} must be one of {choices}, not {value}".format(**fields), "one_of", **fields)


@attrs.frozen
class Between:
    """Validator that accepts an integer from ``low`` to ``high``."""

    low: int
    high: int

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        """Raise BadOptions unless ``value`` is an integer within the limits."""
        if type(value) is not int or not self.low <= value <= self.high:
            fields = {"name": field.name, "low": self.low, "high": self.high, "value": _repeated(value)}
            reason = "{name} must be a whole number from {low} to {high}, not {value}".format(**fields)
            raise BadOptions(reason, "whole", **fields)


@attrs.frozen
class Switch:
    """Validator that accepts true and false."""

    choices: ClassVar = (False, True)

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: Any) -> None:
        """Raise BadOptions unless ``value`` is a boolean."""
        if type(value) is not bool:
            fields = {"name": field.name, "value": _repeated(value)}
            raise BadOptions("{name} must be true or false, not {value}".format(**fields), "boolean", **fields)


def check(options: type[Any], given: Mapping[str, Any]) -> None:
    """Raise BadOptions for a name in ``given`` that is not an option, or a value that its option cannot have."""
    fields = {field.name: field for field in attrs.fields(options) if field.init}
    for name, value in given.items():
        if name not in fields:
            shown, known = repr(name[:_SHOWN]), ", ".join(fields)
            raise BadOptions(f"there is no option {shown}; choose from {known}", "unknown", name=shown, choices=known)
        validator = fields[name].validator
        if isinstance(validator, OneOf | Between | Switch):
            validator(None, fields[name], value)


def option(
    default: Any,
    validator: Validator,
    help: str,
    *,
    label: str = "",
    named: Mapping[str, str] | None = None,
    unit: str = "",
) -> Any:
    """Return the attrs field of an option. ``default`` may be an ``attrs.Factory``.

    ``unit`` is that of a number. The phrases of a game name its options and their choices for people; in a game without
    phrases, ``label`` and ``named`` do.
    """
    metadata = {"help": help, "label": label, "named": named or {}, "unit": unit}
    return attrs.field(default=default, validator=validator, metadata=metadata)


@attrs.frozen
class Option:
    """Describes an option for a form: its choices if it has a few, or the limits of a number as far as known."""

    name: str
    help: str
    default: str | int | bool
    choices: tuple[str | bool, ...] = ()
    low: int | None = None
    high: int | None = None
    label: str = attrs.field(default=attrs.Factory(lambda self: self.name.replace("_", " "), takes_self=True))
    named: Mapping[str, str] = attrs.field(factory=dict)
    unit: str = ""


def options_of(game: Game[Any, Any, Any, Any]) -> list[Option]:
    """Return the options of ``game`` that a form can set, in the order of declaration."""
    return list(_options(game))


def _options(game: Game[Any, Any, Any, Any]) -> Iterator[Option]:
    defaults = attrs.asdict(game.Options(), recurse=False)
    for field in attrs.fields(game.Options):
        name, help, default = field.name, str(field.metadata.get("help", "")), defaults[field.name]
        words = {key: field.metadata[key] for key in ("label", "named", "unit") if field.metadata.get(key)}
        match field.validator, default:
            case OneOf(choices), _:
                yield Option(name, help, default, choices, **words)
            case Between(low, high), _:
                yield Option(name, help, default, low=low, high=high, **words)
            case _, bool():
                yield Option(name, help, default, Switch.choices, **words)
            case _, int() | str():
                yield Option(name, help, default, **words)


def differing(options: Any, names: Mapping[str, str]) -> list[str]:
    """Return, in words, the options that differ from the usual ones. A default may depend on other options.

    ``names`` are those of options and, as ``preset.family``, of their choices. Others are shown as they are written.
    """
    found = []
    for field in attrs.fields(type(options)):
        value = getattr(options, field.name)
        if field.init and value != _usual(field, options):
            found.append(_in_words(field, value, names))
    return found


def _usual(field: "attrs.Attribute[Any]", options: Any) -> Any:
    default: Any = field.default
    if not isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a class to all but the type checker
        return default
    return default.factory(options) if default.takes_self else default.factory()


def _in_words(field: "attrs.Attribute[Any]", value: Any, names: Mapping[str, str]) -> str:
    own, unit = field.metadata, field.metadata.get("unit", "")
    label = names.get(field.name) or own.get("label") or field.name.replace("_", " ")
    if isinstance(value, bool):
        return label if value else f"{label}: no"
    if isinstance(value, str):
        return f"{label}: {names.get(f'{field.name}.{value}') or own.get('named', {}).get(value, value)}"
    if unit == "ms":
        return f"{label}: {value / 1000:g} s"
    return f"{label}: {value} {unit}".rstrip()
