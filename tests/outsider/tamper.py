"""Systematic changes of a match file, each of which a verifier that knows the digest has to find."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import Any

from tests.outsider.sight import Map, canonical

Records = list[Map]


def tamperings(text: str, rng: Random) -> Iterator[tuple[str, str]]:
    """Yield the name of a change, and the changed file.

    Every change of records comes twice: with the old hashes, and with a chain that was computed anew.
    """
    for name, change in _changes(text):
        records = [json.loads(line) for line in text.splitlines()]
        if change(records, rng) is False:
            continue
        for suffix, lines in (("", records), (", chained anew", _chained(records))):
            changed = _written(lines)
            if changed != text:
                yield name + suffix, changed
    yield from ((name, changed) for name, changed in _spellings(text) if changed != text)


def _changes(text: str) -> Iterator[tuple[str, Callable[[Records, Random], object]]]:
    records = [json.loads(line) for line in text.splitlines()]
    for index, record in enumerate(records):
        place = f"{record['r']} of line {index + 1}"
        if _telling(records, index):
            for path, value in _leaves(record):
                if path != ("h",):
                    yield f"{'.'.join(map(str, path))} in {place}", _setter(index, path, _other(path, value))
    if len(_acts(records)) > 1:
        yield "the first act left out", _without(records, "act", 0)
        yield "the last act left out", _without(records, "act", -1)
        yield "an act twice", _twice
        yield "two acts exchanged", _exchanged
        yield "an act of another seat", _another_seat
    yield "the end left out", lambda lines, rng: lines.pop()
    yield "the begin left out", lambda lines, rng: lines.pop(0)
    yield "a record after the end", lambda lines, rng: lines.append(lines[-2])
    yield "an unknown record", lambda lines, rng: lines.insert(2, {**lines[1], "r": "gift"})
    yield "an unknown field", lambda lines, rng: lines[1].update(gift=1)
    yield "a reason put into a player's mouth", lambda lines, rng: lines[1].update(why="I saw your cards")
    yield "times one millisecond later", _later
    yield "numbers of records one higher", _higher


def _telling(records: Records, index: int) -> bool:
    """Whether a record is the first of its kind, or one of the two ends: enough, since all of a kind are alike."""
    kind = [(record["r"], record.get("act", {}).get("do")) for record in records]
    return kind.index(kind[index]) == index or index == len(records) - 1


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _leaves(item, (*path, number))
    else:
        yield path, value


def _other(path: tuple[str | int, ...], value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) == 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case "":
            return "ff" * 32
        case str():
            return value + "x"
    return 1


def _setter(index: int, path: tuple[str | int, ...], value: Any) -> Callable[[Records, Random], object]:
    def change(records: Records, rng: Random) -> None:
        place: Any = records[index]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def _without(records: Records, kind: str, which: int) -> Callable[[Records, Random], object]:
    places = [index for index, record in enumerate(records) if record["r"] == kind]
    return lambda lines, rng: lines.pop(places[which])


def _acts(records: Records) -> list[int]:
    return [index for index, record in enumerate(records) if record["r"] == "act"]


def _twice(records: Records, rng: Random) -> None:
    index = rng.choice(_acts(records))
    records.insert(index, dict(records[index]))


def _exchanged(records: Records, rng: Random) -> object:
    index = rng.choice(_acts(records)[:-1])
    ours, theirs = records[index], records[index + 1]
    records[index], records[index + 1] = {**theirs, "n": ours["n"]}, {**ours, "n": theirs["n"]}
    return ours != theirs


def _another_seat(records: Records, rng: Random) -> None:
    act = records[rng.choice(_acts(records))]
    act["seat"] = (act["seat"] + 1) % max(2, len(records[0]["players"]))


def _later(records: Records, rng: Random) -> None:
    for record in records:
        record["at"] += 1


def _higher(records: Records, rng: Random) -> None:
    for record in records:
        record["n"] += 1


def _spellings(text: str) -> Iterator[tuple[str, str]]:
    """The same records, written in another way."""
    lines = text.splitlines()
    yield "spaces", "".join(json.dumps(json.loads(line), sort_keys=True) + "\n" for line in lines)
    yield "another order of keys", "\n".join([_backwards(lines[0]), *lines[1:]]) + "\n"
    yield "no end of the last line", text[:-1]
    yield "carriage returns", text.replace("\n", "\r\n")
    yield "an empty line", text + "\n"
    yield "half of the file", text[: len(text) // 2]
    yield "nothing", ""
    yield "a byte order mark", "\ufeff" + text
    yield "an escaped letter", text.replace('"r"', '"\\u0072"', 1)
    yield "a float", text.replace('"room":1,', '"room":1.0,', 1).replace('"room":2,', '"room":2.0,', 1)
    yield "a key twice", text.replace('"match":', '"match":1,"match":', 1)


def _backwards(line: str) -> str:
    return json.dumps(dict(reversed(json.loads(line).items())), ensure_ascii=False, separators=(",", ":"))


def _chained(records: Records) -> Records:
    """Number the records and hash them, as somebody would who makes up a whole file."""
    chained: Records = []
    last = b""
    for number, record in enumerate(records, records[0]["n"] if records else 0):
        body = {**{key: value for key, value in record.items() if key != "h"}, "n": number}
        last = sha256(last + canonical(body).encode()).digest()
        chained.append({**body, "h": last.hex()})
    return chained


def _written(records: Records) -> str:
    return "".join(f"{canonical(record)}\n" for record in records)
