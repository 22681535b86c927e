"""Webhooks of a node: players who are away are notified by real requests, each turn once, and nothing waits for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.nodes import Guest, House
from tests.support.receiver import Receiver, Request, receiving

from parlour_protocol import messages as m
from parlour_protocol.messages import Clock, WebhookFormat
from parlour_server.node import notifier
from parlour_server.rooms.timers import AWAY
from parlour_server.settings import ServerSettings
from parlour_server.store import results
from parlour_server.store.base import StoreError

DAY = 86_400_000
A_DAY: Clock = {"bank": DAY, "add": DAY, "cap": DAY}
KEYS = {"anna": "ab" * 32, "bert": "cd" * 32}


@attrs.define
class Evening:
    """A match over days of two players, and the receiver of the webhook of whose turn it is."""

    house: House
    receiver: Receiver
    room: str
    players: list[Guest]

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return self.house.turn(self.room)[0]

    async def pass_time(self, ms: int = AWAY) -> None:
        """Let the room wake up after a while."""
        self.house.time += ms / 1000
        self.house.node._wake(self.room)
        await self.idle()

    async def idle(self) -> None:
        """Wait until all webhooks are called."""
        await self.house.settled()
        while self.house.node.tasks.running:
            for task in list(self.house.node.tasks.running):
                await task
        await self.house.settled()

    def calls(self) -> list[Request]:
        """Return and forget what was received."""
        return [self.receiver.requests.get_nowait() for _ in range(self.receiver.requests.qsize())]


@asynccontextmanager
async def evening(
    path: Path, format: WebhookFormat = "json", *, set_by: tuple[int, ...] = (0, 1)
) -> AsyncIterator[Evening]:
    async with receiving() as receiver:
        house = House(path / "parlour.db", ServerSettings(webhooks=True, webhook_host=(receiver.host,)))
        await house.node.start()
        players = [house.connect(name) for name in KEYS]
        for player in players:
            await player.greet(key=KEYS[player.name])
        joined = await players[0].ask(m.Create("uno", seats=2, clock=A_DAY, standin=False), m.Joined)
        await players[1].ask(m.Join(joined.room), m.Joined)
        await players[0].ask(m.Start(joined.room), m.Ok)
        for number in set_by:
            state = await players[number].ask(m.Webhook("set", receiver.url, format), m.WebhookState)
            assert (state.host, state.format, state.off) == ("127.0.0.1", format, None)
        yield Evening(house, receiver, joined.room, players)
        await house.close()


@pytest.mark.parametrize("format", ["json", "ntfy"])
async def test_player_who_is_away_gets_a_request_in_their_format(tmp_path: Path, format: WebhookFormat) -> None:
    async with evening(tmp_path, format) as at:
        name = at.players[at.seat].name
        at.players[at.seat].leave()
        await at.pass_time()
        [request] = at.calls()
        assert request.line == "POST /secret-path?token=hush HTTP/1.1"
        link = f"https://games.example/r/{at.room}"
        if format == "json":
            assert request.json == {
                "event": "turn", "name": name, "room": at.room, "game": "uno", "left": DAY - AWAY, "link": link
            }  # fmt: skip
        else:
            assert name in request.body.decode()
            assert request.headers["Click"] == link


async def test_nobody_is_notified_who_is_there_or_has_no_webhook(tmp_path: Path) -> None:
    async with evening(tmp_path, set_by=()) as at:
        other = at.players[1 - at.seat]
        await other.ask(m.Webhook("set", at.receiver.url), m.WebhookState)
        await at.pass_time()
        other.leave()
        at.players[at.seat].leave()
        await at.pass_time()
        assert at.calls() == []


async def test_kill_repeats_no_turn_and_the_next_one_is_told(tmp_path: Path) -> None:
    async with evening(tmp_path) as at:
        for player in at.players:
            player.leave()
        await at.pass_time()
        assert len(at.calls()) == 1
        await at.house.restart()
        await at.idle()
        await at.pass_time()
        await at.pass_time(60_000)
        assert at.calls() == []
        await at.pass_time(DAY + 1_000)  # whose turn it is runs out of time
        await at.pass_time()
        [request] = at.calls()
        assert request.json["name"] == at.players[at.seat].name


async def test_nobody_waits_for_a_webhook(tmp_path: Path) -> None:
    async with evening(tmp_path) as at:
        at.receiver.answer = None  # it keeps the caller waiting
        away, here = at.players[at.seat], at.players[1 - at.seat]
        away.leave()
        at.house.time += AWAY / 1000
        at.house.node._wake(at.room)
        await at.receiver.received()
        await here.ask(m.Chat(at.room, "still here"), m.Said)
        again, welcome = await at.house.back(away)
        assert welcome.rooms == [at.room]
        await again.ask(m.Ping(), m.Pong)


async def test_webhook_that_keeps_failing_is_switched_off_and_a_test_that_works_switches_it_on(tmp_path: Path) -> None:
    async with evening(tmp_path) as at:
        at.receiver.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
        for player in at.players:
            player.leave()
        seat = at.seat
        who = at.house.lobby.identities.by_name(at.players[seat].name)
        assert who is not None
        await at.pass_time()
        for _ in range(results.FAULTS):
            await at.house.store.note_call(who.who, at.receiver.url, "404")
        owner = at.players[seat]
        again, _ = await at.house.back(owner)
        state = await again.ask(m.Webhook(), m.WebhookState)
        assert (state.host, state.off, state.test) == ("127.0.0.1", "404", None)
        assert (await again.ask(m.Webhook("test"), m.WebhookState)).test == "404"
        at.receiver.answer = b"HTTP/1.1 200 OK\r\n\r\n"
        state = await again.ask(m.Webhook("test"), m.WebhookState)
        assert (state.test, state.off) == ("delivered", None)
        assert [request.json["event"] for request in at.calls()] == ["turn", "test", "test"]


async def test_tests_of_one_host_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "TESTS_PER_HOST", 2)
    async with evening(tmp_path) as at:
        anna = at.players[0]
        answers = []
        for _ in range(4):
            await anna.say(m.Webhook("test"))
            await at.idle()
            answers += [each for each in anna.told() if isinstance(each, m.WebhookState | m.Error)]
        refused = [each for each in answers if isinstance(each, m.Error)]
        assert refused
        assert {error.code for error in refused} == {"too_much"}
        assert len(at.calls()) == len(answers) - len(refused)


async def test_url_is_in_no_message_log_or_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the server tells of a webhook, to whomever and wherever, holds the host and no more."""
    with capture_logs() as lines:
        async with evening(tmp_path) as at:
            for player in at.players:
                for asked in (m.Webhook(), m.Webhook("test"), m.Profile(at.players[0].name), m.List(), m.Missed()):
                    await player.say(asked)
            at.receiver.answer = b"nonsense"
            await at.players[0].say(m.Webhook("test"))
            await at.players[0].say(m.Webhook("set", "http://127.0.0.1:1/secret-path?token=hush"))
            await at.idle()
            told = [message for player in at.players for message in player.told()]
            at.players[at.seat].leave()
            monkeypatch.setattr(at.house.store, "note_call", AsyncMock(side_effect=StoreError("the disk is full")))
            await at.pass_time()
            metrics = at.house.node._metrics.text(at.house.node.presence())
    for where in (told, metrics, lines, capsys.readouterr()):
        assert "hush" not in repr(where)
        assert "secret-path" not in repr(where)
    assert any(isinstance(message, m.WebhookState) for message in told)
    assert lines
