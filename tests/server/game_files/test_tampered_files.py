"""Match files spoilt anywhere: ``verify`` says what it thinks of them, and never takes one for another."""

import json
import random

import pytest
from tests.server.matches import play, rehashed
from tests.support.spoiling import spoilt

from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import canonical

FILES, SPOILT, MANY = 10, 60, 20_000


def check(game: str, seed: str) -> bool:
    """Spoil a file, often with hashes that fit it again; return whether it was accepted, which must be with reason."""
    rng = random.Random(seed)
    played = play(game, rng.randrange(FILES))
    lines = list(played.lines)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.choice((0, 0, 0, len(lines) - 1, rng.randrange(len(lines))))
        lines[at] = canonical(spoilt(rng, json.loads(lines[at])))
    try:
        lines = rehashed(lines) if rng.random() < 0.8 else lines
        consistent, told = verify(lines), verify(lines, played.digest)
    except BaseException as error:
        error.add_note(f"{game} {seed}")
        raise
    assert consistent.ok or (consistent.line is not None and consistent.wrong)
    assert told.ok == (lines == played.lines), f"{game} {seed}"
    return consistent.ok


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_spoilt_files(game: str, seed: int) -> None:
    accepted = sum(check(game, f"{seed}/{number}") for number in range(SPOILT))
    assert accepted < SPOILT / 5  # what binds no deal and no act, such as a name, may be another where nothing tells


@pytest.mark.torture
@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_many_spoilt_files(game: str, seed: int) -> None:
    assert sum(check(game, f"{seed}/many/{number}") for number in range(MANY)) < MANY / 5
