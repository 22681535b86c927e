"""What one message shows of a game, as text that can be compared and takes little room."""

import json
from typing import Any, NamedTuple

Map = dict[str, Any]


class Sight(NamedTuple):
    """A view with the questions beside it. None stands for what a message does not say."""

    view: str
    rid: int | None
    """Of the required decision. Only a `turn` says it: an older question may stay open beside an `update`."""
    legal: str | None
    may: str | None

    def agrees(self, other: "Sight") -> bool:
        """Whether all that this one says holds for the other."""
        return all(mine is None or mine == theirs for mine, theirs in zip(self, other, strict=True))


def canonical(value: Any) -> str:
    """Write plain data as a line of a match file does."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def shown(message: Map) -> Sight:
    """Return what a message of a room shows."""
    legal = canonical(message["legal"]) if "legal" in message else None
    offers = [act for offer in message.get("may", []) for act in offer["legal"]]
    return Sight(
        canonical(message["view"]), message.get("rid"), legal, _unordered(offers) if "may" in message else None
    )


def there(view: Map, rid: int | None, legal: list[Map], may: list[Map]) -> Sight:
    """Return what there is to see."""
    return Sight(canonical(view), rid, canonical(legal), _unordered(may))


def _unordered(acts: list[Map]) -> str:
    return "\n".join(sorted(map(canonical, acts)))
