import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.client.messages import ROOM, joined, over, seats, table, update, welcome
from tests.support.sessions import Party, client, game_files, party

from parlour_client.core.fairness import Witness
from parlour_client.core.session import Session
from parlour_games.fair import commitment
from parlour_protocol import messages as m
from parlour_protocol.messages import BeaconRound, FairView, RoomState

FIRST, SECOND = bytes(32), b"\1" * 32
CONTEXTS = {FIRST: "K7QD/1", SECOND: "K7QD/2"}
DIGEST = "d1"


def shown(secret: bytes, **nonces: str) -> FairView:
    given = {seat.strip("s"): nonce for seat, nonce in nonces.items()}
    return {"commit": commitment(secret), "context": CONTEXTS.get(secret, "K7QD/3"), "nonces": given}


def witness(state: RoomState = "waiting", **nonces: str) -> Witness:
    """Return somebody who has just come into a room."""
    made = Witness()
    assert made.see(shown(FIRST, **nonces), state, 0, jumped=True) is None
    return made


def test_a_match_in_full_view_is_kept() -> None:
    here = witness()
    assert here.takes_nonce
    here.nonce = "n"
    here.promise("n")
    assert here.see(shown(FIRST, s0="n"), "playing", 0) is None
    assert not here.takes_nonce
    assert here.reveal(FIRST.hex(), DIGEST, jumped=False) is None
    assert here.kept
    assert (here.abandon(), here.see(shown(SECOND), "finished", 0)) == (None, None)
    assert here.takes_nonce


def test_another_secret_is_told_once() -> None:
    here = witness("playing")
    assert "does not match" in str(here.reveal(SECOND.hex(), DIGEST, jumped=False))
    assert here.kept is False
    assert "does not match" in str(here.reveal("not hex", DIGEST, jumped=False))
    assert here.see(shown(b"\2" * 32), "finished", 0) is None, "only once"


@pytest.mark.parametrize("before", ["waiting", "playing", "pause", "finished"])
@pytest.mark.parametrize("after", ["waiting", "playing", "pause", "finished"])
def test_a_commitment_changed_before_its_secret_was_shown_is_told(before: RoomState, after: RoomState) -> None:
    """Most of all between the nonces and the match: that is how a deal would be chosen."""
    here = witness(before)
    assert "changed before its secret" in str(here.see(shown(SECOND), after, 0))
    assert here.see(shown(SECOND), after, 0) is None


Step = Callable[[Witness], str | None]


def see(state: RoomState, secret: bytes = FIRST, seat: int | None = 0, *, jumped: bool = False, **nonces: str) -> Step:
    return lambda here: here.see(shown(secret, **nonces), state, seat, jumped=jumped)


def come(state: RoomState = "waiting", seat: int = 0, **nonces: str) -> Step:
    return see(state, FIRST, seat, jumped=True, **nonces)


def reveal(secret: bytes = FIRST) -> Step:
    return lambda here: here.reveal(secret.hex(), DIGEST, jumped=False)


def choose(here: Witness) -> None:
    here.nonce = "n"


def accept(here: Witness) -> None:
    """Hear that the server has accepted our nonce."""
    here.promise("n")


PLAYED = [come("playing"), reveal()]
PROMISED = [come(), choose, accept]
PAUSED = [come("playing", s0="n", s1="o"), see("pause", s1="o", s0="n")]
STORIES: dict[str, tuple[list[Step], Step, str | None]] = {
    "a commitment changed while away": ([come("playing")], see("playing", SECOND, jumped=True), None),
    "a rematch under a secret that everybody knows": ([*PLAYED, see("finished")], see("playing"), "revealed before"),
    "an old commitment": ([*PLAYED, see("playing", SECOND), reveal(SECOND)], see("pause"), "revealed before"),
    "a match without its secret": ([come("playing")], Witness.abandon, "not revealed"),
    "a pause without its secret": ([come("pause")], Witness.abandon, "not revealed"),
    "a room closed before its match": ([come()], Witness.abandon, None),
    "a nonce never shown": ([come(seat=2), choose, accept], reveal(), "does not show it"),
    "a nonce not frozen": ([*PROMISED, see("waiting", s0="n")], see("playing"), "does not show it"),
    "a nonce replaced": ([*PROMISED, see("waiting", s0="n")], see("playing", s0="m"), "does not show it"),
    "a nonce of another seat": ([*PROMISED, see("waiting", s0="n")], see("playing", s1="n"), "does not show it"),
    "a nonce too late": ([come(), choose, see("playing"), accept, see("playing")], reveal(), None),
    "a nonce of a seat given up": ([*PROMISED, see("waiting", seat=None)], see("waiting", seat=1), None),
    "a nonce for a match missed": (PROMISED, see("finished", SECOND, jumped=True), "missed the match"),
    "a nonce removed in a match": (PAUSED, see("playing", s0="n"), "nonces changed"),
    "a nonce changed in a match": (PAUSED, see("playing", s0="n", s1="p"), "nonces changed"),
    "a nonce added in a match": (PAUSED, see("playing", s0="n", s1="o", s2="q"), "nonces changed"),
    "a nonce changed while away": (PAUSED, see("playing", s0="n", s1="p", jumped=True), "nonces changed"),
    "nonces of others": ([come(s1="o"), see("waiting"), see("waiting", s1="p")], see("waiting", s2="q"), None),
}
"""What is seen without a word, what follows, and what is told of that."""


@pytest.mark.parametrize(("before", "then", "told"), STORIES.values(), ids=STORIES)
def test_what_is_told_and_what_is_none_of_it(before: list[Step], then: Step, told: str | None) -> None:
    here = Witness()
    assert [each(here) for each in before] == [None] * len(before)
    found = then(here)
    assert found is None if told is None else told in str(found)


def test_coming_back_after_the_end_compares_with_what_was_shown_before() -> None:
    was_there, newcomer = witness("playing"), Witness()
    for here, kept in ((was_there, True), (newcomer, None)):
        here.see(shown(SECOND), "finished", 0, jumped=True)
        assert here.reveal(FIRST.hex(), DIGEST, jumped=True) is None
        assert here.kept is kept
        assert here.takes_nonce


@pytest.mark.parametrize(("secret", "kept"), [(FIRST, True), (SECOND, False), (b"\2" * 32, False)])
def test_the_context_tells_which_of_the_commitments_shown_the_secret_has_to_fit(secret: bytes, kept: bool) -> None:
    here = witness("playing")
    here.see(shown(SECOND), "finished", 0, jumped=True)
    problem = here.reveal(secret.hex(), DIGEST, jumped=True, context=CONTEXTS[FIRST])
    assert (problem is None, here.kept) == (kept, kept)


def test_of_a_match_that_began_and_ended_while_we_were_away_nothing_is_said() -> None:
    here = witness()
    here.see(shown(SECOND), "finished", 0, jumped=True)
    assert here.reveal(bytes(32).hex(), DIGEST, jumped=True, context="K7QD/9") is None
    assert here.reveal((b"\2" * 32).hex(), DIGEST, jumped=True, context="K7QD/9") is None
    assert here.kept is None


def begun(secret: bytes = FIRST, nonces: Any = ("n", "", "o"), r: str = "begun", context: str = CONTEXTS[FIRST]) -> str:
    return json.dumps({"r": r, "commit": commitment(secret), "context": context, "nonces": nonces})


def test_a_game_file_has_the_nonces_that_the_table_had() -> None:
    """The last hole for a server that shows a nonce and deals without it."""
    here = witness("playing", s0="n", s2="o")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    here.see(shown(SECOND, s0="p"), "playing", 0)
    assert here.compare(DIGEST, begun()) is None
    dealt = [begun(nonces=nonces) for nonces in (["", "", "o"], ["n", "o"], [])]
    for other in (begun(SECOND), begun(context="K7QD/2"), *dealt):
        assert "than the table showed" in str(here.compare(DIGEST, other))


ROUND: BeaconRound = {"chain": "52" * 32, "round": 7}
DRAWN: BeaconRound = {**ROUND, "randomness": "ab" * 32}


def test_a_game_file_has_the_round_that_the_table_had() -> None:
    here = witness()
    here.see({**shown(FIRST, s0="n"), "beacon": DRAWN}, "playing", 0)
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    line = json.loads(begun(nonces=["n", "", DRAWN["randomness"]]))
    assert here.compare(DIGEST, json.dumps({**line, "beacon": ROUND})) is None
    for other in (
        {**line, "beacon": {**ROUND, "round": 8}},
        line,
        {**line, "beacon": ROUND, "nonces": ["n", "", "cd"]},
    ):
        assert "than the table showed" in str(here.compare(DIGEST, json.dumps(other)))


def test_a_table_may_show_more_than_its_game_file_begins_with() -> None:
    here = Witness()
    chosen: FairView = {**shown(FIRST), "deal": "chosen"}
    here.see(chosen, "playing", 0)
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.compare(DIGEST, begun(nonces=[])) is None
    assert "than the table showed" in str(here.compare(DIGEST, begun(SECOND, nonces=[])))


def test_the_context_belongs_to_the_commitment() -> None:
    """Who knows the nonces may not choose among the numbers that the match could have."""
    here = witness(s0="n")
    changed: FairView = {**shown(FIRST, s0="n"), "context": "K7QD/7"}
    assert "context changed" in str(here.see(changed, "playing", 0))
    assert here.see(changed, "playing", 0) is None
    assert here.see(shown(SECOND), "finished", 0, jumped=True) is None


def test_nothing_is_said_of_matches_that_we_have_not_seen_nor_of_what_is_no_first_line() -> None:
    here = witness("playing", s0="n", s2="o")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.compare("d2", begun(SECOND)) is None
    for line in (begun(SECOND, r="act"), "", "[]", "7", '{"r": "begun"}', begun(nonces=None), "[" * 100_000):
        assert here.compare(DIGEST, line) is None


NONCE = "00" * 31 + "01"


def dealing(state: str, secret: bytes = FIRST, **nonces: str) -> m.Table:
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
    hear(here, welcome(ROOM), joined(1, table=dealing(state)))
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
    hear(here, joined(1, table=dealing("playing", SECOND), why="sync", gap=gap))
    assert "changed before its secret" in texts(here)


def test_another_match_while_the_connection_was_lost_is_no_cheating() -> None:
    here = seated("playing")
    here.hello()
    hear(here, welcome(ROOM), joined(9, table=dealing("playing", SECOND), why="resume"))
    assert not here.reports
    hear(here, joined(9, table=dealing("playing", bytes(31) + b"\2"), why="resume", epoch=2))
    assert not here.reports


def test_a_nonce_of_ones_own_choice_is_looked_for_too() -> None:
    here = seated()
    hear(here, m.Ok(re=ready(here, "cd" * 32).id, room=ROOM), seats(2, dealing("playing", s0=NONCE)))
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
    hear(here, m.Ok(re=ready(here).id, room=ROOM), seats(2, dealing("playing", s0=NONCE)))
    hear(here, over(3, reveal=FIRST.hex(), digest="d1"), seats(4, dealing("finished", SECOND)))
    begun = {"r": "begun", "commit": commitment(FIRST), "context": f"{ROOM}/{commitment(FIRST)}", "nonces": [NONCE, ""]}
    for nonces, accused in (([NONCE, ""], False), (["", ""], True)):
        page = m.FileLines("d1", [json.dumps(begun | {"nonces": nonces}), '{"r":"act"}'])
        hear(here, page, m.FileLines("d1", ['{"r":"over"}']), m.FileLines("d1", []))
        assert ("than the table showed" in texts(here)) is accused


@pytest.mark.parametrize(("secret", "nonce"), [(FIRST, 1), (SECOND, 2)])
def test_a_ready_repeated_under_another_commitment_takes_another_nonce(secret: bytes, nonce: int) -> None:
    """The server may have read the first one before it chose that commitment."""
    here = seated()
    assert ready(here).nonce == NONCE
    here.hello()
    here.receive(welcome(ROOM))
    [again] = here.receive(joined(2, table=dealing("finished", secret), why="resume"))
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
    first = dealing("playing")["fair"]["context"]
    for context, secret, told in ((first, FIRST, False), (first, SECOND, True), ("K7QD/7", SECOND, False)):
        here = seated("playing")
        hear(here, joined(4, epoch=2, table=dealing("finished", SECOND), why="resume"))
        hear(here, over(4, reveal=secret.hex(), context=context))
        assert ("does not match" in texts(here)) is told


def test_acts_of_the_past_are_no_matter() -> None:
    here = seated("playing")
    here.outgoing(m.Act(ROOM, 1, 0))
    hear(here, update(2), over(3, reveal=FIRST.hex()), seats(4, dealing("finished", SECOND)))
    hear(here, joined(4, table=dealing("finished", SECOND), why="sync"), over(4, reveal=FIRST.hex()))
    assert not here.reports
    assert here.rooms[ROOM].witness.kept
