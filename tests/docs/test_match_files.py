"""The final state as docs/match-files.md describes it, counted again from the events of random matches."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from tests.web.random_matches import RandomMatch, mines, uno

from parlour_games.uno.cards import SYMBOL
from parlour_protocol.messages import Plain

PAGE = Path("docs/match-files.md").read_text(encoding="utf-8")


def fields(heading: str, number: int = 0) -> dict[str, str]:
    """Return the fields in a table of a section, each with its description."""
    section = PAGE.split(f"### {heading}\n")[1].split("\n#")[0].strip()
    table = [block for block in section.split("\n\n") if block.startswith("|")][number]
    rows = [row.strip("| ").split(" | ", 1) for row in table.splitlines()[2:]]
    return {name: meaning for names, meaning in rows for name in re.findall(r"`(\w+)`", names)}


def steps(match: RandomMatch) -> list[tuple[Plain, list[Plain]]]:
    """Return the state after each record with the events that a spectator saw."""
    found = [json.loads(step) for step in match.steps]
    return [(step["state"], step["seen"][0]["events"]) for step in found]


@pytest.fixture(scope="module")
def matches(seed: int) -> list[RandomMatch]:
    return [uno(Random(f"{seed}/{number}")).play(most=200) for number in range(30)]


def test_a_state_of_uno_has_the_fields_of_the_table(matches: list[RandomMatch]) -> None:
    written = fields("UNO")
    optional = {name for name, meaning in written.items() if "bsent w" in meaning}
    for match in matches:
        for state, _ in steps(match):
            assert written.keys() - optional <= state.keys() <= written.keys()


def test_a_state_of_minesweeper_has_the_fields_of_the_tables(seed: int) -> None:
    for number in range(10):
        for state, _ in steps(mines(Random(f"{seed}/{number}")).play(most=40)):
            assert state.keys() == fields("Minesweeper").keys()
            assert all(player.keys() == fields("Minesweeper", 1).keys() for player in state["players"])


def test_questions_and_occasions_are_counted_as_the_page_says(matches: list[RandomMatch]) -> None:
    for match in matches:
        first = {"question": 0, "occasion": 0, "turn": -1, "phase": "pause", "counts": [0] * match.seats}
        for (before, _), (state, events) in pairwise([(first, []), *steps(match)]):
            options = state["options"]
            least = before["question"] + sum(questions(before, events))
            shorter = options.get("seven_zero", False) and any(event["e"] == "out" for event in events)
            assert state["question"] in (least, least + shorter), (options, before, events)
            assert state["occasion"] == before["occasion"] + occasions(before, options, events), (before, events)


def questions(before: Plain, events: list[Plain]) -> Iterator[bool]:
    """Yield for each event whether it counts as a question."""
    ended = any(event["e"] in ("round", "match") for event in events)
    for event in events:
        match event["e"]:
            case "deal" | "play" | "colour":
                yield True
            case "draw" if event["why"] == "turn":
                yield True
            case "draw" if event["why"] in ("caught", "mistake"):
                yield event["n"] > 0 and event["seat"] == before["turn"]
            case "pass" | "accept" | "challenge":
                yield not ended
            case "out" if event["why"] != "points":
                yield event["seat"] == before["turn"] and not ended


def occasions(before: Plain, options: Plain, events: list[Plain]) -> int:
    """Return how often reactions opened."""
    counts, player, opened = [*before["counts"]], -1, 0
    everyone = bool(options.get("false_call_penalty"))

    def hold(taker: int, count: int) -> bool:
        had, counts[taker] = counts[taker], count
        return everyone and count == 1 and (had != 1 or taker == player)

    for event in events:
        match event["e"]:
            case "play":
                player = event["seat"]
                counts[player] -= len(event.get("cards", [0]))
                moves = options.get("seven_zero", False) and SYMBOL[event["card"]] in (0, 7)
                if counts[player] == 1 and not moves:
                    opened += everyone + (not event.get("uno", False))
                opened += options.get("jump_in", False) and counts[player] > 0
            case "draw":
                counts[event["seat"]] += event["n"]
            case "swap":
                one, other = event["seat"], event["of"]
                for taker, count in [(one, counts[other]), (other, counts[one])]:
                    opened += hold(taker, count)
            case "rotate":
                givers = [seat for seat, count in enumerate(counts) if count]
                step, given = event["direction"], [*counts]
                for at, giver in enumerate(givers):
                    opened += hold(givers[(at + step) % len(givers)], given[giver])
    return opened
