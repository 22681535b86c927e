import asyncio
import json
import signal
import socket
import sys
from asyncio import StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest
from tests.bots.rooms import opened, until
from tests.support.ports import free_port
from tests.support.server import server_process
from tests.support.waiting import PATIENCE
from tests.support.waiting import until as waited
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from parlour_bots.hosting import house_bots
from parlour_bots.hosting.house_bots import Catching, Orders, Ticket, catching, play
from parlour_bots.play.network import connection
from parlour_bots.sdk import Action, Turn, bot_spec, seeded
from parlour_client.core.queries import lobby
from parlour_protocol.codec import CODECS, JSON
from parlour_protocol.messages import Invite, Over

HOUSE = (sys.executable, "-m", "parlour_bots.hosting.house_bots")
TICKET = Ticket(name="ada", ticket="f00", bot="uno.painfirst", tempo=1)
NOBODY = Orders(url="ws://127.0.0.1:1", pace=0, tickets=[])


async def test_house_bots_play_whatever_they_are_invited_to(tmp_path: Path) -> None:
    names: list[str] = []

    async def at_hand() -> bool:
        names[:] = [row["name"] for row in (await lobby(server.url))["bots"] if "uno" in row["games"]]
        return len(names) >= 3

    with server_process(tmp_path, house_bots=True) as server:
        await waited(at_hand, 0.2)
        async with asyncio.timeout(PATIENCE), connection(server.url, "audience") as audience:
            room = await opened(audience, 3)
            for name, style in zip(names, (None, "easy", "hard"), strict=False):
                await audience.send(Invite(room, name, style=style))
            over = await until(audience, lambda message: isinstance(message, Over))
    assert isinstance(over, Over)
    assert sorted(over.result["ranks"]) == ["0", "1", "2"]


async def test_house_ends_with_the_pipe_and_says_nothing() -> None:
    """The server here takes connections and never answers; then its pipe closes, as if it had died."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        mute.setblocking(False)
        url = f"ws://127.0.0.1:{mute.getsockname()[1]}"
        async with _house(url) as (child, stdin):
            caller, _ = await asyncio.get_running_loop().sock_accept(mute)
            with caller:
                stdin.close()
                assert await child.communicate() == (b"", b"")
    assert child.returncode == 0


async def test_house_without_orders_ends_and_leaves_the_interrupt_of_the_terminal_to_its_parent() -> None:
    async with _house() as (child, _):
        await waited(lambda: len([*Path(f"/proc/{child.pid}/task").iterdir()]) > 1)  # it reads its stdin
        child.send_signal(signal.SIGINT)
        assert await child.communicate(b"") == (b"", b"")
    assert child.returncode == 0


async def test_bot_that_does_not_exist_is_told_and_the_house_ends(capsys: pytest.CaptureFixture[str]) -> None:
    tickets = [{**TICKET, "bot": "uno.nobody"}]
    await asyncio.wait_for(play({**NOBODY, "tickets": tickets}, asyncio.Event()), PATIENCE)  # type: ignore[typeddict-item]
    assert "There is no bot 'uno.nobody'" in capsys.readouterr().err


async def test_bot_that_finds_no_server_or_is_refused_for_now_comes_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(house_bots, "AGAIN", 0.01)
    tickets: list[str] = []

    async def refuse(ws: ServerConnection) -> None:
        codec = CODECS[ws.subprotocol or JSON]
        hello = codec.decode(await ws.recv())
        tickets.append(hello["ticket"])
        code = "retry" if len(tickets) == 1 else "banned"
        await ws.send(codec.encode({"t": "error", "code": code, "msg": "no", "re": hello["id"]}))

    said, port = "", free_port()
    orders = Orders(url=f"ws://127.0.0.1:{port}", pace=0, tickets=[TICKET])
    playing = asyncio.create_task(play(orders, asyncio.Event()))
    while "no server answers" not in said:
        await asyncio.sleep(0.01)
        said += capsys.readouterr().err
    async with serve(refuse, "127.0.0.1", port, subprotocols=[Subprotocol(name) for name in CODECS]):
        await asyncio.wait_for(playing, PATIENCE)
    assert tickets == [TICKET["ticket"]] * 2


async def test_house_whose_tickets_are_no_good_says_so_and_ends(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with _house(server.url) as (child, stdin):
            assert child.stdout is not None
            assert child.stderr is not None
            out, err = await asyncio.gather(child.stdout.read(), child.stderr.read())
            stdin.close()
            await child.wait()
    assert (child.returncode, out) == (0, b"")
    assert b"house bot ada" in err


@asynccontextmanager
async def _house(url: str | None = None) -> AsyncIterator[tuple[Process, StreamWriter]]:
    """Run a house, with its stdin and orders to play at ``url``; it does not outlive the context."""
    child = await asyncio.create_subprocess_exec(*HOUSE, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert child.stdin is not None
    try:
        if url is not None:
            child.stdin.write(json.dumps(Orders(url=url, pace=0, tickets=[TICKET])).encode() + b"\n")
        async with asyncio.timeout(PATIENCE):
            yield child, child.stdin
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()


CATCH: Action = {"do": "catch", "seat": 1}
TURN: Turn = Turn("uno", "K7QD", 0, 1, {"exposed": 1}, [{"do": "jump", "card": 3}, CATCH], None, [], seeded(0))


def bot(share: float) -> Catching:
    return Catching(bot_spec(lambda turn: 4, "plain").make(), share)


def test_forgotten_uno_is_caught_now_and_then_and_each_case_is_decided_once() -> None:
    answers = [bot(0.5).may(TURN) for _ in range(100)]
    assert 20 < answers.count(CATCH) < 80
    assert answers.count(CATCH) + answers.count(None) == 100
    one = bot(0.5)
    for rid in range(20):
        turn = attrs.evolve(TURN, rid=rid)
        assert len({str(one.may(turn)) for _ in range(20)}) == 1


def test_innocent_seats_are_not_caught_and_other_reactions_are_left_alone() -> None:
    innocent: list[Action] = [{"do": "catch", "seat": 2}]
    others: list[Action] = [{"do": "jump", "card": 3}, {"do": "uno"}]
    told = [bot(1).may(attrs.evolve(TURN, legal=legal)) for legal in (innocent, [*innocent, CATCH], others)]
    assert told == [None, CATCH, None]
    assert bot(1).may(attrs.evolve(TURN, view={})) is None
    assert bot(1).play(TURN) == 4


def test_a_bot_that_reacts_keeps_its_own_reactions() -> None:
    class Reacting:
        def play(self, turn: Turn) -> int:
            return 0

        def may(self, turn: Turn) -> None:
            return None

    assert isinstance(catching(bot_spec(Reacting, "reacting")).make(), Reacting)
    assert isinstance(catching(bot_spec(lambda turn: 4, "plain")).make(), Catching)
