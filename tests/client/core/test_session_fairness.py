"""A session's eye on fairness: against a server that cheats, and against an honest one, which it must never accuse."""

import itertools
import json

import pytest
from tests.client.messages import ROOM, joined, over, seats, table, update, welcome
from tests.support.sessions import Party, client, game_files, party

from parlour_client.core.session import Session
from parlour_games.fair import commitment
from parlour_protocol import messages as m

FIRST, SECOND = bytes(32), b"\1" * 32
NONCE = "00" * 31 + "01"


def shown(state: str, secret: bytes = FIRST, **nonces: str) -> m.Table:
    by_seat = {seat.strip("s"): nonce for seat, nonce in nonces.items()}
    return table(state, commit=commitment(secret), nonces=by_seat)


def hear(here: Session, *messages: m.ServerMessage) -> None:
    for message in messages:
        assert here.is_news(message)
        here.receive(message)


def seated(state: str = "waiting") -> Session:
    """Return a session at a table; its nonces are 1, 2, 3 …"""
    numbers = itertools.count(1)
    here = Session("maria", entropy=lambda n: next(numbers).to_bytes(n, "big"))
    here.hello()
    hear(here, welcome(ROOM), joined(1, table=shown(state)))
    return here


def ready(here: Session, nonce: str | None = None) -> m.Ready:
    sent = here.outgoing(m.Ready(ROOM, nonce=nonce))
    assert isinstance(sent, m.Ready)
    return sent


def texts(here: Session) -> str:
    return " / ".join(report.text for report in here.reports if report.code == "fairness")


@pytest.mark.parametrize("gap", [False, True])
def test_another_commitment_cannot_hide_behind_a_whole_table_sent_anew(gap: bool) -> None:
    here = seated("playing")
    hear(here, joined(1, table=shown("playing", SECOND), why="sync", gap=gap))
    assert "changed before its secret" in texts(here)


def test_another_match_while_the_connection_was_lost_is_no_cheating() -> None:
    here = seated("playing")
    here.hello()
    hear(here, welcome(ROOM), joined(9, table=shown("playing", SECOND), why="resume"))
    assert not here.reports
    hear(here, joined(9, table=shown("playing", bytes(31) + b"\2"), why="resume", epoch=2))
    assert not here.reports


def test_a_nonce_of_ones_own_choice_is_looked_for_too() -> None:
    here = seated()
    hear(here, m.Ok(re=ready(here, "cd" * 32).id, room=ROOM), seats(2, shown("playing", s0=NONCE)))
    assert "does not show it" in texts(here)


def test_the_secret_of_a_match_that_the_server_breaks_off() -> None:
    ends = {m.Left(ROOM, "aborted"): True, m.Left(ROOM, "expired"): True, m.Left(ROOM, "left"): False}
    for left, told in ends.items():
        here = seated("playing")
        hear(here, left)
        assert ("not revealed" in texts(here)) is told
    honest = seated("playing")
    hear(honest, update(2), over(3, reveal=FIRST.hex()), m.Left(ROOM, "aborted"))
    assert not honest.reports


def test_a_game_file_with_other_nonces() -> None:
    here = seated()
    hear(here, m.Ok(re=ready(here).id, room=ROOM), seats(2, shown("playing", s0=NONCE)))
    hear(here, over(3, reveal=FIRST.hex(), digest="d1"), seats(4, shown("finished", SECOND)))
    begun = {"r": "begun", "commit": commitment(FIRST), "context": f"{ROOM}/{commitment(FIRST)}", "nonces": [NONCE, ""]}
    for nonces, accused in (([NONCE, ""], False), (["", ""], True)):
        page = m.FileLines("d1", [json.dumps(begun | {"nonces": nonces}), '{"r":"act"}'])
        hear(here, page, m.FileLines("d1", ['{"r":"over"}']), m.FileLines("d1", []))
        assert ("than the table showed" in texts(here)) is accused


@pytest.mark.parametrize(("secret", "nonce"), [(FIRST, 1), (SECOND, 2)])
def test_a_ready_repeated_after_the_connection_was_lost_takes_another_nonce_under_another_commitment(
    secret: bytes, nonce: int
) -> None:
    """The server may have read the first one before it chose that commitment."""
    here = seated()
    assert ready(here).nonce == NONCE
    here.hello()
    here.receive(welcome(ROOM))
    [again] = here.receive(joined(2, table=shown("finished", secret), why="resume"))
    assert isinstance(again, m.Ready)
    assert again.nonce == f"{nonce:064x}"


TABLES: tuple[tuple[str, int, m.Plain], ...] = (
    ("uno", 2, {"scoring": "single"}),
    ("uno", 4, {"target": 60, "preset": "chaos"}),
    ("minesweeper", 1, {}),
    ("minesweeper", 3, {"mode": "race"}),
    ("minesweeper", 2, {"mode": "duel"}),
)


def blameless(table: Party) -> None:
    for here in table.clients:
        assert [report for report in here.reports if report.code == "fairness"] == []
        for link in here.session.rooms.values():
            assert link.witness.kept is not False


@pytest.mark.parametrize(("game", "people", "options"), TABLES, ids=str)
def test_whole_matches(game: str, people: int, options: m.Plain) -> None:
    table = party(game, people, options)
    table.play(matches=3)
    blameless(table)
    assert all(here.session.rooms[table.room].witness.kept for here in table.clients)
    for number, lines in enumerate(game_files(table.local, table.room)):
        begun = json.loads(lines[0])
        assert all(len(nonce) == 64 for nonce in begun["nonces"])
        assert len({*begun["nonces"]}) == people
        for here in table.clients:
            hear(here.session, m.FileLines(here.overs[number].digest, lines))
    blameless(table)


def test_people_who_come_and_go_before_the_match_and_one_who_is_late_with_a_nonce() -> None:
    table = party("uno", 4, {"scoring": "single"})
    room = table.room
    for here in table.clients[1:]:
        here.say(m.Ready(room))
        table.listen()
    gone = table.clients.pop(1)
    gone.say(m.Leave(room))
    while gone.listen() or table.listen():
        pass
    late = client(table.local, "late", 1)
    late.say(m.Join(room))
    table.clients.append(late)
    late.listen()
    table.clients[0].say(m.Ready(room))
    late.say(m.Ready(room))
    table.listen()
    assert table.tables()[-1].table["state"] == "playing"
    table.clients[2].say(m.Ready(room))  # too late: the match has begun, and its nonces are frozen
    for _ in range(200):
        table.listen()
    blameless(table)


@pytest.mark.parametrize("options", [{}, {"mode": "coop"}], ids=str)
def test_matches_that_everybody_leaves(options: m.Plain) -> None:
    game = "minesweeper" if options else "uno"
    table = party(game, 2, options)
    watcher = client(table.local, "watcher", 1)
    watcher.say(m.Join(table.room, as_="spectator"))
    for here in table.clients:
        here.say(m.Ready(table.room))
        watcher.listen()
    for here in table.clients:
        here.listen()
        here.say(m.Leave(table.room))
    everybody = Party(table.local, [watcher, *table.clients])
    while everybody.listen():
        pass
    assert [end.result["why"] for end in watcher.overs] == ["aborted"]
    assert watcher.session.reports == []
    blameless(everybody)


def test_a_secret_that_comes_after_a_resume_has_to_fit_what_was_shown_before() -> None:
    first = shown("playing")["fair"]["context"]
    for context, secret, told in ((first, FIRST, False), (first, SECOND, True), ("K7QD/7", SECOND, False)):
        here = seated("playing")
        hear(here, joined(4, epoch=2, table=shown("finished", SECOND), why="resume"))
        hear(here, over(4, reveal=secret.hex(), context=context))
        assert ("does not match" in texts(here)) is told


def test_acts_of_the_past_are_no_matter() -> None:
    here = seated("playing")
    here.outgoing(m.Act(ROOM, 1, 0))
    hear(here, update(2), over(3, reveal=FIRST.hex()), seats(4, shown("finished", SECOND)))
    hear(here, joined(4, table=shown("finished", SECOND), why="sync"), over(4, reveal=FIRST.hex()))
    assert not here.reports
    assert here.rooms[ROOM].witness.kept
