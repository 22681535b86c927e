"""``verify`` accepts what was played and finds what was changed."""

import json
from pathlib import Path
from random import Random

import pytest
from tests.outsider.tamper import tamperings
from tests.server.game_files.tampering import lying
from tests.server.matches import play, rehashed
from tests.support.sessions import game_files, party

from parlour_games.minesweeper import fair_boards
from parlour_server.game_files.reader import lines_of
from parlour_server.game_files.verify import verify


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
@pytest.mark.parametrize(
    ("matches", "forged_each", "changes"),
    [(9, 3, 12), pytest.param(1_000, 10, 200, marks=pytest.mark.torture)],
    ids=["few", "many"],
)
def test_every_match_is_right_and_every_forgery_is_found(
    tmp_path: Path, game: str, matches: int, forged_each: int, changes: int
) -> None:
    path, lies = tmp_path / "forged.jsonl", 0
    for seed in range(matches):
        played, rng = play(game, seed), Random(seed)
        assert verify(played.lines, played.digest).ok, seed
        if seed % forged_each:
            continue
        assert verify(played.lines).ok, seed
        tampered = [*tamperings("".join(f"{line}\n" for line in played.lines), rng)]
        for name, forged in rng.sample(tampered, min(changes, len(tampered))):
            path.write_bytes(forged.encode())
            assert not verify(lines_of(path), played.digest).ok, (seed, name)
        for name, lie in lying(played.lines, rng):
            verdict = verify(lie)
            assert (verdict.ok, verdict.line is None) == (False, False), (seed, name)
            lies += 1
    assert lies > 6 * matches / forged_each


def test_the_first_line_that_differs_is_named() -> None:
    played = play("uno", 1)
    for number, line in enumerate(played.lines, 1):
        if '"r":"act"' in line:
            forged = [*played.lines]
            forged[number - 1] = line.replace('"rid":', '"rid":9', 1)
            assert verify(forged).line == number
            assert verify(rehashed(forged)).line == number


def test_a_file_that_ends_too_early_lacks_the_line_behind_it() -> None:
    played = play("uno", 1)
    verdict = verify(played.lines[:-1])
    assert (verdict.ok, verdict.line) == (False, len(played.lines))
    assert verify([]).line == 1


def test_nothing_comes_after_the_end() -> None:
    played = play("uno", 1)
    last = json.loads(played.lines[-1])
    longer = rehashed([*played.lines, json.dumps({"at": last["at"], "n": last["n"] + 1, "r": "host", "who": "x"})])
    verdict = verify(longer)
    assert (verdict.line, verdict.wrong) == (len(longer), "host is not allowed after the end of the match")


def test_a_verdict_says_what_is_proved_and_what_is_not() -> None:
    played = play("minesweeper", 4)
    alone, known = verify(played.lines), verify(played.lines, played.digest)
    assert alone.digest == known.digest == played.digest
    assert len(known.proved) == len(alone.proved) + 1
    assert "only consistent" in alone.doubts[0]
    assert not any("only consistent" in doubt for doubt in known.doubts)


def test_a_consistent_file_of_another_match_fails_by_its_digest_alone() -> None:
    played, other = play("uno", 1), play("uno", 2)
    assert verify(other.lines).ok
    verdict = verify(other.lines, played.digest)
    assert (verdict.ok, verdict.line, verdict.digest) == (False, len(other.lines), other.digest)
    assert not verdict.proved


def test_a_board_is_made_again_and_not_believed() -> None:
    played = next(found for found in (play("minesweeper", seed) for seed in range(50)) if '"board"' in str(found.lines))
    lines = [json.loads(line) for line in played.lines]
    [job] = [line for line in lines if line.get("name") == "board"]
    job["result"]["attempt"] += 1
    verdict = verify(rehashed(json.dumps(line) for line in lines))
    assert verdict.line == lines.index(job) + 1
    assert verdict.wrong == "job: result does not follow from the lines before"


KIND = {"level": "custom", "width": 6, "height": 5, "mines": 10, "first": "any", "kind": True}


def kind_match(seed: int) -> tuple[list[str], str, int]:
    """Play on a kind board. Return the lines of the file, its digest, and how many guesses were spared."""
    table = party("minesweeper", 1, KIND, seed=seed)
    table.play()
    [lines] = game_files(table.local, table.room)
    return lines, table.clients[0].overs[0].digest, json.loads(lines[-1])["stats"]["spared"]


def test_a_guess_is_spared_only_where_it_was_forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that spares other guesses, too, makes files with correct hashes. They are refused."""
    spared = kept = 0
    for seed in range(12):
        lines, digest, _ = kind_match(seed)
        assert verify(lines, digest).ok
        with monkeypatch.context() as patched:
            patched.setattr(fair_boards, "is_forced", lambda odds, cell: cell not in odds.mines)
            lenient, digest, claimed = kind_match(seed)
        if lenient == lines:
            kept += claimed
        else:
            assert not verify(lenient, digest).ok
            spared += claimed
    assert spared
    assert kept


def test_a_file_cannot_say_whether_its_board_was_kind() -> None:
    lines = next(lines for lines, _, spared in map(kind_match, range(12)) if spared)
    assert not verify(rehashed([line.replace('"kind":true', '"kind":false') for line in lines])).ok
