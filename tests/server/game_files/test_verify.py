"""``verify`` accepts what was played and finds what was changed."""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.outsider.tamper import tamperings
from tests.server.matches import play, rehashed
from tests.support.sessions import game_files, party

from parlour_games.fair import commitment
from parlour_games.minesweeper import fair_boards
from parlour_server.game_files.reader import lines_of
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import canonical


def lying(lines: list[str], rng: Random) -> Iterator[tuple[str, list[str]]]:
    """Yield changes of what matters in a match, with the whole chain made anew.

    ``outsider/tamper.py`` changes files in all other ways.
    """
    for name, change in LIES.items():
        fields = [json.loads(line) for line in lines]
        change(fields, rng)
        forged = rehashed(canonical(each) for each in fields)
        if forged != lines:
            yield name, forged


def other(value: Any, rng: Random) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice([-1, 1, 7])
        case str() if value:
            at = rng.randrange(len(value))
            return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]
        case str():
            return "ab" * 32
    return 1


def _secret(fields: list[Any], rng: Random) -> None:
    if _dealt(fields):
        secret = rng.randbytes(32)
        fields[0] |= {"secret": secret.hex(), "commit": commitment(secret)}


def _commit(fields: list[Any], rng: Random) -> None:
    fields[0]["commit"] = other(fields[0]["commit"], rng)


def _nonce(fields: list[Any], rng: Random) -> None:
    if _dealt(fields):
        seat = rng.randrange(len(fields[0]["nonces"]))
        fields[0]["nonces"][seat] = rng.randbytes(32).hex()


def _dealt(fields: list[Any]) -> bool:
    """Whether cards or mines were drawn from the secret: a board that was never opened has none."""
    return fields[0]["options"].get("mode") not in ("solo", "coop") or any(each["r"] == "job" for each in fields)


def _act(fields: list[Any], rng: Random) -> None:
    """Lay the card that has just been laid; make up a colour; open another first cell.

    Another twin of a card, or another cell of one flood, would be no lie that matters.
    """
    acts = [
        (before, each)
        for before, each in pairwise(fields)
        if each["r"] == "act" and (each["act"]["do"] == "colour" or ("card" in each["act"] and _card(before)))
    ]
    if fields[0]["options"].get("mode") in ("solo", "coop"):
        acts += [pair for pair in pairwise(fields) if pair[1].get("act", {}).get("do") == "open"][:1]
    if acts:
        before, each = rng.choice(acts)
        _change_act(before, each["act"], rng)


def _card(record: Any) -> int | None:
    card: int | None = record.get("act", {}).get("card")
    return card


def _change_act(before: Any, act: Any, rng: Random) -> None:
    if "card" in act:
        act["card"] = _card(before)
    elif "colour" in act:
        act["colour"] = other(act["colour"], rng)
    else:
        act["cells"][0][0] = 1 if act["cells"][0][0] == 0 else 0


def _whose_act(fields: list[Any], rng: Random) -> None:
    acts = [each for each in fields if each["r"] == "act"]
    if acts:
        rng.choice(acts)["seat"] += 1


def _result(name: str) -> Callable[[list[Any], Random], None]:
    def change(fields: list[Any], rng: Random) -> None:
        value = fields[-1][name]
        fields[-1][name] = [other(each, rng) for each in value] if isinstance(value, list) else other(value, rng)

    return change


def _job(fields: list[Any], rng: Random) -> None:
    for each in fields:
        if each["r"] == "job" and each["name"] == "board":
            each["result"]["attempt"] = other(each["result"]["attempt"], rng)


def _statistics(fields: list[Any], rng: Random) -> None:
    if "stats" in fields[-1]:
        fields[-1]["stats"]["bbbv"] = 999


LIES: dict[str, Callable[[list[Any], Random], None]] = {
    "secret": _secret,
    "commitment": _commit,
    "nonce": _nonce,
    "act": _act,
    "whose act": _whose_act,
    "ranks": _result("ranks"),
    "scores": _result("scores"),
    "why": _result("why"),
    "state": _result("state"),
    "board": _job,
    "statistics": _statistics,
}


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


PLAYED = play("uno", 1)


def test_the_first_line_that_differs_is_named() -> None:
    for number, line in enumerate(PLAYED.lines, 1):
        if '"r":"act"' in line:
            forged = [*PLAYED.lines]
            forged[number - 1] = line.replace('"rid":', '"rid":9', 1)
            assert verify(forged).line == number
            assert verify(rehashed(forged)).line == number


def test_a_file_that_ends_too_early_lacks_the_line_behind_it() -> None:
    verdict = verify(PLAYED.lines[:-1])
    assert (verdict.ok, verdict.line) == (False, len(PLAYED.lines))
    assert verify([]).line == 1


def test_nothing_comes_after_the_end() -> None:
    last = json.loads(PLAYED.lines[-1])
    longer = rehashed([*PLAYED.lines, json.dumps({"at": last["at"], "n": last["n"] + 1, "r": "host", "who": "x"})])
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
    other = play("uno", 2)
    assert verify(other.lines).ok
    verdict = verify(other.lines, PLAYED.digest)
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
