import json
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace
from tests.client import minesweeper_rooms
from tests.client.messages import PLAYING, ROOM, VIEW, joined, over, row, said, seats, table, turn, update, welcome

from parlour_client.core.errors import Fault, Interrupted, Refused, Usage
from parlour_client.core.room import Attempt, JoinedRoom
from parlour_client.core.session import Session
from parlour_client.play import room_events as ev
from parlour_client.play.entry import Entry
from parlour_client.play.room_client import RoomClient
from parlour_games.fair import commitment
from parlour_games.statistics import Finish, Tally
from parlour_protocol import messages as m

MessageT = TypeVar("MessageT", bound=m.ClientMessage)
URL = "ws://localhost:7777"
JOIN = m.Join(ROOM)
PASS: m.Plain = {"e": "pass", "seat": 1}


class Player:
    def __init__(
        self, *messages: m.ServerMessage, enter: Any = JOIN, tally: Any = None, url: str = URL, **more: Any
    ) -> None:
        self.ms = 0
        self.session = Session("maria", entropy=bytes)
        self.session.hello()
        entry = Entry(url, enter, "maria", **more)
        self.client = RoomClient(self.session, entry, url=url, now=lambda: self.ms / 1000, tally=tally)
        self.hear(*messages)

    def hear(self, *messages: m.ServerMessage) -> list[ev.RoomEvent]:
        """Feed messages; return the events of the last one."""
        events: list[ev.RoomEvent] = []
        for message in messages:
            if self.session.is_news(message):
                self.session.receive(message)
                events = self.client.feed(message)
        return events

    def back(self, seq: int, **more: Any) -> list[ev.RoomEvent]:
        """Lose the connection and come back to a match; return the events of that."""
        self.session.hello()
        return self.hear(welcome(ROOM), joined(seq, why="resume", **{**PLAYING, **more}))

    @property
    def room(self) -> JoinedRoom:
        assert self.client.room is not None
        return self.client.room

    def asks(self, kind: type[MessageT]) -> MessageT:
        """Send the only message that is to be sent, which is of this kind, and return it."""
        [message] = self.sent()
        assert isinstance(message, kind)
        return message

    def sent(self) -> list[m.ClientMessage]:
        sent = list(self.client.outgoing)
        self.client.outgoing.clear()
        for message in sent:
            self.session.outgoing(message)
        return sent


BEGUN = {
    "game": "uno", "options": {"scoring": "single"}, "players": [{}, {}, {}],
    "secret": "5e", "context": "K7QD/1", "nonces": ["", "", ""],
}  # fmt: skip
MARIA, *BOTS = row(0, "maria"), row(1, "otto", kind="bot"), {**row(2, "pia", kind="bot"), "style": "guard"}


def test_the_deal_of_a_match_is_played_again_with_the_same_bots_in_a_new_room() -> None:
    playing = table("playing", seats=[MARIA, *BOTS])
    player = Player(welcome(), joined(1, table=playing, view=VIEW), over(2))
    player.sent()
    player.client.requests.repeat(player.room)
    [ask] = player.sent()
    player.hear(m.FileLines("d16e57", [json.dumps(BEGUN)], re=ask.id))
    create = player.asks(m.Create)
    assert (create.options, create.seats, create.private) == ({"scoring": "single"}, 3, True)
    assert create.deal == {"secret": "5e", "context": "K7QD/1", "nonces": ["", "", ""]}
    events = player.hear(replace(joined(1, room="FRSH", table=table(seats=[MARIA])), re=create.id))
    assert kinds(events)[0] is ev.Entered
    assert player.sent() == [m.Leave(ROOM), m.Invite("FRSH", "otto")]
    player.hear(m.Left(ROOM, "left"), m.Ok(room="FRSH"))
    assert not player.client.done
    assert player.sent() == [m.Invite("FRSH", style="guard")]
    player.hear(m.Ok(room="FRSH"))
    assert player.sent() == [m.Ready("FRSH")]


@pytest.mark.parametrize(
    ("seat", "more"),
    [(0, {"seats": [MARIA, row(1, "otto")]}), (1, {"seats": [row(0, "bot", kind="bot"), row(1, "maria")]}),
     (None, {"seats": BOTS})],
)  # fmt: skip
def test_a_deal_is_not_played_again_without_its_people(seat: int | None, more: m.Plain) -> None:
    player = Player(welcome(), joined(1, seat=seat, table=table("playing", **more), view=VIEW), over(2))
    assert player.room.over is not None
    with pytest.raises(Usage):
        player.client.requests.repeat(player.room)


def test_a_room_is_shown_before_one_sits_down() -> None:
    player = Player(welcome(), enter=m.Join(ROOM.lower()), look=True)
    ask = player.asks(m.List)
    assert ask.room == ROOM.lower()
    [offered] = player.hear(m.Rooms([{"room": ROOM}], [], re=ask.id))  # type: ignore[typeddict-item]
    assert isinstance(offered, ev.Offered)
    player.hear(welcome())
    assert player.sent() == [], "the player has not answered yet"
    player.client.arrival.sit()
    assert player.sent() == [m.Join(ROOM.lower())]


@pytest.mark.parametrize(("held", "rooms"), [((ROOM,), None), ((), [])])
def test_a_room_is_entered_that_one_sits_in_or_that_the_server_cannot_show(held: tuple[str, ...], rooms: Any) -> None:
    player = Player(welcome(*held), enter=m.Join(ROOM), look=True)
    sent = player.sent()
    if rooms is not None:
        player.hear(m.Rooms(rooms, [], re=sent[0].id))
        sent = player.sent()
    assert sent == [m.Join(ROOM)]


def kinds(events: list[ev.RoomEvent]) -> list[type[ev.RoomEvent]]:
    return [type(event) for event in events]


WAITING = (welcome(), joined(0))
IN_MATCH = (welcome(), joined(0, **PLAYING))


@pytest.mark.parametrize(
    ("before", "message", "expected"),
    [
        ((), welcome(name="mia"), [ev.Connected]),
        (WAITING, welcome(ROOM), [ev.Note]),
        ((welcome(),), joined(0, chat=[{"from": "otto", "text": "hi"}]), [ev.Entered, ev.RoomChanged]),
        (WAITING, joined(1, why="resume"), [ev.Resumed, ev.RoomChanged]),
        (WAITING, joined(1, why="join", gap=True), [ev.RoomChanged]),  # our join, after hello has brought us back
        (WAITING, replace(joined(1, why="sync", gap=True), re=1), [ev.RoomChanged]),  # the same, if we have the seat
        (
            (*WAITING, replace(joined(1, why="sync"), re=1)),
            replace(joined(2, why="sync", gap=True), re=2),
            [ev.Resumed, ev.RoomChanged],
        ),
        ([joined(0, seat=None)], joined(1, seat=None, why="join"), [ev.Resumed, ev.RoomChanged]),
        (WAITING, joined(1, why="sync"), [ev.RoomChanged]),
        (WAITING, joined(1, why="sync", seat=1), [ev.SeatGiven, ev.RoomChanged]),
        (WAITING, joined(1, why="sync", seat=None), [ev.Note, ev.RoomChanged]),
        (IN_MATCH, update(1), [ev.RoomChanged]),
        (IN_MATCH, update(1, PASS), [ev.Note, ev.RoomChanged]),
        (IN_MATCH, turn(1, 7, None, PASS), [ev.Note, ev.RoomChanged, ev.DecisionOpened]),
        (IN_MATCH, over(1), [ev.RoomChanged, ev.MatchResult, ev.Note]),
        (WAITING, seats(1, table(seats=[row(0, "maria"), row(3, "zoe")])), [ev.Note, ev.Note, ev.Note, ev.RoomChanged]),
        (WAITING, said(1, "otto", "hi"), [ev.Chatted]),
        (WAITING, m.Error("no_bot", "no bot is free", room=ROOM), [ev.Rejected, ev.RoomChanged]),
        (WAITING, m.Rooms([], []), [ev.RoomsListed]),
        (WAITING, m.Bye("drain", "the server is restarting"), [ev.Note]),
        (WAITING, m.Left(ROOM, "left"), []),
        (WAITING, m.Left(ROOM, "expired"), [ev.Note]),
        (WAITING, m.Pong(re="of another"), []),
    ],
)
def test_a_message_becomes_events(
    before: tuple[m.ServerMessage, ...], message: m.ServerMessage, expected: list[type[ev.RoomEvent]]
) -> None:
    assert kinds(Player(*before).hear(message)) == expected


def test_it_enters_under_the_name_given_by_the_server() -> None:
    player = Player(welcome(name="maria-2"))
    assert player.client.name == "maria-2"
    assert player.sent() == [m.Join(ROOM)]
    assert player.hear(welcome()) == [ev.Connected("maria")]  # the connection was lost before we were in


def test_the_events_before_entering_are_not_reported() -> None:
    player = Player(welcome())
    assert player.hear(joined(3, events=[PASS], **PLAYING))[1:] == [ev.RoomChanged(player.room, [])]


@pytest.mark.parametrize(("gap", "told"), [(False, [ev.Note("otto passes.", "event")]), (True, [])])
def test_the_events_missed_while_away_are_reported_unless_some_are_gone(gap: bool, told: list[ev.Note]) -> None:
    player = Player(*IN_MATCH)
    [resumed, *notes, _] = player.back(9, gap=gap, events=[PASS])
    assert (resumed, notes) == (ev.Resumed(player.room, gap), told)


def test_the_chat_missed_while_away_is_told_once() -> None:
    player = Player(*IN_MATCH)
    player.hear(said(1, "otto", "hi"), said(2, "maria", "hi"))
    chat = [{"from": "maria", "text": "hi"}, {"from": "otto", "text": "still here?"}]
    news = player.back(9, chat=chat)
    assert [event for event in news if isinstance(event, ev.Chatted)] == [ev.Chatted("otto", "still here?")]
    again = player.hear(joined(10, why="sync", chat=chat, **PLAYING))
    assert not [event for event in again if isinstance(event, ev.Chatted)]


@pytest.mark.parametrize("seat_code", [None, "CDFGHJKM"])
def test_who_waited_for_a_seat_waits_again_after_a_lost_connection(seat_code: str | None) -> None:
    waiting, alone = table("playing", queue=["maria"]), table("playing")
    player = Player(welcome(), enter=m.Join(ROOM, "spectator", seat_code=seat_code))
    player.hear(joined(1, seat=None, table=waiting, view=VIEW))
    player.session.hello()
    player.sent()
    player.hear(welcome(), joined(1, seat=None, why="join", table=alone, view=VIEW))
    assert m.Queue(ROOM, seat_code=seat_code) in player.sent()
    player.hear(joined(2, seat=None, why="sync", table=alone, view=VIEW))
    assert not [message for message in player.sent() if isinstance(message, m.Queue)]


def test_rules_are_saved_as_a_preset_and_taken_from_one() -> None:
    player = Player(*WAITING)
    player.sent()
    table = player.room.table
    player.client.requests.save_preset(player.room, "short")
    save = player.asks(m.Presets)
    assert (save.do, save.game, save.name, save.options) == ("save", "uno", "short", table["options"])
    row: m.PresetRow = {
        "game": "uno", "name": "Short", "by": "otto", "mine": False,
        "options": {"target": 150}, "seats": 3, "clock": None,
    }  # fmt: skip
    listed, saved = player.hear(m.PresetRows([row], re=save.id))
    assert listed == ev.PresetsListed([row])
    assert isinstance(saved, ev.Completed)
    assert saved.ok
    player.client.requests.use_preset(player.room, "SHORT")
    [fetch] = player.sent()
    assert player.hear(m.PresetRows([row], re=fetch.id)) == []
    configure = player.asks(m.Configure)
    assert (configure.options, configure.seats, configure.clock) == ({"target": 150}, 3, None)
    player.client.requests.use_preset(player.room, "none")
    [fetch] = player.sent()
    [unknown] = player.hear(m.PresetRows([row], re=fetch.id))
    assert isinstance(unknown, ev.Completed)
    assert not unknown.ok
    assert player.sent() == []


def test_errands_follow_one_another_and_end_with_a_refusal() -> None:
    player = Player(*WAITING, enter=m.Create("uno"), invite=("ada", None), ready=True)
    assert player.sent() == [m.Create("uno"), m.Invite(ROOM, "ada")]
    player.hear(m.Ok(re=1, room=ROOM))
    assert player.sent() == [m.Invite(ROOM)]
    player.hear(m.Ok(re=2, room=ROOM))
    assert player.sent() == [m.Ready(ROOM)]

    refused = Player(*WAITING, invite=("ada", None), ready=True)
    refused.sent()
    refused.hear(m.Error("no_bot", "ada is busy", room=ROOM))
    refused.hear(m.Ok(room=ROOM))
    assert refused.sent() == []


def test_a_room_for_one_is_not_waited_in() -> None:
    alone: Any = {"size": 1, "seats": [row(0, "maria")]}
    create = m.Create("minesweeper")
    player = Player(welcome(), joined(0, table=table(**alone)), enter=create)
    assert player.sent() == [create, m.Ready(ROOM)]
    assert Player(welcome(), joined(0, table=table(**alone))).sent() == [m.Join(ROOM)]
    assert Player(welcome(), joined(0, table=table(size=2)), enter=create).sent() == [create]


def test_a_decision_is_answered_once_and_its_latency_reported() -> None:
    player = Player(*IN_MATCH, turn(1, 7))
    player.sent()
    assert player.client.act(7, 0)
    assert not player.client.act(7, 1)
    assert player.sent() == [m.Act(ROOM, 7, 0)]
    assert not player.client.act(7, 1)
    player.ms = 250
    assert kinds(player.hear(said(2, "otto", "well?"))) == [ev.Chatted]
    assert player.hear(update(3, ok={"rid": 7}))[1:] == [ev.Latency(250), ev.ActAnswered()]
    assert player.hear(update(4))[1:] == []


def test_an_act_that_is_sent_again_is_not_asked_again_and_its_latency_counts_from_then() -> None:
    player = Player(*IN_MATCH, turn(1, 7))
    player.client.act(7, 0)
    player.sent()
    player.ms = 60_000
    player.back(1)
    assert ev.DecisionOpened not in kinds(player.hear(turn(1, 7)))
    player.ms += 40
    assert player.hear(update(2, ok={"rid": 7}))[1:] == [ev.Latency(40), ev.ActAnswered()]


@pytest.mark.parametrize(
    ("code", "more", "text"),
    [
        ("illegal_action", {"rid": 7, "why": "no"}, "Not possible: no."),
        ("illegal_action", {"phrase": "card", "fields": {}}, "Choose the card to play."),
        ("illegal_action", {"phrase": "early_call", "fields": {"n": 1}}, "Not possible: no."),
        ("illegal_action", {"phrase": "from-the-future", "fields": {}}, "Not possible: no."),
        ("stale", {"rid": 7, "why": "clock"}, "Too late: your time was up."),
        ("stale", {"rid": 7, "act": {"do": "draw"}}, "Too late: this was decided already. Played for you: draw."),
        ("no_bot", {}, "No such bot is available. Choose another one, or try again later."),
        ("from-the-future", {}, "no."),
    ],
)
def test_a_rejection_says_why(code: str, more: dict[str, Any], text: str) -> None:
    player = Player(*IN_MATCH, turn(1, 7))
    player.client.act(7, 0)
    player.sent()
    assert player.hear(m.Error(code, "no", room=ROOM, **more))[0] == ev.Rejected(player.room, code, text)


def test_the_outcome_of_a_request_is_reported() -> None:
    player = Player(*WAITING)
    player.sent()
    for _ in range(2):
        player.client.requests.send(m.Manage(ROOM, "mute", "otto"), "otto is muted.")
    first, second = (message.id for message in player.sent())
    assert player.hear(m.Ok(re=first, room=ROOM)) == [ev.Completed("otto is muted.", ok=True)]
    assert player.hear(m.Error("not_host", "only the host may", room=ROOM, re=second)) == [
        ev.Completed("Only the host of this room can do that.", ok=False, code="not_host")
    ]


def test_the_end_of_a_match_is_reported_once_with_its_proof() -> None:
    secret = bytes(32)
    player = Player(welcome(), joined(0, table=table("playing", commit=commitment(secret)), view=VIEW))
    end = over(1, reveal=secret.hex())
    assert player.hear(end)[-1] == ev.MatchResult(player.room, end, proved=True)
    assert player.client.fair
    player.back(1, table=table("finished", commit="c2"))
    assert ev.MatchResult not in kinds(player.hear(over(1)))


def test_the_end_of_a_match_tells_what_it_has_brought() -> None:
    greeting = replace(welcome(), can=["profile"])
    player = Player(greeting, joined(0, **PLAYING))
    player.sent()
    player.hear(over(1))
    [asked] = player.sent()
    assert asked == m.Profile("maria", id=asked.id)
    last: Any = {"ago": 0, "rank": 1, "players": 1, "score": 71, "board": "beginner", "ms": 41_000, "record": True}
    row: Any = {"game": "uno", "matches": 9, "wins": 5, "streak": 3, "longest": 4, "times": [], "last": [last]}
    told = player.hear(m.ProfileRows("maria", "human", [row], re=asked.id))
    assert [type(event) for event in told] == [ev.Note, ev.Note, ev.RoomChanged]
    assert len(player.client.moment) == 2
    assert "0:41" in player.client.moment[0]
    player.hear(seats(2, table("finished")), seats(3, table("playing")))
    assert player.client.moment == []


def test_the_words_of_a_game_are_asked_for_until_they_come() -> None:
    greeting, words = replace(welcome(), can=["describe"]), m.Described("chess", [2, 2, 2], [], {"chess.name": "Chess"})
    player = Player(greeting, joined(0, game="chess"))
    assert m.Describe("chess", "en") in player.sent()
    player.session.hello()
    player.hear(replace(greeting, rooms=[ROOM]), joined(1, game="chess", why="resume"))
    assert m.Describe("chess", "en") in player.sent()
    assert player.session.reports == [], "a lost request that only reads is not worth a word"
    player.hear(words, joined(2, game="chess", why="sync"))
    assert player.sent() == []


def test_matches_that_ended_meanwhile_are_told_once() -> None:
    players: list[m.RankedName] = [{"name": "otto", "rank": 1}, {"name": "maria", "rank": 2}]
    row: m.MissedRow = {"digest": "d1", "room": "X9QR", "game": "uno", "ago": 5, "rank": 2, "players": players}
    player = Player(replace(welcome(), can=["missed"]))
    assert m.Missed() in player.sent()
    [note] = player.hear(m.MissedRows([row]))
    assert isinstance(note, ev.Note)
    assert "X9QR" in note.text
    assert player.sent() == [m.Missed(["d1"])]
    assert player.hear(m.MissedRows([])) == []
    [note] = player.hear(m.MissedRows([{**row, "void": True}]))
    assert isinstance(note, ev.Note)
    assert "does not count" in note.text
    assert "otto" not in note.text
    player.session.hello()
    assert player.session.reports == []


class Counted(list[Finish]):
    """The matches that a client counts; ``streak``: of the matches before."""

    def __init__(self, streak: int = 0) -> None:
        super().__init__()
        self._streak = streak

    def __call__(self, game: str, finish: Finish) -> Tally:
        self.append(finish)
        found = Tally(streak=self._streak)
        found.add(finish)
        return found


def test_a_match_at_the_own_table_is_counted_by_the_client() -> None:
    counted = Counted(streak=1)
    player = Player(tally=counted, keep=False)
    result: Any = {"ranks": {"0": 1, "1": 2}, "scores": {"0": 9, "1": 0}, "why": "round"}
    player.hear(welcome(), joined(0, **PLAYING), over(1, result=result))
    assert [(each.rank, each.players, each.score) for each in counted] == [(1, 2, 9)]
    assert len(player.client.moment) == 1
    aborted = {**result, "why": "aborted"}
    player.hear(seats(2, table("finished")), seats(3, table("playing")), over(4, result=aborted, digest="other"))
    assert len(counted) == 1


@pytest.mark.parametrize(
    ("deal", "helped", "why"), [("chosen", True, "chosen"), (None, True, "odds"), (None, False, None)]
)
def test_a_match_with_odds_or_a_chosen_deal_is_no_record(deal: Any, helped: bool, why: str | None) -> None:
    counted = Counted()
    player, fair = Player(welcome(), tally=counted, keep=False), {**table()["fair"], **({"deal": deal} if deal else {})}
    player.hear(joined(0, table=table("playing", fair=fair), view=VIEW))
    if helped:
        assert player.room.help() == (deal is None)
        assert not player.room.help()
    player.back(1, table=table("playing", fair=fair))
    player.hear(over(2))
    assert [each.unrated for each in counted] == [why]
    assert len(player.client.moment) == (why is not None)
    finished, again = table("finished", fair=fair), table("playing", fair=fair)
    player.hear(seats(3, finished), seats(4, again), turn(5, 9), over(6, digest="other"))
    assert [each.unrated for each in counted] == [why, deal]


TODAY: Any = {"commit": "c1", "context": "daily/2026-11-28/beginner", "nonces": {}, "deal": "daily"}


@pytest.mark.parametrize(
    ("own", "counts", "result"),
    [
        ({"room": ROOM}, True, None),
        ({"room": "OTHER"}, False, None),
        ({"room": "OTHER", "ms": 41_000}, False, "0:41"),
        ({}, None, None),
    ],
)
def test_an_attempt_at_the_match_of_the_day_counts_or_not(own: Any, counts: bool | None, result: str | None) -> None:
    playing, daily = table("playing", fair=TODAY), m.Daily("beginner", play=True)
    player = Player(welcome(), joined(0, table=playing, view=VIEW), enter=daily)
    *_, asked = player.sent()
    assert asked == m.Daily("beginner", "2026-11-28", id=asked.id)
    you: Any = {"played": True, "days": 0, **own}
    rows = m.DailyRows("2026-11-28", "beginner", "c1", TODAY["context"], 1, [], you, re=asked.id)
    told, room = player.hear(rows), player.room
    assert room is not None
    assert room.attempt == (None if counts is None else Attempt(counts, result))
    assert [type(event) for event in told] == ([] if counts is None else [ev.Note, ev.RoomChanged])
    if result is not None:
        assert result in told[0].text  # type: ignore[union-attr]
    player.hear(over(1))
    [asked] = player.sent()
    later: Any = {"played": True, "days": 1, "room": own.get("room", ROOM), "ms": 41_000}
    player.hear(replace(rows, you=later, re=asked.id))
    assert "0:41" in "".join(player.client.moment)
    assert ("parlour daily" in "".join(player.client.moment)) == (counts is not False)
    player.hear(seats(2, table("finished", fair=TODAY)), seats(3, playing))
    assert room.attempt is None or not room.attempt.first, "what follows in the same room is practice"


FAR = "wss://parlour.example/p"
WON: Any = {"ranks": {"0": 1, "1": 3, "2": 2}, "scores": {"0": 512, "1": 12, "2": 77}, "why": "target"}
CLEARED: Any = {"ranks": {"0": 1}, "scores": {"0": 1}, "why": "won", "time": {"board": "expert", "ms": 101_500}}
EXPERT: Any = {"level": "expert", "mode": "solo"}
BOARD: Any = {"level": "custom", "width": 7, "height": 5, "mode": "solo"}


@pytest.mark.parametrize(
    ("changes", "result", "line"),
    [
        ({"seats": [row(n, f"p{n}") for n in range(3)]}, WON, "UNO: won against 2\n▮▮▮▮▮ · ▮"),
        ({"seats": [MARIA], "options": BOARD}, CLEARED, "Minesweeper 7×5: 1:41"),
        ({"game": "minesweeper", "seats": [MARIA], "options": EXPERT}, CLEARED, "Minesweeper expert: 1:41"),
        ({"fair": {**TODAY, "context": "K7QD/1", "deal": "chosen"}}, WON, ""),
        ({}, {**WON, "ranks": {"0": 2, "1": 1, "2": 3}}, ""),
        ({}, {**WON, "why": "aborted"}, ""),
    ],
)
def test_a_win_has_a_line_to_share_with_a_link_that_others_can_follow(changes: Any, result: Any, line: str) -> None:
    playing = table("playing", **changes)
    for url, private, link in (
        (FAR, False, "\nhttps://parlour.example/p/#replay=d16e57"),
        (FAR, True, ""),
        (URL, False, ""),
    ):
        game, shown = ("minesweeper", minesweeper_rooms.view()) if "options" in changes else ("uno", VIEW)
        player = Player(welcome(), joined(1, game=game, table=playing, view=shown), url=url, private=private)
        told = player.hear(over(2, view=shown, result=result))
        assert player.client.share == (line and f"parlour {line}{link}")
        notes = [event.text for event in told if isinstance(event, ev.Note)]
        assert [each for each in player.client.share.splitlines() if each not in notes] == []
        player.hear(seats(3, table("finished", **changes)), seats(4, playing), turn(5, 9, view=shown))
        assert player.client.share == ""


def test_lines_to_share_say_how_a_board_was_cleared_and_nothing_of_where() -> None:
    board: Any = {"game": "minesweeper", "view": minesweeper_rooms.view(minesweeper_rooms.player(), phase="new")}
    playing = table("playing", seats=[MARIA], options=EXPERT)
    player = Player(welcome(), joined(1, table=playing, **board), url=FAR)
    player.ms = 50_000  # before the first cell
    for number, (after, opened) in enumerate([(0, 3), (30_000, 4), (60_000, 5), (12_000, 10)], 2):
        player.ms += after
        player.hear(update(number, view=minesweeper_rooms.view(minesweeper_rooms.player(opened))))
    row = {"ms": 102_000, "clicks": 9, "bbbv": 7, "rate": 69, "efficiency": 77, "flagged": 0, "open": 100}
    done = minesweeper_rooms.view(minesweeper_rooms.player(10, "done"), phase="over")
    stats = {"bbbv": 7, "seats": [row]}
    player.hear(over(6, view=done, result={**CLEARED, "stats": stats}))
    lines = player.client.share.splitlines()
    assert lines[1:] == ["3BV 7 · 3BV/s 0.07", "▆▁▁▃▁▁▁▁▁▁▃█", "https://parlour.example/p/#replay=d16e57"]


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_who_is_out_skips_to_the_end(game: str) -> None:
    def shown(state: str) -> Any:
        if game == "uno":
            return {**VIEW, "turn": 1, "out": [0] if state == "out" else []}
        return minesweeper_rooms.race(minesweeper_rooms.player(3, state), minesweeper_rooms.player(4))

    player = Player(welcome(can=["hurry"]), joined(1, game=game, table=table("playing"), view=shown("in")))
    assert not player.client.can_skip
    player.hear(update(2, view=shown("out")))
    assert player.client.can_skip
    player.sent()
    player.client.skip()
    player.asks(m.Hurry)
    player.hear(seats(3, table("playing", pace=0)))
    assert not player.client.can_skip
    old = Player(welcome(), joined(1, game=game, table=table("playing"), view=shown("out")))
    assert not old.client.can_skip, "the server does not know the message"


def test_the_first_result_of_a_match_of_the_day_is_a_line_to_share() -> None:
    player = Player(welcome(), joined(0, table=table("playing", fair=TODAY), view=VIEW), url=FAR)
    [*_, asked] = player.sent()
    you: Any = {"played": True, "days": 0, "room": ROOM}
    rows = m.DailyRows("2026-11-28", "expert", "c1", TODAY["context"], 1, [], you, re=asked.id)
    player.hear(rows, over(1))
    assert player.client.share == ""
    [asked] = player.sent()
    player.hear(replace(rows, you={**you, "days": 3, "ms": 41_000}, re=asked.id))
    assert player.client.share.startswith("parlour daily 28 Nov expert: 0:41, 3 days in a row\n")


def test_a_secret_that_does_not_fit_is_a_warning() -> None:
    player = Player(*IN_MATCH)
    *_, note = player.hear(over(1))
    assert isinstance(note, ev.Note)
    assert note.kind == "warning"
    assert not player.client.fair


def test_a_game_file_is_downloaded_page_by_page() -> None:
    player = Player(*IN_MATCH)
    with pytest.raises(Usage):
        player.client.requests.save(player.room)
    player.hear(over(1, digest="ab" * 32))
    player.sent()
    player.client.requests.save(player.room)
    [ask] = player.sent()
    assert player.hear(m.FileLines("ab" * 32, ["1", "2"], 2, re=ask.id)) == []
    assert player.hear(m.FileLines("cd" * 32, ["of another match"])) == []
    [ask] = player.sent()
    [done] = player.hear(m.FileLines("ab" * 32, ["3"], re=ask.id))
    assert isinstance(done, ev.Downloaded)
    assert done.download.lines == ["1", "2", "3"]
    assert player.hear(m.FileLines("ab" * 32, ["1", "2"])) == []


def test_a_download_goes_on_after_the_connection_was_cut_off() -> None:
    player = Player(*IN_MATCH, over(1, digest="ab" * 32))
    player.sent()
    player.client.requests.save(player.room)
    [ask] = player.sent()
    player.back(1)
    player.hear(over(1, digest="ab" * 32))
    player.sent()
    player.client.requests.save(player.room)
    assert player.sent() == []
    [done] = player.hear(m.FileLines("ab" * 32, ["1"], re=ask.id))
    assert isinstance(done, ev.Downloaded)


def test_a_ping_measures_the_latency() -> None:
    player = Player(*WAITING)
    player.sent()
    player.client.ping()
    [ping] = player.sent()
    player.ms = 40
    assert player.hear(m.Pong(re=ping.id)) == [ev.Latency(40)]


@pytest.mark.parametrize("why", ["left", "expired"])
def test_leaving_is_done_when_the_server_has_answered_with_the_reason_if_it_closed_the_room(why: Any) -> None:
    early = Player(welcome())
    early.client.leave()
    assert early.client.done, "there is no room yet"
    player = Player(*WAITING)
    player.sent()
    player.client.leave()
    assert player.sent() == [m.Leave(ROOM)]
    assert not player.client.done
    notes = player.hear(m.Left(ROOM, why))
    assert player.client.done
    assert notes == ([] if why == "left" else [ev.Note(player.client.farewell)])
    assert bool(player.client.farewell) is bool(notes)


@pytest.mark.parametrize(
    ("before", "message", "fault", "code", "told"),
    [
        ((welcome(),), m.Error("room_full", "full", hint="watch", re=1), Refused, "room_full", "full (watch)"),
        (
            (welcome(),),
            m.Error("bad_options", "x must be y", hint="mend what `msg` names", re=1),
            Refused,
            "bad_options",
            "x must be y (all options: parlour help rules)",
        ),
        ((welcome(), m.Error("no_room", "no such room", re=1)), m.Rooms([], []), Refused, "no_room", "0 rooms"),
        (WAITING, m.Left(ROOM, "kicked"), Refused, "kicked", "the host has kicked you from room K7QD"),
        (IN_MATCH, m.Left(ROOM, "banned"), Refused, "banned", ROOM),
        (IN_MATCH, m.Left(ROOM, "expired"), Interrupted, None, "was interrupted: it was idle for too long"),
        (IN_MATCH, m.Left(ROOM, "aborted"), Interrupted, None, ROOM),
    ],
)
def test_faults_end_the_stay(
    before: tuple[m.ServerMessage, ...], message: m.ServerMessage, fault: type[Fault], code: str | None, told: str
) -> None:
    player = Player(*before)
    with pytest.raises(fault) as raised:
        player.hear(message)
    assert getattr(raised.value, "code", None) == code
    assert told in str(raised.value)


def test_a_lost_seat_interrupts() -> None:
    player = Player(*IN_MATCH)
    player.session.hello()
    with pytest.raises(Interrupted):
        player.hear(welcome())


def test_troubles_of_the_entry_are_warnings() -> None:
    troubles = ["a bot has crashed."]
    assert Player(troubles=troubles).hear(welcome())[1:] == [ev.Note("a bot has crashed.", "warning")]
    assert troubles == []
