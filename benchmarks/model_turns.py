"""Measure the bytes that a language model reads each turn over MCP: the text and the structure of each answer."""

import asyncio
import json
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.processes import SYNCED, child
from benchmarks.results import Result, show

OPTIONS = {"target": 200, "breath": 0, "pause": 0}


def measure() -> list[Result]:
    """Return the mean bytes per decision of a match of UNO to 200 against one bot; none, with a note, without mcp."""
    if find_spec("mcp") is None:
        print("model_turns: skipped, needs the extra mcp")
        return []
    with TemporaryDirectory(prefix="bench-") as folder:
        store = f"sqlite:///{Path(folder, 'bench.db')}"
        options = ("--port", "0", "--house-bots", "--pace", "0", "--log-level", "warning")
        with child(SYNCED, "serve", "--ready-json", "--store", store, *options) as server:
            first, turns = asyncio.run(_play(server.url))
    texts, structures = zip(*turns, strict=True)
    return [
        ("UNO to 200 with one opponent: decisions", len(turns), ""),
        ("text of the first answer, with the rules", first, "bytes"),
        ("text of a decision, mean", mean(texts), "bytes"),
        ("structure of a decision, mean", mean(structures), "bytes"),
    ]


async def _play(url: str) -> tuple[int, list[tuple[int, int]]]:
    """Play the first answer of each list; return the bytes of the first result, and those of all decisions."""
    from mcp import Client

    from parlour_client.mcp import make_server
    from parlour_client.model_seats import Seats

    async with Seats(url) as seats, Client(make_server(seats)) as client:
        result = await client.call_tool("sit", {"game": "uno", "opponents": 1, "options": OPTIONS})
        first, turns = _bytes(result)[0], []
        while (found := result.structured_content)["status"] != "over":
            assert not result.is_error, result.content[0].text
            if found["status"] == "wait":
                result = await client.call_tool("look", {"seat": found["seat"], "wait": found["wait"]})
            else:
                act = {"seat": found["seat"], "rid": found["rid"], "answer": 0}
                result = await client.call_tool("act", act)
            if result.structured_content["status"] == "decide":
                turns.append(_bytes(result))
    return first, turns


def _bytes(result: Any) -> tuple[int, int]:
    structure = json.dumps(result.structured_content, separators=(",", ":"), ensure_ascii=False)
    return len(result.content[0].text.encode()), len(structure.encode())


if __name__ == "__main__":
    show(measure())
