"""``parlour beacon``: rounds of a drand network, here one on loopback, reach a server."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import attrs
import pytest
from tests.support.server import ServerProcess, server_process
from tests.support.sockets import Map, open_socket

from parlour_client.cli import beacon
from parlour_client.cli.admin import AdminParams
from parlour_client.cli.main import main

CHAIN, PERIOD = "52" * 32, 1


@attrs.define
class Drand:
    """A network with a short period. ``lies``: its randomness is not the hash of its signature."""

    url: str = ""
    genesis: int = attrs.field(factory=lambda: int(time.time()) - 100)
    lies: bool = False

    def answer(self, path: str) -> object:
        """Return what the network answers; None: there is no such thing, or not yet."""
        if path == f"/{CHAIN}/info":
            return {
                "hash": CHAIN,
                "genesis_time": self.genesis,
                "period": PERIOD,
                "schemeID": "bls-unchained-g1-rfc9380",
            }
        latest = (int(time.time()) - self.genesis) // PERIOD + 1
        last = path.rpartition("/")[2]
        number = latest if last == "latest" else int(last)
        if number > latest:
            return None
        signature = number.to_bytes(48, "big")
        found = "00" * 32 if self.lies else sha256(signature).hexdigest()
        return {"round": number, "randomness": found, "signature": signature.hex()}


@contextmanager
def drand() -> Iterator[Drand]:
    network = Drand()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = network.answer(self.path)
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    network.url = f"http://127.0.0.1:{server.server_address[1]}/{CHAIN}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield network
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def admin(running: ServerProcess) -> tuple[str, ...]:
    return ("--server", running.url, "--token", running.admin)


async def begun(url: str) -> Map:
    """Begin a match that waits for the beacon, once there is one; return what its deal is bound to."""
    room = {"game": "minesweeper", "options": {"mode": "solo"}, "seats": 1, "start": "full", "beacon": True}
    async with open_socket(url) as socket:
        await socket.hello("anna")
        while (found := await socket.ask("create", "joined", "error", **room))["t"] == "error":
            assert found["code"] == "no_beacon"
            await asyncio.sleep(0.05)
        while "randomness" not in found["table"]["fair"].get("beacon", {}):
            found = await socket.until("seats")
        fair: Map = found["table"]["fair"]
        return fair


async def test_server_is_fed_for_as_long_as_the_command_runs(tmp_path: Path) -> None:
    with drand() as network, server_process(tmp_path) as running:
        params = AdminParams(server=running.url, token=running.admin)
        following = asyncio.create_task(beacon._follow(network.url, CHAIN, params))
        drawn = (await begun(running.url))["beacon"]
        assert drawn["chain"] == CHAIN
        assert drawn["randomness"] == sha256(drawn["round"].to_bytes(48, "big")).hexdigest()
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def test_one_round_is_fetched_or_given_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with drand() as network, server_process(tmp_path) as running:
        assert main(["beacon", "fetch", network.url, "--chain", CHAIN, *admin(running)]) == 0
        assert main(["beacon", "fetch", network.url, "--round", "5", *admin(running)]) == 0
        by_hand = ["beacon", "give", "5", "--chain", CHAIN, "--genesis", str(network.genesis), "--period", str(PERIOD)]
        right, wrong = sha256((5).to_bytes(48, "big")).hexdigest(), "cd" * 32
        assert main([*by_hand[:3], right, *by_hand[3:], *admin(running)]) == 0
        assert main([*by_hand[:3], wrong, *by_hand[3:], *admin(running)]) != 0
        assert main(["beacon", "fetch", network.url, "--chain", "89" * 32, *admin(running)]) == 2
        network.lies = True
        assert main(["beacon", "fetch", network.url, *admin(running)]) != 0
        assert "signature" in "".join(capsys.readouterr())
        assert main(["beacon", "fetch", f"{network.url}/nothing", *admin(running)]) != 0
