import asyncio
import json
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import attrs
import pytest
from tests.bots.programs import LEGAL, SHOWN, turn
from tests.bots.rooms import fail
from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE

from parlour_bots.arena.isolation import arena_bot
from parlour_bots.arena.league.game import LeagueGame, play
from parlour_bots.arena.minesweeper.game import ArenaBoard
from parlour_bots.arena.minesweeper.game import play as play_board
from parlour_bots.arena.minesweeper.summary import summary
from parlour_bots.arena.series import play_series, report_series
from parlour_bots.cli.play import PlayOptions, _availability, _room
from parlour_bots.errors import Broken, Late
from parlour_bots.loading import NoBot, find
from parlour_bots.play.in_process import play_bots
from parlour_bots.play.model import KEY, LanguageModel
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_client.core import queries
from parlour_protocol.messages import Create, Joined, OfferBot, SeatRow, ServerMessage, Standings

pytestmark = pytest.mark.llm

SECRET = "sk-very-secret"
TURN = turn(legal=LEGAL, view=SHOWN)


@attrs.define
class Endpoint:
    """A chat endpoint that gives these replies in turn, the last one for ever."""

    replies: list[str]
    status: int = 200
    body: bytes | None = None
    asked: list[dict[str, Any]] = attrs.field(factory=list)
    keys: list[str | None] = attrs.field(factory=list)
    url: str = ""
    held: threading.Event | None = None
    """If set, replies wait for it."""

    def answer(self, request: dict[str, Any]) -> bytes:
        self.asked.append(request)
        if self.held is not None:
            self.held.wait()
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return json.dumps({"choices": [{"message": {"content": reply}}], "usage": usage}).encode()


@contextmanager
def serving(*replies: str, status: int = 200, body: bytes | None = None) -> Iterator[Endpoint]:
    endpoint = Endpoint([*replies], status, body)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.keys.append(self.headers.get("Authorization"))
            found = endpoint.answer(request) if endpoint.body is None else endpoint.body
            with suppress(OSError):  # the client may be gone
                self.send_response(endpoint.status)
                self.send_header("Content-Length", str(len(found)))
                self.end_headers()
                self.wfile.write(found)
                self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    "reply", ["1", "I draw.\nANSWER: 1", "**Answer: draw**", "thinking\n`1`", 'ANSWER: {"do": "draw"}']
)
def test_replies_are_read(reply: str) -> None:
    with serving(reply) as endpoint:
        answer, why = LanguageModel("m", endpoint.url).play(TURN)  # type: ignore[misc]
        assert answer in (1, LEGAL[1])
        assert why
        assert "0: play red 4" in endpoint.asked[0]["messages"][1]["content"]


def test_an_illegal_answer_is_refused_once_and_then_replaced() -> None:
    with serving("castle", "7") as endpoint:
        bot = LanguageModel("m", endpoint.url, price_in=1.0, price_out=2.0)
        answer, _ = bot.play(TURN)  # type: ignore[misc]
        assert answer in (0, 1)
        assert "from 0 to 1" in endpoint.asked[1]["messages"][-1]["content"]
        used = {"decisions": 1, "illegal": 1, "fallbacks": 1, "tokens_in": 200, "tokens_out": 20, "cost": 240}
        assert dict(bot.usage) == used


def test_the_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, SECRET)
    with serving("1", status=401, body=f"wrong key {SECRET}".encode()) as endpoint:
        bot = LanguageModel("m", endpoint.url)
        with pytest.raises(Broken, match="HTTP 401") as broken:
            bot.play(TURN)
    assert endpoint.keys == [f"Bearer {SECRET}"]
    assert SECRET not in "".join(traceback.format_exception(broken.value)) + repr(bot) + str(bot.place)
    assert KEY in str(broken.value)


def test_no_endpoint_and_no_chat_endpoint_are_told_apart() -> None:
    with serving("1", body=b"<html>") as endpoint, pytest.raises(Broken, match="base URL"):
        LanguageModel("m", endpoint.url).play(TURN)
    with pytest.raises(Broken, match="cannot be reached"):
        LanguageModel("m", endpoint.url).play(TURN)


def test_a_slow_endpoint_is_late() -> None:
    with serving("1") as endpoint:
        endpoint.held = threading.Event()
        try:
            with pytest.raises(Late):
                LanguageModel("m", endpoint.url, timeout=0.05).play(TURN)
        finally:
            endpoint.held.set()


async def test_a_model_is_labelled_at_its_seat_and_in_standings(server: ServerProcess) -> None:
    code, seats = asyncio.Future[str](), list[SeatRow]()

    def watch(message: ServerMessage) -> None:
        if isinstance(message, Joined):
            seats[:] = message.table["seats"]
            if not code.done():
                code.set_result(message.room)

    with serving("0") as endpoint:
        specs = [find(f"llm:{name}@{endpoint.url}", "uno") for name in ("qwen", "mistral")]
        host, guest = (BotClient(connection(server.url, bot.name), bot, fail, watch=watch) for bot in specs)
        room = Create("uno", {"scoring": "single", "breath": 0}, seats=2, start="full", style=specs[0].style)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(play_room(host, room))
            group.create_task(play_room(guest, await code))
    assert [row.get("style") for row in seats] == ["llm", "llm"]
    rows = (await queries.asked(server.url, Standings("uno"))).rows
    labels = sorted((row["name"], row["kind"], row.get("style")) for row in rows)
    assert labels == [("mistral", "bot", "llm"), ("qwen", "bot", "llm")]
    assert all("rating" in row for row in rows)


def test_a_model_that_waits_for_invitations_says_what_it_is() -> None:
    bot = find("llm:m@http://localhost/v1", "uno")
    assert _availability(bot, 2) == OfferBot(["uno"], 2, ["llm"])
    assert _availability(find("random"), 2) == OfferBot(["uno"], 2)
    room = _room(bot, PlayOptions(open=2))
    assert isinstance(room, Create)
    assert room.style == "llm"


@pytest.mark.parametrize("what", ["llm:", "llm:model", "llm:model@host", "llm:model@http://"])
def test_a_wrong_name_is_refused_with_an_example(what: str) -> None:
    with pytest.raises(NoBot, match="MODEL@BASE_URL"):
        find(what)


def test_the_arena_counts_what_a_model_uses() -> None:
    with serving("0") as endpoint:
        bots = [arena_bot(f"llm:m@{endpoint.url}", "uno"), arena_bot("random", "uno")]
        outcome = play([bot.spec for bot in bots], LeagueGame(0, 0, 0, (0, 1)), 1, {"scoring": "single"}).outcome
    assert outcome.usage[0]["decisions"] == len(endpoint.asked)
    assert outcome.usage[0]["tokens_in"] == 100 * len(endpoint.asked)
    assert not outcome.usage[1]
    assert not outcome.faults[0]


@pytest.mark.usefixtures("example_games")
def test_a_series_counts_what_a_model_uses() -> None:
    with serving("0") as endpoint:
        bot = find(f"llm:lab/small@{endpoint.url}(timeout=5,price_in=0.5)", "fourinarow")
        series = play_series(bot, find("random", "fourinarow"), [1, 2], fail, fail)
    assert bot.name.startswith("small")
    report = report_series(series, "m", "random", 1)
    (used,) = report.data["usage"].values()
    assert used["decisions"] == len(endpoint.asked)
    assert "tokens in" in report.text


def test_minesweeper_is_played_by_the_names_of_cells() -> None:
    with serving("ANSWER: e5", "ANSWER: z9", "ANSWER: z9", "resign") as endpoint:
        bot = find(f"llm:m@{endpoint.url}", "minesweeper")
        match = play_bots([bot], 1, fail)
    assert match.ranks
    assert "Closed, away from numbers" in endpoint.asked[0]["messages"][1]["content"]


def test_the_arena_of_boards_counts_what_a_model_uses() -> None:
    board = ArenaBoard("one", 3, 3, 8, (0, 1))
    with serving("ANSWER: a1") as endpoint:
        result = play_board(find(f"llm:m@{endpoint.url}", "minesweeper"), board, 1, lambda mistake: None)
    shown = summary("m", [result]).plain()
    assert shown["usage"]["tokens_in"] == 100 * len(endpoint.asked)
    assert shown["usage"]["decisions"] == result.moves
