import json
from itertools import accumulate
from pathlib import Path

import pytest
from tests.bots.arena.league.games import outcome

from parlour_bots.arena.league.game import LeagueOutcome
from parlour_bots.arena.league.run import opened, settings
from parlour_client.core.errors import Usage
from parlour_protocol.messages import Plain

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
    assert json.loads(whole.splitlines()[0]) == settings(path) == HEAD


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
