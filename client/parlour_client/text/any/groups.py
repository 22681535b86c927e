"""Many actions of one kind as a group: one is chosen by the values of the fields in which they differ."""

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.any.actions import Way
from parlour_client.text.any.words import own, shown, spaced

MANY = 20
"""The number of actions of one kind above which they are a group."""
_LONGEST = 400
_RUN = 2
"""Values in a row that are said as a range."""


@attrs.frozen
class Group:
    """Actions of one decision that have the same name, and differ in ``fields`` only."""

    ways: tuple[Way, ...]
    fields: tuple[str, ...]

    def options(self, way: Way, at: int) -> list[Way]:
        """Return an action for each value that field ``at`` can have beside the values of ``way`` in earlier fields.

        Later fields keep the values of ``way`` where that is possible.
        """
        found: dict[str, Way] = {}
        for other in self.ways:
            if self._kept(other, way, 0, at) < at:
                continue
            value = _key(other, self.fields[at])
            best = found.get(value)
            if best is None or self._kept(other, way, at + 1) > self._kept(best, way, at + 1):
                found[value] = other
        return [*found.values()]

    def step(self, way: Way, at: int, by: int) -> Way:
        """Return ``way`` with the next value of field ``at``, or the one before it; the first follows the last."""
        options = self.options(way, at)
        here = [_key(option, self.fields[at]) for option in options].index(_key(way, self.fields[at]))
        return options[(here + by) % len(options)]

    def _kept(self, one: Way, other: Way, start: int, end: int | None = None) -> int:
        """Return in how many fields, counted from ``start``, two actions agree."""
        count = 0
        for field in self.fields[start:end]:
            if _key(one, field) != _key(other, field):
                break
            count += 1
        return count


Item: TypeAlias = Way | Group


def grouped(found: Sequence[Way]) -> list[Item]:
    """Return actions and groups, in the order of the actions. Actions that name cells are never grouped."""
    kinds: dict[tuple[int, Any], list[Way]] = {}
    for way in found:
        kinds.setdefault((way.rid, way.action.get("do")), []).append(way)
    items: list[Item] = []
    for kind in kinds.values():
        fields = _differing(kind)
        items += [Group(tuple(kind), fields)] if len(kind) > MANY and fields else kind
    return items


def field_name(room: JoinedRoom, way: Way, field: str) -> str:
    """Return the name of a field of an action: the phrase ``act.DO.FIELD``, or the field itself."""
    found = own(room, f"act.{way.action.get('do')}.{field}", {})
    return spaced(field) if found is None else found


def described(room: JoinedRoom, group: Group) -> str:
    """Return a line about a group: which values its fields can have, and an example."""
    values = _tree(room, group, group.ways, 0)
    if len(values) > _LONGEST:
        each = [_tree(room, Group(group.ways, (field,)), group.ways, 0) for field in group.fields]
        values = ", ".join(each)[:_LONGEST]
    return say(
        "line.any.group",
        kind=spaced(group.ways[0].action.get("do")),
        values=values,
        example=group.ways[0].words,
    )


def _differing(kind: list[Way]) -> tuple[str, ...]:
    """Return the fields by which one of these actions can be chosen; none if a list is the better way."""
    if any(way.places for way in kind):
        return ()
    names = dict.fromkeys(field for way in kind for field in way.action)
    values = {name: {_key(way, name) for way in kind} for name in names}
    fields = tuple(name for name in names if len(values[name]) > 1)
    numbers = all(type(way.action.get(field)) is int for way in kind for field in fields)
    few = sum(len(values[field]) for field in fields) <= len(kind) // 2
    return fields if few or numbers else ()


def _key(way: Way, field: str) -> str:
    return json.dumps(way.action.get(field))


def _tree(room: JoinedRoom, group: Group, ways: Sequence[Way], at: int) -> str:
    """Return which values the fields from ``at`` have: ``count 3, face 5 to 6; count 4 to 9, face 1 to 6``."""
    field = group.fields[at]
    name = field_name(room, ways[0], field)
    branches: dict[str, list[Way]] = {}
    for way in ways:
        branches.setdefault(_key(way, field), []).append(way)
    rest: dict[str, list[Any]] = {}
    for each in branches.values():
        below = _tree(room, group, each, at + 1) if at + 1 < len(group.fields) else ""
        rest.setdefault(below, []).append(each[0].action.get(field))
    parts = (f"{name} {_ranges(room, field, values)}{below and f', {below}'}" for below, values in rest.items())
    return "; ".join(parts)


def _ranges(room: JoinedRoom, field: str, values: list[Any]) -> str:
    """Return values in words; numbers that follow each other as a range."""
    runs: list[list[Any]] = []
    for value in values:
        if runs and type(value) is int and type(runs[-1][-1]) is int and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    said = []
    for run in runs:
        words = [shown(room, value, field) for value in run]
        said.append(f"{words[0]}–{words[-1]}" if len(run) > _RUN else ", ".join(words))
    return ", ".join(said)
