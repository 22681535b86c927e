"""A match goes on from any act of its file: in the same state, and it can be played to an end that verifies."""

import random

import pytest
from tests.server.local_server import playing
from tests.server.matches import play

from parlour_games.registry import games
from parlour_protocol import messages as m
from parlour_server.game_files.continuation import NoSuchAct, continued
from parlour_server.game_files.reader import FileLine
from parlour_server.game_files.replay import finished
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms.records import (
    Acted,
    Begun,
    Handed,
    RoomOpened,
    StartingSeat,
    TimedOut,
    Vacated,
    game_file,
    parse,
)
from parlour_server.rooms.state import State

MATCHES = 8


def state_of(log: list[str]) -> State:
    """Return the room of a log."""
    opened = parse(log[0])
    assert isinstance(opened, RoomOpened)
    state = State(opened, games()[opened.game])
    for line in log:
        state.fold(parse(line), line)
    return state


def room_after(file: list[FileLine], acts: int, person: int) -> list[str]:
    """Return the log of the room in which ``person`` plays on against bots."""
    begun = file[0].record
    assert isinstance(begun, Begun)
    players = [StartingSeat(f"new{n}", f"n{n}", "human" if n == person else "bot") for n, _ in enumerate(begun.players)]
    return continued(file, acts, person, players, "MATCH")


def acts_of(file: list[FileLine]) -> int:
    return sum(isinstance(line.record, Acted | TimedOut) for line in file)


def lines_before(file: list[FileLine], acts: int) -> list[FileLine]:
    """Return the lines before the act that follows the first ``acts``."""
    places = [place for place, line in enumerate(file) if isinstance(line.record, Acted | TimedOut)]
    return file[: places[acts]]


def position_before(file: list[FileLine], acts: int) -> str:
    """Return the fingerprint of the match right before that act."""
    room = Replayer(file[0])
    for line in lines_before(file, acts):
        room.follow(line)
    return room._match.fingerprint()


def those_there(file: list[FileLine], acts: int) -> list[int]:
    """Return the seats that can be played after the first ``acts``."""
    begun = file[0].record
    assert isinstance(begun, Begun)
    vacated = {line.record.seat for line in lines_before(file, acts) if isinstance(line.record, Vacated)}
    return [seat for seat in range(len(begun.players)) if begun.standin or seat not in vacated]


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_it_begins_where_the_match_was(game: str) -> None:
    for seed in range(MATCHES):
        file = finished(play(game, seed).lines)
        rng, acts = random.Random(seed), acts_of(file)
        for after in {0, acts - 1, rng.randrange(acts)}:
            person = rng.choice(those_there(file, after))
            state = state_of(room_after(file, after, person))
            assert state.match is not None
            assert all(seat.by == "owner" for _, seat in state.seats.taken())
            assert all(seat.who in (None, f"new{number}") for number, seat in state.seats.taken())
            assert state.match.fingerprint() == position_before(file, after), (seed, after)
            assert state.host == state.match.begun.players[person].who
            assert [player.kind == "human" for player in state.match.begun.players].index(True) == person
            begun = file[0].record
            assert isinstance(begun, Begun)
            assert (state.config.dealt_by, state.match.begun.deal, state.commit) == ("chosen", "chosen", begun.commit)
            assert (state.config.clock, state.match.begun.clock) == (None, None)


def test_those_who_got_a_seat_in_the_match_have_none_there() -> None:
    at = playing("uno", 2)
    walt = at.enter("walt", role="spectator")
    walt.send(m.Handover(at.code, 1))
    at[1].send(m.Handover(at.code, to="walt"))
    owners = {0: at[0], 1: walt}
    for _ in range(4):
        seat = at.match.book.obligations()[0].seat
        owners[seat].send(m.Act(at.code, at.rid(seat), 0))
    at.abort()
    lines = at.lines()
    first = next(n for n, line in enumerate(lines) if '"r":"begun"' in line)
    file = finished(game_file(lines[first:]))
    assert any(isinstance(line.record, Handed) for line in file)
    log = room_after(file, acts_of(file) - 1, 0)
    state = state_of(log)
    assert [seat.who for _, seat in state.seats.taken()] == ["new0", "new1"]
    assert state.match is not None
    assert state.match.fingerprint() == position_before(file, acts_of(file) - 1)
    assert not any('"walt"' in line for line in log)


def test_acts_and_seats_that_are_not_there() -> None:
    file = finished(play("uno", 1).lines)
    for after in (-1, acts_of(file), 10_000):
        with pytest.raises(NoSuchAct):
            room_after(file, after, 0)
    with pytest.raises(LookupError, match="no seat 9"):
        room_after(file, 0, 9)
