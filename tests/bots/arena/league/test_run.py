import json
import os
from io import StringIO
from itertools import accumulate
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.bots.arena.layouts import bot_file, outcome, settings
from tests.support.processes import children, gone

from parlour_bots.arena.league.game import FAULTS, LeagueOutcome
from parlour_bots.arena.league.report import of_league
from parlour_bots.arena.league.run import Journal, LeagueContest, LeagueSettings, opened
from parlour_bots.arena.league.run import settings as settings_in
from parlour_bots.tools.progress import ContestProgress
from parlour_client.core.errors import Usage
from parlour_protocol.messages import Plain

PAIR = settings("painfirst", "random")


def run(asked: LeagueSettings, games: int, jobs: int = 1, out: Path | None = None) -> LeagueContest:
    league = LeagueContest(asked, games, jobs)
    with ContestProgress(league.size, StringIO()) as progress:
        league.run(progress, out)
    return league


def timeless(league: LeagueContest) -> Any:
    data = of_league(league).data
    for bot in data["bots"]:
        assert bot["ms_p50"] <= bot["ms_p99"]
        del bot["ms_p50"], bot["ms_p99"], bot["ms_mean"]
    return data


@pytest.mark.long
def test_result_does_not_depend_on_how_many_processes_play() -> None:
    asked = settings("painfirst", "random", "parlour_bots.profiles:play_at_random", rules="family")
    alone = timeless(run(asked, 4))
    assert alone["games"] == 12
    assert timeless(run(asked, 4, jobs=2)) == alone


def test_contest_that_goes_on_comes_to_the_same_as_one_that_was_never_cut(tmp_path: Path) -> None:
    """Byte for byte; even the times, for they are in the file."""
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    run(PAIR, 12, out=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    parts.write_bytes(b"".join(lines[:6]) + lines[6][:20])
    run(PAIR, 12, out=parts)
    assert [_timeless(line) for line in parts.read_bytes().splitlines()[1:]] == [_timeless(line) for line in lines[1:]]
    parts.write_bytes(b"".join(lines[:6]))
    resumed = run(PAIR, 4, out=parts)
    assert of_league(resumed) == of_league(run(PAIR, 4, out=whole))
    assert timeless(resumed)["games"] == 4
    parts.write_bytes(whole.read_bytes())
    assert of_league(run(PAIR, 12, out=parts)) == of_league(run(PAIR, 12, out=whole))
    assert parts.read_bytes() == whole.read_bytes()


def _timeless(line: bytes) -> Any:
    return {**json.loads(line), "times": None}


def test_interrupted_contest_goes_on_to_the_same_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = timeless(run(PAIR, 10)), tmp_path / "games.jsonl"
    write, written = Journal.write, list[LeagueOutcome]()

    def interrupting(journal: Journal, outcome: LeagueOutcome) -> None:
        write(journal, outcome)
        written.append(outcome)
        if len(written) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "write", interrupting)
    cut = run(PAIR, 10, out=out)
    assert cut.interrupted
    assert of_league(cut).text.startswith("Interrupted after 2 of 5 deals.")
    assert timeless(cut)["interrupted"]
    resumed = run(PAIR, 10, out=out)
    assert [outcome.game for outcome in written] == list(range(10))
    assert timeless(resumed) == whole


def test_another_bot_in_the_same_file_is_refused(tmp_path: Path) -> None:
    out, bot = tmp_path / "games.jsonl", bot_file(tmp_path, "return 0")
    run(settings(bot, "random"), 2, out=out)
    bot_file(tmp_path, "return 1")
    with pytest.raises(Usage, match="files is"):
        run(settings(bot, "random"), 4, out=out)


@pytest.mark.parametrize("asked", ["{}", "{}:play", "{}(x=1)", "exec:python {}"])
def test_change_of_a_bots_file_is_noticed(asked: str, tmp_path: Path) -> None:
    digests = {settings(asked.format(bot_file(tmp_path, body))).plain()["files"].popitem() for body in ("a", "b", "b")}
    assert len(digests) == 2
    assert settings("painfirst").plain()["files"] == {"painfirst": None}


@pytest.mark.long
def test_bots_that_fail_lose_their_games_and_not_the_contest(tmp_path: Path) -> None:
    before = set(children(os.getpid()))
    hanging = bot_file(tmp_path, "__import__('time').sleep(1_000)", "hanging")
    crashing = bot_file(tmp_path, "os._exit(1)", "crashing")
    league = run(settings("random", hanging, crashing, budget=100), 2)
    assert all(gone(pid) for pid in set(children(os.getpid())) - before)
    told = {bot["name"]: bot for bot in of_league(league).data["bots"]}
    assert (told["random"]["win_rate"], told["random"]["faults"]) == (1, 0)
    for name, kind in (("hanging.py", "late"), ("crashing.py", "broken")):
        assert {kind} <= set(told[name]["fault_kinds"]) <= {kind, "late"}, "a busy machine makes any answer late"
        assert told[name]["faults"] <= FAULTS * told[name]["games"]
    assert not of_league(league).data["reproducible"]


def test_matches_are_played_to_their_points() -> None:
    league = run(attrs.evolve(PAIR, match=60, rules="family"), 4)
    assert all(bot["points_per_game"] > 0 for bot in of_league(league).data["bots"][:1])
    assert "4 matches to 60 points" in of_league(league).text


def test_one_against_three() -> None:
    data = timeless(run(attrs.evolve(PAIR, players=4), 8))
    assert [(bot["games"], bot["seats"]) for bot in data["bots"]] == [(8, 8), (8, 24)]
    assert sum(bot["wins"] for bot in data["bots"]) == 8


HEAD = {"arena": 1, "game": "uno", "seed": 7, "rules": "official"}


def games(count: int) -> list[LeagueOutcome]:
    return [outcome([0, 1], number % 2, game=number, faults=({"late": 2}, {})) for number in range(count)]


def written(path: Path, outcomes: list[LeagueOutcome]) -> bytes:
    with opened(path, HEAD) as journal:
        assert list(journal.read()) == []
        for each in outcomes:
            journal.write(each)
    return path.read_bytes()


def test_wherever_the_file_ends_whole_games_are_kept_and_it_goes_on(tmp_path: Path) -> None:
    whole, path = written(tmp_path / "whole.jsonl", games(3)), tmp_path / "cut.jsonl"
    for end in (*range(0, len(whole), 7), *accumulate(map(len, whole.splitlines(keepends=True)))):
        path.write_bytes(whole[:end])
        kept = max(0, whole[:end].count(b"\n") - 1)
        with opened(path, HEAD) as journal:
            assert list(journal.read()) == games(kept)
            for each in games(3)[kept:]:
                journal.write(each)
        assert path.read_bytes() == whole
    assert json.loads(whole.splitlines()[0]) == settings_in(path) == HEAD


def test_other_settings_are_refused_with_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    before = written(path, games(1))
    for wanted, told in (
        ({**HEAD, "seed": 8}, "seed is 7, not 8"),
        ({**HEAD, "rules": "family"}, 'rules is "official", not "family"'),
        ({**HEAD, "match": 500}, "match is null, not 500"),
    ):
        with pytest.raises(Usage, match=told), opened(path, wanted):
            pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"dear diary", b"dear diary\n", b'{"id": "board"}\n', b"[1]\n", b"\xff\n"])
def test_files_of_others_are_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "diary"
    path.write_bytes(content)
    with pytest.raises(Usage, match="is not a contest file"), opened(path, HEAD):
        pass
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("line", "told"), [({"game": 2}, "missing"), (games(1)[0].plain() | {"game": 9}, "this is game 9, not 2")]
)
def test_line_that_is_no_game_or_out_of_order_is_named(line: Plain, told: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(written(path, games(2)) + json.dumps(line).encode() + b"\n")
    with pytest.raises(Usage, match=rf"games\.jsonl:4: .*{told}"), opened(path, HEAD) as journal:
        list(journal.read())
