"""Contests in the lobby: who takes part, what is opened when, and what becomes of tables that break."""

from typing import Any

import attrs
import pytest
from tests.server.rooms.halls import hall, one, only, refused, told

from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.contests import PATIENCE
from parlour_server.rooms.effects import SaveContest, SavePairing

ADMIN = "operator"


class Bots:
    """A server, bots on offer for the fake game, and its operator."""

    def __init__(self, *names: str, limit: int = 2) -> None:
        self.local: Local = hall()
        self.local.lobby.admin = ADMIN
        self.limit = limit
        self.bots: dict[str, Peer] = {}
        for name in names:
            self.offer(self.local.connect(name, "bot"))
        self.operator = self.local.connect("olga")

    def offer(self, bot: Peer) -> None:
        self.bots[bot.name] = bot
        bot.send(m.OfferBot(["fake"], self.limit))

    def ask(self, **args: Any) -> list[m.ServerMessage]:
        self.operator.send(m.Admin(ADMIN, "contest", name="friday", args={"game": "fake", **args}, id=1))
        return told(self.operator)

    def rows(self) -> list[m.StandingsRow]:
        self.operator.send(m.Standings(contest="friday"))
        return one(self.operator, m.StandingsRows).rows

    @property
    def rooms(self) -> list[str]:
        return sorted(self.local.lobby.rooms)


def test_everybody_on_offer_meets_everybody() -> None:
    at = Bots("a", "b", "c")
    at.local.connect("idle", "bot")
    assert [type(message) for message in at.ask()] == [m.Ok]
    assert len(at.rooms) == 3
    joined = only(at.bots["b"], m.Joined)
    assert len(joined) == 2
    assert all(message.why == "invited" and message.table["host"] is None for message in joined)


def test_results_count_and_rooms_close() -> None:
    at = Bots("a", "b")
    at.ask()
    turn = one_turn(at.bots["a"])
    at.bots["a"].send(m.Act(turn.room, 1, {"do": "take", "cell": 2}))
    at.bots["a"].send(m.Act(turn.room, 2, {"do": "end"}))
    assert [type(message) for message in told(at.bots["b"])][-4:] == [m.Over, m.SeatsChanged, m.Said, m.Left]
    assert [(row["name"], row["games"], row["wins"], row["points"]) for row in at.rows()] == [
        ("a", 1, 1, 1),
        ("b", 1, 0, 0),
    ]
    assert at.rooms == []
    assert at.local.lobby.contests["friday"].over


def one_turn(bot: Peer) -> m.Turn:
    return [message for message in told(bot) if isinstance(message, m.Turn)][-1]


def test_the_standings_are_told_at_each_table_when_it_opens_and_when_it_ends() -> None:
    at = Bots("a", "b")
    at.ask()
    watcher = at.local.connect("wanda", "human")
    watcher.send(m.Join(at.rooms[0], as_="spectator"))
    (joined,) = only(watcher, m.Joined)
    assert joined.chat == [{"from": "friday", "text": "0 of 1 tables are done. Won/played: a 0/0, b 0/0"}]
    turn = one_turn(at.bots["a"])
    at.bots["a"].send(m.Act(turn.room, 1, {"do": "take", "cell": 2}))
    at.bots["a"].send(m.Act(turn.room, 2, {"do": "end"}))
    (said,) = only(watcher, m.Said)
    assert said.text == "1 of 1 tables are done. Won/played: a 1/1, b 0/1"
    assert said.from_ == {"name": "friday", "kind": "bot", "seat": None}


def test_who_is_busy_is_not_asked_for_more_than_it_offers() -> None:
    at = Bots("a", "b", "c", "d", limit=1)
    at.ask()
    assert len(at.rooms) == 2
    turn = one_turn(at.bots["a"])
    at.bots["a"].send(m.Act(turn.room, 1, {"do": "end"}))
    assert turn.room not in at.rooms
    assert len(at.rooms) == 1, "the others are still at their table"
    at.bots["c"].send(m.Act((other := one_turn(at.bots["c"])).room, 1, {"do": "end"}))
    assert other.room not in at.rooms
    assert len(at.rooms) == 2, "all are free: the next tables begin"


def test_tables_wait_for_who_is_away_and_are_given_up_in_the_end() -> None:
    at = Bots("a", "b")
    at.bots["b"].close()
    at.offer(at.local.connect("c", "bot"))
    at.ask()
    contest = at.local.lobby.contests["friday"]
    assert [entrant.name for entrant in contest.plan.entrants] == ["a", "c"]
    turn = one_turn(at.bots["a"])
    at.bots["a"].send(m.Act(turn.room, 1, {"do": "end"}))
    assert contest.over


def test_a_table_whose_players_never_come_is_given_up() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.ask()
    contest = at.local.lobby.contests["friday"]
    playing = contest.tables[0]
    names = [contest.plan.entrants[entrant].name for entrant in playing]
    away = next(name for name in "abc" if name not in names)
    at.bots[away].close()
    turn = one_turn(at.bots[names[0]])
    at.bots[names[0]].send(m.Act(turn.room, 1, {"do": "end"}))
    assert at.rooms == []
    sweep(at, PATIENCE)
    assert not contest.over
    sweep(at, PATIENCE + 1)
    assert contest.over
    assert {row["name"]: row["games"] for row in at.rows()} == {names[0]: 2, names[1]: 2, away: 2}
    assert next(row for row in at.rows() if row["name"] == away)["wins"] == 0


def sweep(at: Bots, later: int) -> None:
    at.local.now += later
    at.local.carry_out(at.local.lobby.sweep(at.local.now))
    at.local.now += 1


def test_a_room_that_expires_counts_for_nobody() -> None:
    at = Bots("a", "b")
    at.ask()
    for bot in at.bots.values():
        bot.close()
    at.local.wait(10 * PATIENCE)
    assert at.rooms == []
    assert at.local.lobby.contests["friday"].over
    assert [row["wins"] for row in at.rows()] == [0, 0]


def test_stopped_it_begins_no_further_table() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.ask()
    assert isinstance(at.ask(stop=True)[0], m.Ok)
    [room] = at.rooms
    bot = next(bot for bot in at.bots.values() if any(isinstance(each, m.Turn) for each in bot.inbox))
    bot.send(m.Act(room, 1, {"do": "end"}))
    assert at.rooms == []
    assert at.local.lobby.contests["friday"].over


def test_what_could_not_be_stored_is_forgotten() -> None:
    at = Bots("a", "b")
    at.ask()
    lobby = at.local.lobby
    contest, room = lobby.contests["friday"], at.rooms[0]
    rooms, _ = lobby.undo([contest.save(), contest.begun(0, room)])
    assert rooms == set()
    assert lobby.contests == {}


def test_a_lost_result_is_played_for_again() -> None:
    at = Bots("a", "b")
    at.ask()
    contest, room = at.local.lobby.contests["friday"], at.rooms[0]
    lost = contest.ended(0, room, (1, 2), (1, 0))
    contest.follow(lost)
    at.local.lobby.undo([lost])
    assert (contest.rooms, contest.results) == ({0: room}, {})


def test_it_is_read_again_as_it_was_stored() -> None:
    at = Bots("a", "b", "c")
    at.ask()
    contest = at.local.lobby.contests["friday"]
    stored: list[SavePairing] = [contest.begun(number, room) for number, room in sorted(contest.rooms.items())]
    other = hall().lobby
    saved = contest.save()
    assert isinstance(saved, SaveContest)
    other.resume([saved], stored)
    again = other.contests["friday"]
    assert (again.plan, again.tables, again.rooms) == (contest.plan, contest.tables, contest.rooms)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ({"game": "chess"}, "no_game", "there is no game 'chess' here"),
        ({"players": 9}, "bad_options", "9 play at a table, but 3 bots"),
        ({"format": "swiss"}, "bad_options", "needs rounds"),
        ({"options": {"wings": 2}}, "bad_options", "wings"),
        ({"colour": "red"}, "bad_message", "colour"),
    ],
)
def test_nonsense_is_refused(args: dict[str, Any], code: str, words: str) -> None:
    at = Bots("a", "b", "c")
    [error] = at.ask(**args)
    assert isinstance(error, m.Error)
    assert error.code == code
    assert words in error.msg
    assert at.local.lobby.contests == {}


def test_names_are_used_once_and_unknown_ones_are_refused() -> None:
    at = Bots("a", "b")
    at.ask()
    [error] = at.ask()
    assert isinstance(error, m.Error)
    assert "already" in error.msg
    assert refused(at.operator, m.Standings(contest="monday")).code == "no_contest"
    assert refused(at.operator, m.Admin("wrong", "contest", name="x")).code == "not_admin"


def test_house_bots_and_people_take_no_part() -> None:
    at = Bots("a")
    [error] = at.ask()
    assert isinstance(error, m.Error)
    assert error.code == "bad_options"


def test_a_server_that_stops_opens_no_table() -> None:
    at = Bots("a", "b")
    at.local.lobby.draining = True
    assert isinstance(at.ask()[0], m.Ok)
    assert at.rooms == []
    at.local.lobby.draining = False
    sweep(at, 1)
    assert len(at.rooms) == 1


def test_contest_of_a_game_that_is_not_here() -> None:
    at = Bots("a", "b")
    error = refused(at.operator, m.Admin(ADMIN, "contest", name="friday", args={"game": "chess"}))
    assert error.code == "no_game"
    assert "there is fake, " in error.msg
    assert not at.rooms


def test_contest_that_could_not_be_stored_has_not_begun() -> None:
    at = Bots("a", "b")
    at.ask()
    lobby = at.local.lobby
    saved = lobby.contests["friday"].save()
    at.ask(stop=True)
    assert lobby.contests["friday"].stopped
    lobby.undo([attrs.evolve(saved, stopped=True)])
    assert not lobby.contests["friday"].stopped
    lobby.undo([saved])
    assert not lobby.contests
