from typing import Any

import pytest
from tests.client import minesweeper_rooms
from tests.client.messages import PEOPLE, joined, over, row, table

from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.text import room_lines
from parlour_protocol.messages import Table


def room(now: Table, seat: int | None = 0) -> JoinedRoom:
    return JoinedRoom.of(joined(0, seat=seat, table=now))


def people(**changed: object) -> list[object]:
    return [PEOPLE[0], {**PEOPLE[1], **changed}, PEOPLE[2]]


def me(**changed: object) -> Table:
    return table(seats=[{**PEOPLE[0], **changed}, *PEOPLE[1:]])


def test_who_is_there() -> None:
    crowd = [row(0, "maria", ready=True), row(1, "otto", here=False), row(2, "pia", kind="bot", by="standin")]
    here = room(table(seats=crowd, watchers=2))
    assert room_lines.present(here, "maria") == [
        "Room K7QD: UNO, waiting for players. You are maria, at seat 0.",
        "Players: maria (you, host, ready), otto (human, not here), pia (bot, a stand-in plays). Watching: 2.",
    ]


def test_the_terms_of_a_room_are_told_before_one_sits_down() -> None:
    here = room(table(size=3, standin=False, unrated="address"))
    assert room_lines.present(here, "maria")[2:] == ["No stand-ins. Not rated (players share an address)."]
    listed: Any = {"room": "K7QD", "game": "uno", "taken": 1, "seats": 2, "options": {}, "standin": True}
    assert room_lines.offered(listed)[1:] == ["Stand-ins play for absent players."]
    listed |= {"standin": False, "unrated": "casual"}
    assert room_lines.played(listed) == ["no stand-ins", "not rated (casual room)"]
    phrases.use("de")
    assert room_lines.played(listed) == ["keine Vertretung", "nicht gewertet (Raum ohne Wertung)"]
    listed["seats"] = 1
    assert room_lines.played(listed) == []


def test_why_a_match_was_not_rated_is_told_at_its_end() -> None:
    unrated = {"ranks": {"0": 1, "1": 2}, "scores": {}, "why": "target", "unrated": "alone"}
    told = room_lines.result(room(table("finished")), over(3, result=unrated))
    assert told[-2] == "not rated (no opponent but the server's bots)"
    phrases.use("de")
    told = room_lines.result(room(table("finished")), over(3, result=unrated))
    assert told[-2] == "nicht gewertet (keine Gegner außer Bots des Servers)"


def test_a_board_is_named_by_its_mode() -> None:
    for mode in ("solo", "duel"):
        here = minesweeper_rooms.room(minesweeper_rooms.view(mode=mode), 0, {"mode": mode, "level": "beginner"})
        assert room_lines.in_brief(here).casefold() == f"minesweeper, {mode}"


def test_a_spectator_at_an_empty_table() -> None:
    here = room(table("finished", seats=[], host=None), seat=None)
    assert room_lines.present(here, "maria") == [
        "Room K7QD: UNO, the match is over. You are watching.",
        "Players: none.",
    ]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (table(seats=PEOPLE[:2]), table(), ["pia (bot) took a seat."]),
        (table(), table(seats=PEOPLE[:2]), ["pia left."]),
        (table(), table(seats=people(ready=True)), ["otto is ready."]),
        (table(seats=people(ready=True)), table(), []),
        (table(), table(seats=people(here=False, left=3_000)), ["otto has lost the connection; the seat is held 3 s."]),
        (table(), table(seats=people(here=False)), ["otto has lost the connection."]),
        (table(seats=people(here=False)), table(), ["otto is back."]),
        (table(unrated="alone"), table(), ["The next match is rated."]),
        (table(), table(unrated="clock"), ["The next match is not rated (no clock)."]),
        (table(size=1), table(size=1, unrated="casual"), []),
        (table("playing"), table("playing", unrated="absent"), []),
        (table(), table(seats=people(by="standin")), ["A stand-in plays for otto."]),
        (table(), table(seats=people(by="standin", here=False)), ["A stand-in plays for otto."]),
        (table(seats=people(by="standin")), table(), ["otto is playing again."]),
        (table(), me(by="standin"), ["A stand-in plays for you: ready takes your seat back."]),
        (me(by="standin"), table(), ["You play again."]),
        (table(), me(here=False), []),
        (table(), table(host="otto"), ["otto is now the host."]),
        (table("playing"), table("pause"), ["A short pause; ready ends it early."]),
        (table("pause"), table("playing"), []),
        (table(), table("closed"), ["The room is closed."]),
        (table(), table(seats=[{**PEOPLE[0], "ready": True}, *PEOPLE[1:]]), []),
        (table(), table(seats=[*PEOPLE[:2], {**PEOPLE[2], "ready": True}]), []),
        (table(), table(watchers=3), []),
        (table(), table(seats=[*PEOPLE[:2], row(2, "vera")]), ["pia gives the seat to vera."]),
        (table(), table(requests=[{"seat": 1, "name": "vera", "kind": "human"}]), ["vera asks otto for the seat."]),
        (table(), table(requests=[{"seat": 0, "name": "vera", "kind": "human"}]), []),
        (table(requests=[{"seat": 1, "name": "vera", "kind": "human"}]), table(), []),
        (
            table(options={}, size=4, clock=None),
            table(options={"jump_in": True}, size=1, clock={"bank": 30_000, "add": 2_500}),
            ["maria has changed the rules: Jump in with the same card, 1 seat, clock 30 s + 2.5 s."],
        ),
        (table(options={"jump_in": True}), table(), ["maria has changed the rules: usual rules."]),
        (table(), table(size=2, clock=None), ["maria has changed the rules: 2 seats."]),  # an older server
    ],
)
def test_what_a_person_wants_to_hear_of(before: Table, after: Table, lines: list[str]) -> None:
    assert list(room_lines.changes(room(after), before)) == lines


def test_rules_are_written_as_they_are_typed() -> None:
    rules = {"target": 100, "stack2": True, "jump_in": False}
    assert room_lines.written(table(options=rules)) == "target=100 stack2=yes jump_in=no"
    clock = {"bank": 60_000, "add": 1_500}
    assert room_lines.written(table(size=4, clock=clock)) == "seats=4 clock=60+1.5"
    assert room_lines.written(table(clock=None)) == "clock=none"


def test_the_standings_are_told_best_first() -> None:
    assert room_lines.result(room(table("finished")), over(3)) == [
        "The match is over (the target score was reached). Standings:",
        "1. pia  512",
        "2. maria (you)  77",
        "3. otto  12",
        "Digest of the match file: d16e57",
    ]


def test_a_listed_room_is_described_in_the_words_of_the_client_if_the_server_sends_its_options() -> None:
    row: Any = {"game": "uno", "people": 2, "players": [{"name": "ada", "kind": "bot"}], "rules": ["of the server"]}
    assert room_lines.played(row) == ["2 people, 1 bot", "of the server"]
    row |= {"options": {"stack2": True}, "clock": {"bank": 60_000, "add": 15_000}}
    phrases.use("de")
    assert room_lines.played(row) == ["2 Menschen, 1 Bot", "Zieh Zwei auf Zieh Zwei", "Uhr 60 s + 15 s"]
    row["clock"] = None
    assert room_lines.played(row)[-1] == "keine Uhr"


def test_a_player_alone_has_no_place() -> None:
    result: Any = {"ranks": {"0": 2}, "scores": {"0": 77}, "why": "target"}
    assert room_lines.result(room(table("finished")), over(3, result=result))[1] == "maria (you)  77"
