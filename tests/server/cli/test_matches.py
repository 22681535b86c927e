"""``parlour matches`` and ``parlour verify`` as they are typed."""

import json
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.server.matches import Played, play
from tests.server.store.test_archive import stored
from tests.support.commands import run
from tests.support.output import redirected

from parlour_client.cli.main import main
from parlour_protocol.messages import Turn
from parlour_server.game_files.decisions import answered
from parlour_server.game_files.replay import Step, replay
from parlour_server.store import open_store
from parlour_server.store.base import path_of


@pytest.fixture
def played(request: pytest.FixtureRequest) -> Played:
    return play(getattr(request, "param", "uno"), 1)


@pytest.fixture
async def store(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'parlour.db'}"
    monkeypatch.setenv("PARLOUR_STORE", url)
    opened = open_store(url)
    for match in (played, play("minesweeper", 2)):
        await opened.commit(stored(match))
    await opened.close()
    return url


@pytest.fixture
def file(played: Played, tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in played.lines))
    return path


def says(*words: object, code: int = 0) -> str:
    """Run ``parlour`` and return what it prints; of what it refuses, the reason."""
    done = run(*map(str, words))
    assert done.returncode == code, done
    return done.stderr if code == 2 else done.stdout


def test_a_table_of_matches(store: str, played: Played) -> None:
    head, row = says("games", "--game", "uno").splitlines()
    assert head.split() == ["when", "game", "room", "digest", "players,", "best", "first"]
    assert row.split()[2:5] == ["uno", json.loads(played.lines[0])["context"][:4], played.digest[:12]]
    assert row.endswith("1. anna 159, 2. bert 0, 2. cleo 0, 2. dora 0")
    assert len(says("games", "--limit", "1").splitlines()) == 2
    assert says("games", "--game", "chess") == "No match has finished yet.\n"


def test_a_match_that_was_broken_off_shows_no_places(store: str, played: Played) -> None:
    with closing(sqlite3.connect(path_of(store))) as db:
        db.execute("UPDATE match SET rated = 0")
        db.commit()
    assert says("games", "--game", "uno").endswith("anna, bert, cleo, dora: aborted, does not count\n")


def test_matches_as_json(store: str, played: Played) -> None:
    found = {match["digest"]: match for match in json.loads(says("games", "--json", "--limit", "0"))}
    assert len(found) == 2
    assert json.loads(says("games", "--json", "--contest", "friday")) == []
    assert found[played.digest]["players"][0] == {
        "seat": 0, "name": "anna", "kind": json.loads(played.lines[0])["players"][0]["kind"], "rank": 1, "score": 159,
    }  # fmt: skip


def test_export_and_verify(store: str, played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.cli.matches.data_folder", lambda: tmp_path)
    shown = says("games", "export", played.digest[:6])
    path = tmp_path / "games" / f"uno-{played.digest[:12]}.jsonl"
    assert path.read_text().splitlines() == played.lines
    assert shown.endswith(f"parlour verify {path} --digest {played.digest}\n")
    assert "is right" in says("verify", path, "--digest", played.digest)
    before = path.stat().st_mtime_ns
    assert "already exists" in says("games", "export", played.digest, code=2)
    assert path.stat().st_mtime_ns == before


def test_export_to_standard_output_is_the_file(store: str, played: Played) -> None:
    with redirected() as file:
        assert main(["games", "export", played.digest, "--to", "-"]) == 0
    assert file.getvalue() == "".join(f"{line}\n" for line in played.lines).encode()


@pytest.mark.parametrize("played", ["uno", "goofspiel"], indirect=True)
@pytest.mark.usefixtures("example_games")
def test_decisions_are_what_the_seats_saw_and_did(store: str, played: Played, tmp_path: Path) -> None:
    file = tmp_path / "decisions.jsonl"
    says("games", "export", "all", "--decisions", "--game", played.game, "--to", file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(rows) == sum(json.loads(line)["r"] == "act" for line in played.lines)
    assert {row["digest"] for row in rows} == {played.digest}
    for seat in played.heard.keys() - {None}:
        own = iter([row for row in rows if row["seat"] == seat])
        shown: Any = None
        asked: dict[int, Any] = {}
        for message in replay(played.lines, seat):
            if isinstance(message, Turn):
                asked[message.rid] = message.legal
            asked |= {offer["rid"]: offer["legal"] for offer in getattr(message, "may", [])}
            if isinstance(message, Step) and message.seat == seat:
                row = next(own)
                assert (row["view"], row["legal"]) == (shown, asked[message.rid])
                assert row["act"] in row["legal"]
            shown = getattr(message, "view", None) or shown
        assert all(row["by"] == "standin" for row in own)  # after the owner left
    ranks = json.loads(played.lines[-1])["ranks"]
    assert {row["seat"]: row["result"]["rank"] for row in rows} == dict(enumerate(ranks))
    assert "already exists" in says("games", "export", "all", "--decisions", "--to", file, code=2)


def test_decisions_of_matches_that_do_not_verify_are_left_out(store: str, played: Played) -> None:
    with closing(sqlite3.connect(path_of(store))) as db, db:
        for table in ("record", "recent"):
            db.execute(f'UPDATE {table} SET line = replace(line, \'"do":"draw"\', \'"do":"pass"\')')
    done = run("games", "export", played.digest, "--decisions", "--to", "-")
    assert (done.returncode, done.stdout, played.digest in done.stderr) == (1, "", True)


def test_interrupted_export_keeps_whole_matches(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = iter([answered])

    def once(*arguments: Any) -> Any:
        if (export := next(matches, None)) is None:
            raise KeyboardInterrupt
        return export(*arguments)

    monkeypatch.setattr("parlour_server.cli.decisions.answered", once)
    file = tmp_path / "decisions.jsonl"
    says("games", "export", "all", "--decisions", "--to", file, code=130)
    assert len({json.loads(line)["digest"] for line in file.read_text().splitlines()}) == 1


def test_parquet_without_pyarrow_says_what_to_install(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour_server.cli.decisions.find_spec", lambda _: None)
    file = tmp_path / "decisions.parquet"
    assert "pyarrow>=" in says("games", "export", "all", "--decisions", "--to", file, code=2)
    assert not file.exists()


@pytest.mark.parquet
def test_decisions_as_parquet(store: str, tmp_path: Path) -> None:
    parquet = import_module("pyarrow.parquet")
    for file in ("d.parquet", "d.jsonl"):
        says("games", "export", "all", "--decisions", "--to", tmp_path / file)
    table = parquet.read_table(tmp_path / "d.parquet").to_pylist()
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text().splitlines()]
    assert [(row["digest"], row["n"], json.loads(row["view"]), row["rank"]) for row in table] == [
        (row["digest"], row["n"], row["view"], row["result"]["rank"]) for row in rows
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["export", "abc"], "is not a digest"),
        (["export", "zzzzzz"], "is not a digest"),
        (["export", "000000"], "no finished match has a digest that begins with 000000"),
        (["export", "000000", "--store", "nonsense"], "unknown store"),
        (["--store", "sqlite:////none/at/all.db"], "there is no store"),
    ],
)
def test_what_cannot_be_had(store: str, words: list[str], complaint: str) -> None:
    assert complaint in says("games", *words, code=2)


def test_record_that_was_too_old_to_be_kept(store: str, played: Played, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path_of(store))) as db, db:
        for table in ("record", "recent"):
            db.execute(f"DELETE FROM {table} WHERE room = (SELECT room FROM match WHERE digest = ?)", (played.digest,))
    said = says("games", "export", played.digest, "--to", tmp_path / "uno.jsonl", code=2)
    assert f"the record of {played.digest} was deleted because of its age" in said
    assert not (tmp_path / "uno.jsonl").exists()
    assert played.digest[:12] in says("games", "--game", "uno")


def test_a_beginning_that_fits_several_is_refused(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_server.store.sqlite.archive.Archive.digests", lambda *_: ["a" * 64, "b" * 64])
    assert "several finished matches" in says("games", "export", "aaaaaa", code=2)


def test_a_wrong_file_is_told_by_its_line(played: Played, file: Path) -> None:
    file.write_text("".join(f"{line}\n" for line in [*played.lines[:5], *played.lines[6:]]))
    assert says("verify", file, code=1).startswith(f"{file}, line 6: h does not follow")
    verdict: dict[str, Any] = json.loads(says("verify", file, "--json", code=1))
    assert (verdict["ok"], verdict["line"], verdict["proved"]) == (False, 6, [])
    says("verify", file, "--digest", "zz", code=2)


def test_the_file_of_another_match_is_told_by_both_digests(played: Played, file: Path) -> None:
    told = says("verify", file, "--digest", "0" * 64, code=1)
    assert told.startswith(f"{file}: ")
    assert played.digest in told
    assert "0" * 64 in told


def test_what_was_read_from_standard_input_is_called_so(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lines, code, told in (
        (played.lines, 0, "standard input is right. "),
        (played.lines[1:], 1, "standard input, line 1: "),
    ):
        monkeypatch.setattr("parlour_server.cli.matches.lines_of", lambda path, lines=lines: iter(lines))
        assert says("verify", "-", "--digest", played.digest, code=code).startswith(told)


def test_the_first_line_says_what_is_not_proved_without_a_digest(played: Played, file: Path) -> None:
    for digest, told in (([], True), (["--digest", played.digest], False)):
        first = says("verify", file, *digest).partition("\n")[0]
        assert ("not proved" in first and "--digest" in first) is told
        assert played.digest in first
