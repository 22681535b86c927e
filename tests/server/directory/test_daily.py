"""Daily boards: SPEC.md#daily-boards."""

from collections.abc import Sequence
from datetime import date

import pytest
from tests.server.local_server import OpenRoom, StrictLocal, house_bot, received, refused

from parlour_games.fair import commitment
from parlour_games.registry import games
from parlour_protocol import messages as m
from parlour_protocol.errors import Denied
from parlour_protocol.wire import plain
from parlour_server import effects
from parlour_server.directory.bot_pool import STARTING
from parlour_server.game_files.verify import verify
from parlour_server.lobby.daily import DailyBoards
from parlour_server.local import Peer
from parlour_server.persistence import SaveDaily
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.records import game_file

NOON = 1_795_435_200_000
TODAY, YESTERDAY, TOMORROW = date(2026, 11, 23), date(2026, 11, 22), date(2026, 11, 24)


@pytest.fixture
def daily() -> DailyBoards:
    found = DailyBoards(games().values(), lambda: NOON)
    found.restore("ab" * 32)
    return found


def test_a_secret_is_shown_when_its_day_is_over_and_its_commitment_the_day_before(daily: DailyBoards) -> None:
    assert (daily.today, daily.left) == (TODAY, 43_200_000)
    assert [daily.reveal(day, "expert") for day in (TODAY, TOMORROW)] == [None, None]
    secret = daily.reveal(YESTERDAY, "expert")
    assert secret is not None
    assert commitment(bytes.fromhex(secret)) == daily.commit(YESTERDAY, "expert")
    assert daily.commit(TOMORROW, "expert") != daily.commit(TOMORROW, "beginner")
    assert [daily.day(text) for text in (None, "2026-11-24", "2020-01-01")] == [TODAY, TOMORROW, date(2020, 1, 1)]


@pytest.mark.parametrize("text", ["2026-11-25", "yesterday", "", "2026-02-30"])
def test_other_days_are_refused(daily: DailyBoards, text: str) -> None:
    with pytest.raises(Denied) as refusal:
        daily.day(text)
    assert refusal.value.code == "bad_options"


class DailyLocal(StrictLocal):
    """A server without sockets that notes what is stored of daily boards."""

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[SaveDaily] = []
        self.lobby._daily.restore("ab" * 32)

    def carry_out(self, wanted: list[effects.Effect]) -> None:
        self._note(wanted)
        super().carry_out(wanted)

    def _done(self, work: Compute) -> list[effects.Effect]:
        wanted = super()._done(work)
        self._note(wanted)
        return wanted

    def _note(self, wanted: list[effects.Effect]) -> None:
        self.saved += [effect for effect in wanted if isinstance(effect, SaveDaily)]


def begun(local: DailyLocal, name: str, board: str = "beginner", bots: Sequence[Peer] = ()) -> OpenRoom:
    """Let ``name`` begin a match of the day; return its room."""
    peer = local.connect(name, "human", can=["nonce"])
    peer.send(m.Daily(board, play=True, id=1))
    joined = peer.inbox[0]
    assert isinstance(joined, m.Joined), joined
    return OpenRoom(local, joined.room, [peer, *bots])


STYLES = ["painfirst", "guard", "counter"]


@pytest.fixture
def local() -> DailyLocal:
    return DailyLocal()


@pytest.fixture
def bots(local: DailyLocal) -> list[Peer]:
    return [house_bot(local, name, STYLES) for name in ("hal", "hob", "hux")]


def clear(at: OpenRoom) -> None:
    """Open all cells without a mine."""
    for cell in set(range(81)) - {*at.match.state.board.mines}:
        if at.state == "playing":
            at.act(0, cell)


def finish(at: OpenRoom, resigning: int | None = None) -> None:
    """Let every seat play its first legal action, or resign, until the match is over."""
    while at.room.match is not None:
        asked = next(iter(at.match.book.obligations()), None)
        if asked is None:
            at.server.step()
        else:
            at.act(asked.seat, "resign" if asked.seat == resigning else 0)


def test_uno_is_dealt_alike_to_everyone_and_its_points_are_stored(local: DailyLocal, bots: list[Peer]) -> None:
    hands = []
    for name in ("anna", "bert"):
        at = begun(local, name, "uno", bots)
        secret = at.room.state.secret(1).hex()
        assert [each.style for _, each in at.room.state.seats.taken()] == [None, *STYLES]
        hands.append([list(hand) for hand in at.match.state.canonical()["hands"]])
        finish(at)
        messages = [message for peer in reversed(at.peers) for message in received(peer)]
        over = [message for message in messages if isinstance(message, m.Over)][-1]
        assert secret not in repr([message for message in messages if not isinstance(message, m.Over)]), (
            "nobody at the table knows the deal before its end"
        )
        assert (over.reveal, over.context) == (secret, "daily/1970-01-01/uno")
        assert verify(list(game_file(local.log[at.code][at.room.state.first_line :])), over.digest).ok
        assert local.saved[-1].points == over.result["scores"]["0"]
    assert hands[0] == hands[1]
    assert [(each.name, each.board, each.ms is None) for each in local.saved] == [
        (name, "uno", begins) for name in ("anna", "bert") for begins in (True, False)
    ]
    assert [match.match.rated for match in local.matches] == [False, False]


@pytest.mark.parametrize("leave", [True, False])
def test_who_gives_up_has_no_points(local: DailyLocal, bots: list[Peer], leave: bool) -> None:
    at = begun(local, "anna", "uno", bots)
    if leave:
        at[0].send(m.Leave(at.code))
    finish(at, resigning=0)
    assert [each.ms for each in local.saved] == [None]


def test_no_room_is_opened_without_the_bots_of_the_day(local: DailyLocal) -> None:
    house_bot(local, "hal", STYLES)
    local.lobby.bots.expect("hob")
    error = refused(local.connect("anna", "human"), m.Daily("uno", play=True))
    assert (error.code, error.retry_after) == ("no_bot", STARTING)
    assert local.lobby.rooms.loaded == {}


def test_a_rematch_is_practice(local: DailyLocal) -> None:
    at = begun(local, "anna")
    at.act(0, "resign")
    at[0].send(m.Ready(at.code))
    clear(at)
    assert at.room.state.matches == 2
    assert [each.ms for each in local.saved] == [None]


def test_the_board_is_the_same_for_everyone_and_for_its_player_alone(local: DailyLocal) -> None:
    boards: list[list[str]] = []
    for name in ("anna", "bert"):
        at = begun(local, name)
        assert at.state == "playing"
        other = local.connect(f"{name}-spy", "human")
        assert refused(other, m.Join(at.code, "spectator")).code == "no_watching"
        assert refused(other, m.Join(at.code)).code in ("room_full", "wrong_state")
        assert refused(other, m.List(room=at.code)).code == "no_room"
        other.send(m.List())
        assert [answer.rooms for answer in received(other) if isinstance(answer, m.Rooms)] == [[]]
        boards.append(at.match.view(0)["rows"])
        at.act(0, "resign")
        [over] = [message for message in received(at[0]) if isinstance(message, m.Over)]
        [effect] = local.lobby.receive(at[0].conn, plain(m.Daily(id=2)), 0)
        assert isinstance(effect, effects.Ask)
        about = effect.known
        assert about is not None
        assert (about.commit, about.context, about.secret) == (over.commit, over.context, None)
        assert commitment(bytes.fromhex(over.reveal)) == about.commit
        lines = list(game_file(local.log[at.code][at.room.state.first_line :]))
        assert verify(lines, over.digest).ok
    assert boards[0] == boards[1]
    assert any(char.isdigit() for row in boards[0] for char in row), "the server opens the first cell"
    assert [(each.name, each.ms) for each in local.saved] == [("anna", None), ("bert", None)]
    assert [match.match.rated for match in local.matches] == [False, False]


def test_a_cleared_board_is_stored_with_its_time(local: DailyLocal) -> None:
    at = begun(local, "anna")
    local.wait(41_000)
    clear(at)
    assert [(each.day, each.board) for each in local.saved] == [("1970-01-01", "beginner")] * 2
    assert [each.ms for each in local.saved] == [None, 41_000]
    assert at.room.match is None
    assert local.matches[0].match.time is None


def test_an_unknown_board_is_refused(local: DailyLocal) -> None:
    assert refused(local.connect("anna", "human"), m.Daily("giant", play=True)).code == "bad_options"
