"""A replay is what live viewers were told, message by message; no seat is shown more than it saw."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.matches import Played, play, rehashed

from parlour_protocol import messages as m
from parlour_server.game_files.reader import BadFile
from parlour_server.game_files.replay import Step, main, messages, replay

FEW, MANY = range(20), range(2_000_000, 2_001_000)
TABLE_MESSAGES = (m.Update, m.Turn, m.Over)
COMMAND = (sys.executable, "-m", "parlour_server.game_files.replay")


def game_only(told: Any) -> list[m.ServerMessage]:
    """Return the messages about the game. Their numbers differ: live viewers were told of comings and goings, too."""
    return [replace(message, seq=0) for message in told if isinstance(message, TABLE_MESSAGES)]


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
@pytest.mark.parametrize("seeds", [FEW, pytest.param(MANY, marks=pytest.mark.torture)], ids=["few", "many"])
def test_viewers_are_told_again_what_they_were_told(game: str, seeds: range) -> None:
    viewers = 0
    for seed in seeds:
        played = play(game, seed)
        for viewer in played.steady:
            assert game_only(messages(played.lines, viewer)) == game_only(played.heard[viewer]), (game, seed, viewer)
            viewers += 1
    assert viewers > len(seeds)


def test_messages_are_numbered_and_go_from_joined_to_over() -> None:
    played = play("uno", 2)
    told = list(messages(played.lines, 0))
    assert isinstance(told[0], m.Joined)
    assert told[0].table["state"] == "waiting"
    assert told[0].table["fair"]["commit"] == json.loads(played.lines[0])["commit"]
    assert [row["here"] for row in told[0].table["seats"]] == [True] * len(told[0].table["seats"])
    assert isinstance(told[-1], m.Over)
    assert told[-1].digest == played.digest
    numbers = [message.seq for message in told if isinstance(message, (m.Joined, m.SeatsChanged, *TABLE_MESSAGES))]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert len(numbers) == len(told)


def left_behind() -> tuple[Played, int]:
    """Return a match in which somebody gave a seat up while others played on, and that seat."""
    for seed in range(200):
        played = play("uno", seed)
        gone = [line for line in map(json.loads, played.lines[:-3]) if line["r"] == "vacated"]
        if gone:
            return played, gone[0]["seat"]
    raise AssertionError("nobody has left")


def test_who_has_left_is_told_nothing_more() -> None:
    played, seat = left_behind()
    told = list(messages(played.lines, seat))
    assert isinstance(told[-1], m.Left)
    assert not [message for message in told if isinstance(message, m.Over)]


def test_notes_of_others_are_for_spectators() -> None:
    played = play("uno", 2, trouble=False)
    acts = [line for line in map(json.loads, played.lines) if line["r"] in ("act", "timeout")]
    for viewer in (None, 0, 1):
        steps = [found for found in replay(played.lines, viewer) if isinstance(found, Step)]
        assert [(step.n, step.seat, step.rid) for step in steps] == [
            (number, act["seat"], act["rid"]) for number, act in enumerate(acts, 1)
        ]
        assert [step.why for step in steps] == [
            act.get("why") if viewer in (None, act["seat"]) else None for act in acts
        ]
        assert any(step.why for step in steps)
        assert [step.act for step in steps] == [act.get("act") if act["seat"] == viewer else None for act in acts]


def test_acts_of_a_stand_in_are_not_the_viewers() -> None:
    played = play("uno", 1)
    records = [json.loads(line) for line in played.lines]
    players = range(len(records[0]["players"]))
    away: set[int] = set()
    own: set[int] = set()
    others: set[int] = set()
    number = 0
    for record in records:
        if record["r"] == "control":
            (away.discard if record["by"] == "owner" else away.add)(record["seat"])
        number += record["r"] in ("act", "timeout")
        if record["r"] == "act":
            (others if record["seat"] in away else own).add(number)
    assert others
    told = {step.n for seat in players for step in replay(played.lines, seat) if isinstance(step, Step) and step.act}
    assert told == own


def test_a_match_that_is_not_over_is_not_replayed() -> None:
    played = play("uno", 2)
    for lines in ([], played.lines[:1], played.lines[:-1]):
        with pytest.raises(BadFile, match="not over"):
            next(messages(lines, 0))


def test_a_forged_end_is_not_told() -> None:
    played = play("uno", 2)
    last = json.loads(played.lines[-1])
    forged = rehashed([*played.lines[:-1], json.dumps({**last, "scores": [0] * len(last["scores"])})])
    told: list[m.ServerMessage] = []
    with pytest.raises(BadFile, match="scores does not follow"):
        told.extend(messages(forged))
    assert not [message for message in told if isinstance(message, m.Over)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in play("uno", 2, trouble=False).lines))
    return path


def written(*arguments: str) -> list[Any]:
    out = io.StringIO()
    main(arguments, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_command_writes_messages_and_steps(file: Path) -> None:
    lines = written(str(file))
    assert (lines[0]["t"], lines[-1]["t"]) == ("joined", "over")
    assert [line["n"] for line in lines if line["t"] == "step"] == list(range(1, 1 + str(lines).count("'t': 'step'")))
    kinds = {line["t"] for line in written(str(file), "--as", "0")}
    assert kinds == {"joined", "seats", "step", "update", "turn", "over"}


def test_a_viewer_is_a_seat_or_a_name(file: Path) -> None:
    assert written(str(file), "--as", "1") == written(str(file), "--as", "BERT") != written(str(file), "--as", "0")
    with pytest.raises(LookupError, match="no player has the name 'zoe'; the seats are 0 anna, 1 bert"):
        written(str(file), "--as", "zoe")


def test_the_command_fails_in_one_line(file: Path) -> None:
    good = subprocess.run([*COMMAND, str(file)], capture_output=True, check=False)
    assert good.returncode == 0
    assert [json.loads(line) for line in good.stdout.decode().splitlines()] == written(str(file))
    file.write_text(file.read_text().replace('"seat":0', '"seat":1', 1))
    for arguments, code, words in (
        ([str(file)], 1, b"line "),
        ([str(file.parent / "none")], 2, b"cannot be read: No such file"),
        ([], 2, b"usage: "),
    ):
        bad = subprocess.run([*COMMAND, *arguments], capture_output=True, check=False)
        assert (bad.returncode, bad.stdout if code == 2 else b"") == (code, b"")
        assert words in bad.stderr
        assert bad.stderr.count(b"\n") == 1
