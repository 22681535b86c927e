"""Attacks by disconnecting: to gain time, and many at the same time."""

from contextlib import AsyncExitStack

from tests.attacks.harness import MIB, UNBOUNDED, Memory, bystander, new_name, run_many, uno
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket

BANK = 60_000
"""Milliseconds: more than a test needs on a slow machine."""


async def _asked(players: dict[str, Socket]) -> str:
    """Return the name of the player who gets the first turn."""
    first = {name: await player.until("turn", "update") for name, player in players.items()}
    while not (asked := [name for name, message in first.items() if message["t"] == "turn"]):
        first = {name: await player.until("turn", "update") for name, player in players.items()}
    return asked[0]


async def test_reconnecting_gains_no_time(server: ServerProcess) -> None:
    async with AsyncExitStack() as stack:
        tokens, players = {}, {}
        for name in (new_name(), new_name()):
            players[name] = await stack.enter_async_context(open_socket(server.url, **UNBOUNDED))
            tokens[name] = (await players[name].hello(name))["token"]
        room = await uno(*players.values(), clock={"bank": BANK, "add": 5_000}, standin=False)
        for player in players.values():
            await player.send("ready", room=room)
        name = await _asked(players)
        players[name].ws.transport.abort()
        left = []
        for _ in range(12):
            async with open_socket(server.url) as again:
                tokens[name] = (await again.hello(name, token=tokens[name]))["token"]
                turn = await again.until("turn")
                left.append(turn["left"])
                again.ws.transport.abort()
        assert left == sorted(left, reverse=True)
        assert 0 < left[-1] < left[0] <= BANK + 5_000


async def test_thirty_clients_disconnected_together_all_reconnect(server: ServerProcess) -> None:
    async def come(_: int) -> tuple[str, str, str]:
        name = new_name()
        ws = await stack.enter_async_context(open_socket(server.url))
        token = (await ws.hello(name))["token"]
        room = await uno(ws, seats=2)
        cut.append(ws)
        return name, token, room

    async def come_back(n: int) -> Map:
        name, token, _ = people[n]
        async with open_socket(server.url) as ws:
            return await ws.ask("hello", "welcome", name=name, kind="human", token=token)

    async with bystander(server) as player:
        memory, cut = Memory.of(server.pid), list[Socket]()
        async with AsyncExitStack() as stack:
            people = await run_many(30, come)
            for ws in cut:
                ws.ws.transport.abort()
            await player.act()
            welcomes = await run_many(30, come_back)
        assert [welcome["rooms"] for welcome in welcomes] == [[room] for _, _, room in people]
        assert memory.peak < 24 * MIB
        await player.act()
