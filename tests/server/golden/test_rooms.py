"""Logs that older versions wrote fold to what they folded to then; no version is raised without keeping its logs."""

import os
from pathlib import Path

import pytest
from tests.server.golden.making import FOLDER, amount, missing, versions, write

from parlour_games.registry import AnyGame, games
from parlour_server.rooms.records import ROOM_VERSION, Begun, RoomOpened, parse
from parlour_server.rooms.room import replay

if os.environ.get("PARLOUR_GOLDEN") == "write":
    written = list(write())

LOGS = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_log_folds_to_what_it_came_to(path: Path) -> None:
    then, *lines = path.read_text().splitlines()
    assert amount(lines) == then, "a change of behaviour: raise the version and keep the old branch"


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_log_was_written_under_the_versions_in_its_name(path: Path) -> None:
    game, rules, room = versions(path)
    records = [parse(line) for line in path.read_text().splitlines()[1:]]
    opened = records[0]
    assert isinstance(opened, RoomOpened)
    assert (opened.game, opened.version) == (game, room)
    assert {(each.rules, each.room) for each in records if isinstance(each, Begun)} == {(rules, room)}


def test_logs_know_every_kind_of_record() -> None:
    kinds = {parse(line).r for path in LOGS for line in path.read_text().splitlines()[1:]}
    assert kinds == {
        "opened", "owned", "taken", "vacated", "control", "ready", "host", "ruled", "begun", "act", "timeout", "timer",
        "job", "over", "absent", "changed",
    }  # fmt: skip


def test_every_version_has_its_logs() -> None:
    assert missing(games(), ROOM_VERSION) == []


def test_version_that_is_raised_wants_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, AnyGame] = games()
    monkeypatch.setattr(type(known["uno"]), "rules_version", known["uno"].rules_version + 1)
    assert missing(known, ROOM_VERSION + 1) == [
        f"uno: rules_version {known['uno'].rules_version}",
        f"ROOM_VERSION {ROOM_VERSION + 1}",
    ]


def test_log_that_is_changed_comes_to_something_else() -> None:
    lines = LOGS[-1].read_text().splitlines()[1:]
    last = max(number for number, line in enumerate(lines) if '"r":"act"' in line)
    assert amount(lines[: last + 1]) != amount(lines[:last])
    assert replay(lines, games()["uno"]).state.n == len(lines)
