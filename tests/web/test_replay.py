"""The page's own rules, written from SPEC.md, agree with the server's in every view and state."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.node import ask
from tests.support.sessions import played
from tests.web.random_matches import RandomMatch, kind_mines, left_uno, mines, uno

from parlour_games.fair import commitment
from parlour_protocol.messages import Plain
from parlour_server.rooms.records import canonical, game_file

pytestmark = pytest.mark.node
DRIVER = Path(__file__).with_name("replay_driver.mjs")


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (uno, 20),
        (left_uno, 20),
        (mines, 20),
        (kind_mines, 5),
        *(pytest.param(make, 60, marks=pytest.mark.long) for make in (uno, left_uno, mines)),
    ],
)
def test_every_view_and_state_is_as_on_the_server(
    node_executable: Path, seed: int, make: Callable[[Random], RandomMatch], count: int
) -> None:
    matches = [make(Random(f"{seed}/{number}")).play(most=250) for number in range(count)]
    answers = ask(node_executable, DRIVER, [{"records": match.records} for match in matches])
    for match, steps in zip(matches, answers, strict=True):
        for number, (step, right) in enumerate(zip(steps, match.steps, strict=True)):
            if step != right:
                where = match.options, match.seats, number, match.records[number]
                pytest.fail(f"{where}: {differences(json.loads(step), json.loads(right))}")


@pytest.mark.parametrize(("make", "count"), [(uno, 20), (mines, 10)])
def test_what_the_server_refuses_is_refused(
    node_executable: Path, seed: int, make: Callable[[Random], RandomMatch], count: int
) -> None:
    rng = Random(seed)
    matches = [make(Random(f"{seed}/{number}")).play(most=100) for number in range(count)]
    refused = [rng.choice(match.refused) for match in matches if match.refused]
    assert refused
    for records, answer in zip(
        refused, ask(node_executable, DRIVER, [{"last": each} for each in refused]), strict=True
    ):
        assert answer, (records[0]["options"], records[-1])


def differences(found: Any, right: Any, where: str = "") -> list[str]:
    """Return where two pieces of plain data differ."""
    if isinstance(found, dict) and isinstance(right, dict) and found.keys() == right.keys():
        return [one for name in right for one in differences(found[name], right[name], f"{where}.{name}")]
    if isinstance(found, list) and isinstance(right, list) and len(found) == len(right):
        pairs = enumerate(zip(found, right, strict=True))
        return [one for number, pair in pairs for one in differences(*pair, f"{where}[{number}]")]
    return [] if found == right and type(found) is type(right) else [f"{where}: {found} is not {right}"]


@pytest.mark.parametrize("name", ["uno-1-beacon", "minesweeper-2-beacon"])
def test_match_with_a_beacon_is_verified(node_executable: Path, name: str) -> None:
    lines = Path(f"tests/server/golden/matches/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    begun, *others = records_of(lines)
    files = [lines, chained([{**begun, "nonces": begun["nonces"][:-1]}, *others])]
    sound, refused = ask(node_executable, DRIVER, [{"text": text(each)} for each in files])
    assert sound == "sound"
    assert "nonce" in refused


TABLES: tuple[tuple[str, int, Plain], ...] = (
    ("uno", 3, {"target": 100, "pause": 0}),
    ("uno", 10, {"scoring": "single", "preset": "chaos"}),
    ("minesweeper", 1, {"no_guess": True}),
    ("minesweeper", 2, {"mode": "coop", "kind": True, "lives": 3}),
    ("minesweeper", 3, {"mode": "race", "penalty": 1_000}),
    ("minesweeper", 2, {"mode": "duel"}),
)


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=str)
def test_sound_and_forged_files(node_executable: Path, game: str, seats: int, options: Plain) -> None:
    lines, digest = played(game, seats, options, seed=seats)
    records, sound = records_of(lines), text(lines)
    forged = [
        *(text(forge(records)) for forge in (another_secret, other_scores, without_a_move)),
        sound.replace(":", ": ", 1),
        text(lines[:-1]),
        sound[:-1],
        sound + "\n",
        sound.replace("\n", "\r\n"),
        "{}",
        "hello",
        text(chained([{**records[0], "game": "chess"}, *records[1:]])),
        text(chained([{**records[0], "options": {**records[0]["options"], "gravity": True}}, *records[1:]])),
    ]
    questions = [{"text": sound, "digest": digest}, {"text": sound}, {"text": sound, "digest": "0" * 64}]
    *answers, unknown, option = ask(node_executable, DRIVER, [*questions, *({"text": each} for each in forged)])
    assert "gravity" in option
    assert "chess" in unknown
    assert "parlour replay FILE" in unknown
    assert answers[:2] == ["sound", "sound"]
    assert answers[2] == "this is not the file with that digest"
    assert all(answer != "sound" for answer in answers[2:]), answers


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def records_of(lines: list[str]) -> list[Plain]:
    """Return the records of a match file without its hash chain."""
    return [{name: value for name, value in json.loads(line).items() if name != "h"} for line in lines]


def chained(records: list[Plain]) -> list[str]:
    """Return the records as lines with a correct hash chain."""
    return list(game_file(map(canonical, records)))


def another_secret(records: list[Plain]) -> list[str]:
    """Return the match with another secret and its commitment."""
    secret = bytes.fromhex(records[0]["secret"][:-2] + "00")
    return chained([{**records[0], "secret": secret.hex(), "commit": commitment(secret)}, *records[1:]])


def other_scores(records: list[Plain]) -> list[str]:
    scores = [score + 1 for score in records[-1]["scores"]]
    return chained([*records[:-1], {**records[-1], "scores": scores}])


def without_a_move(records: list[Plain]) -> list[str]:
    at = next(number for number, record in enumerate(records) if record["r"] == "act")
    return chained([*records[:at], *records[at + 1 :]])
