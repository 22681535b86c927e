"""Times on clocks, from seconds to days, as people read and type them."""

from math import ceil

_HOUR = 3600
_UNITS = {"s": 1, "min": 60, "h": _HOUR, "d": 24 * _HOUR}


def time_left(ms: float) -> str:
    """Return the time left on a clock: whole seconds, from an hour on the two largest units."""
    seconds = ceil(ms / 1000)
    return _long(seconds) if seconds >= _HOUR else f"{seconds} s"


def duration(ms: int) -> str:
    """Return a time that is set: seconds, from an hour on the two largest units."""
    return _long(ms // 1000) if ms >= 1000 * _HOUR else f"{ms / 1000:g} s"


def seconds_of(number: str, unit: str) -> float:
    """Return the seconds of a number with a unit: s, min, h or d, by default seconds."""
    return float(number) * _UNITS[unit or "s"]


def _long(seconds: int) -> str:
    days, hours, minutes = seconds // _UNITS["d"], seconds // _HOUR % 24, seconds // 60 % 60
    parts = ((days, "d"), (hours, "h")) if days else ((hours, "h"), (minutes, "min"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
