"""Validators of message fields. Their limits are public attributes, which the schema shows."""

from typing import Any

import attrs


class OutOfLimits(ValueError):
    """A field of a message is outside its limits. The text begins with "must"; ``field`` is the name in Python."""

    def __init__(self, field: "attrs.Attribute[Any]", text: str) -> None:
        super().__init__(text)
        self.field = field.name


@attrs.frozen
class MaxLength:
    """Validator that accepts None, and strings and lists of at most ``max_length`` characters or entries."""

    max_length: int

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: str | list[Any] | None) -> None:
        """Raise OutOfLimits for a longer value."""
        if value is not None and len(value) > self.max_length:
            unit = "characters" if isinstance(value, str) else "entries"
            raise OutOfLimits(field, f"must be at most {self.max_length} {unit}")


@attrs.frozen
class Between:
    """Validator that accepts None, and numbers from ``low`` to ``high``."""

    low: int
    high: int

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: int | None) -> None:
        """Raise OutOfLimits for any other number."""
        if value is not None and not self.low <= value <= self.high:
            raise OutOfLimits(field, f"must be from {self.low} to {self.high}")


@attrs.frozen
class HexDigits:
    """Validator that accepts None, and strings of ``count`` digits 0-9 and a-f."""

    count: int

    @property
    def pattern(self) -> str:
        """The regular expression of the whole string."""
        return f"^(?:[0-9a-f]{{{self.count}}})$"

    def __call__(self, _: Any, field: "attrs.Attribute[Any]", value: str | None) -> None:
        """Raise OutOfLimits for any other string."""
        if value is not None and (len(value) != self.count or set(value) - set("0123456789abcdef")):
            raise OutOfLimits(field, f"must be {self.count} digits of 0-9 and a-f")
