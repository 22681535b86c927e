"""Chosen deals: what ``create`` asks for so that a room plays a known deal."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256

from parlour_client.core.room import JoinedRoom
from parlour_games.minesweeper.options import Options
from parlour_protocol.messages import Create, Deal, Plain


def seeded(seed: int) -> Deal:
    """Return the deal that ``seed`` stands for, the same on every machine: S is SHA-256("parlour-seed/1/" ‖ seed)."""
    return {"secret": sha256(f"parlour-seed/1/{seed}".encode()).hexdigest(), "context": f"seed/{seed}", "nonces": []}


def can_repeat(room: JoinedRoom) -> bool:
    """Whether we can play the deal of the finished match once more: alone, or with bots from the first seat.

    In a room with a chosen deal a rematch does that, except for a board that depends on the first click.
    """
    if room.over is None or room.seat is None:
        return False
    others = [row for row in room.table["seats"] if row["seat"] != room.seat]
    if not others:
        return room.table["options"].get("mode") == "solo"
    return room.seat == 0 and all(row["kind"] == "bot" for row in others) and "deal" not in room.table["fair"]


def repeated(lines: Sequence[str]) -> Create:
    """Return the request for a room with the deal of a match file."""
    begun, *records = map(json.loads, lines)
    seats = len(begun["players"])
    deal: Deal = {"secret": begun["secret"], "context": begun["context"], "nonces": begun["nonces"][:seats]}
    if "beacon" in begun:
        chain, number = begun["beacon"]["chain"], begun["beacon"]["round"]
        deal["beacon"] = {"chain": chain, "round": number, "randomness": begun["nonces"][seats]}
    options = begun["options"]
    if options.get("mode") == "solo" and options.get("first_cell", -1) < 0:
        options = _with_first_cell(options, records)
    return Create(begun["game"], options, seats=len(begun["players"]), private=True, clock=None, deal=deal)


def _with_first_cell(options: Plain, records: Iterable[Plain]) -> Plain:
    """Return ``options`` on which the board of a match does not depend on the first click."""
    for record in records:
        act = record.get("act", {})
        opened = act.get("cells", []) if act.get("do") == "open" else []
        opened = opened or [[x, y] for verb, x, y in act.get("moves", []) if verb == "open"]
        if opened:
            x, y = opened[0]
            return {**options, "first_cell": y * Options(**options).shape.width + x}
    return options
