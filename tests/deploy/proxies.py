"""Run the reverse proxies with the files of deploy/; only ports, paths and names are changed.

::

    with proxy("haproxy", tmp_path, server) as running:       # or nginx, or caddy
        ...                                                   # connect to running.url over TLS (TRUSTED)
        running.stop()
        running.start()                                       # the same port

The server is node a of the file. Nothing listens at the address of node b.
"""

import os
import re
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPSConnection
from pathlib import Path

import attrs
from tests.support.groups import program
from tests.support.nginx import ROOT
from tests.support.ports import free_port, is_open
from tests.support.processes import otherwise
from tests.support.server import STOPS_WITHIN, ServerProcess
from tests.support.tls import CERTIFICATE, KEY
from tests.support.waiting import PATIENCE, wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
TRUSTED = ssl.create_default_context(cafile=str(CERTIFICATE))
NAMES = ("haproxy", "nginx", "caddy")


@attrs.frozen
class Place:
    """The folder and the loopback ports of a proxy, and the ports of nodes a and b."""

    folder: Path
    https: int
    http: int
    a: int
    b: int


@attrs.frozen
class _Kind:
    """A proxy program: its file, the changes to it, and its command line."""

    file: str
    changes: Callable[[Place], Mapping[str, str]]
    command: Callable[[Path], tuple[str, ...]]
    timeout: str
    """A pattern of the file's timeouts, with three groups: the text before, the number, the unit."""
    around: str = "FILE"
    """The main configuration that includes the file."""


class RunningProxy:
    """A proxy process; ``url`` is its TLS address."""

    def __init__(self, kind: _Kind, place: Place, text: str) -> None:
        self.place = place
        self.url = f"wss://localhost:{place.https}"
        self._file = place.folder / kind.file
        self._file.write_text(kind.around.replace("FILE", text))
        self._command = kind.command(self._file)
        self._process: subprocess.Popen[bytes] | None = None
        self._otherwise = ExitStack()

    def start(self) -> None:
        """Start the proxy. It may not listen yet."""
        home = {name: str(self.place.folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        with (self.place.folder / "proxy.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, **home}
            )
        self._otherwise.enter_context(otherwise(f"kill {self._process.pid}"))

    def wait(self) -> None:
        """Wait until it accepts connections. Raises AssertionError with its log if it has exited."""
        assert self._process is not None
        exited = self._process.poll
        wait_until(lambda: is_open(self.place.https) or exited() is not None)
        assert exited() is None, (self.place.folder / "proxy.log").read_text()

    def stop(self) -> None:
        """Stop the proxy; connections through it break."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._otherwise.close()


@contextmanager
def proxy(name: str, folder: Path, server: ServerProcess, faster: int = 1) -> Iterator[RunningProxy]:
    """Run the proxy ``name`` in front of ``server`` while in the context; ``faster`` divides all its timeouts."""
    kind = KINDS[name]
    https, http, b = (free_port() for _ in range(3))
    place = Place(folder, https, http, int(server.url.rpartition(":")[2]), b)
    text = _changed((DEPLOY / kind.file).read_text(), kind.changes(place))
    if faster > 1:
        text, found = re.subn(kind.timeout, lambda match: _shortened(match, faster), text)
        assert found or name == "caddy", "the file has no timeout"
    running = RunningProxy(kind, place, text)
    running.start()
    try:
        running.wait()
        yield running
    finally:
        running.stop()


def _changed(text: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, f"{old!r} is missing in the file"
        text = text.replace(old, new)
    return text


def _shortened(match: re.Match[str], faster: int) -> str:
    before, number, unit = match.groups()
    milliseconds = int(number) * {"s": 1_000, "h": 3_600_000}[unit]
    return f"{before}{milliseconds // faster}ms"


def get(https: int, path: str, **headers: str) -> tuple[int, str]:
    """Send a GET request over TLS; return status and body."""
    with closing(HTTPSConnection("localhost", https, timeout=PATIENCE, context=TRUSTED)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def _both(place: Place) -> dict[str, str]:
    return {"127.0.0.1:7777": f"127.0.0.1:{place.a}", "127.0.0.1:7778": f"127.0.0.1:{place.b}"}


def _haproxy(place: Place) -> dict[str, str]:
    pem = place.folder / "both.pem"
    pem.write_text(CERTIFICATE.read_text() + KEY.read_text())
    return {
        "bind :80\n": f"bind 127.0.0.1:{place.http}\n",
        "bind :443 ssl": f"bind 127.0.0.1:{place.https} ssl",
        "/etc/haproxy/games.example.org.pem": str(pem),
        # A busy machine delays checks by more than the two seconds after which a node counts as down.
        "timeout connect 5s\n": "timeout connect 5s\n    timeout check 1h\n",
        **_both(place),
    }


def _nginx(place: Place) -> dict[str, str]:
    return {
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl;\n": "",
        "listen 80;": f"listen 127.0.0.1:{place.http};",
        "listen 443 ssl;": f"listen 127.0.0.1:{place.https} ssl;",
        "/etc/nginx/games.example.org.pem": str(CERTIFICATE),
        "/etc/nginx/games.example.org.key": str(KEY),
        "server_name games.example.org;": "server_name localhost;",
        **_both(place),
    }


def _caddy(place: Place) -> dict[str, str]:
    return {
        "admin localhost:2019": "admin off",
        "http_port 80": f"http_port {place.http}\n\tdefault_bind 127.0.0.1",
        "https_port 443": f"https_port {place.https}",
        "{$PARLOUR_HOST:games.example.org} {": f"localhost {{\n\ttls {CERTIFICATE} {KEY}",
        **_both(place),
    }


KINDS: Mapping[str, _Kind] = {
    "haproxy": _Kind(
        "haproxy.cfg",
        _haproxy,
        lambda file: (str(program("haproxy")), "-db", "-f", str(file)),
        r"(timeout \S+ +)(\d+)([sh])",
    ),
    "nginx": _Kind(
        "nginx.conf",
        _nginx,
        lambda file: (str(program("nginx")), "-p", str(file.parent), "-c", str(file), "-e", "stderr"),
        r"(_timeout +)(\d+)([sh])",
        ROOT + "\ndaemon off;\npid nginx.pid;\nevents {}\nhttp {\naccess_log off;\nFILE\n}\n",
    ),
    "caddy": _Kind(
        "Caddyfile",
        _caddy,
        lambda file: (str(program("caddy")), "run", "--config", str(file), "--adapter", "caddyfile"),
        r"(_timeout +)(\d+)([sh])",
    ),
}
