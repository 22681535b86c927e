"""Checks of this machine, as a player and as a host need it, and their findings.

The server's own checks and a server to try out are passed in, because the client imports neither server nor bots.
"""

import asyncio
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

import attrs
from platformdirs import user_data_path

from parlour_client.core.errors import Fault, Usage
from parlour_client.core.printing import clean, marked_for
from parlour_client.core.queries import lobby
from parlour_client.core.terminal import colours
from parlour_client.storage import history, settings
from parlour_client.text.base import Lines
from parlour_client.text.text_view import Sentences
from parlour_games.plural import counted
from parlour_games.registry import broken_games, entries, games
from parlour_protocol.installation import install_hint

Status: TypeAlias = Literal["ok", "warn", "fail"]
_LONGEST = 600
_COLOURS: dict[Status, str] = {"ok": "32", "warn": "33", "fail": "1;31"}
_WIDEST = 10


@attrs.frozen
class Finding:
    """The result of one check. ``next`` is what to do about it, empty if nothing."""

    check: str
    status: Status
    says: str
    next: str = ""

    def line(self) -> str:
        """Return it as one line. The text is cleaned, because servers supply parts of it."""
        text = clean(f"{self.says}. {self.next}" if self.next else self.says, _LONGEST)
        return f"{self.status:<4}  {self.check:<{_WIDEST}}  {text}"


def report(findings: Iterable[Finding], *, quiet: bool = False) -> list[Finding]:
    """Print each finding when it arrives, unless ``quiet``, and return all of them."""
    reported = []
    for finding in findings:
        reported.append(finding)
        if not quiet:
            line = marked_for(sys.stdout, finding.line(), finding.status, _COLOURS[finding.status], _WIDEST + 8)
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    return reported


def summary(findings: Iterable[Finding]) -> str:
    """Return the closing line."""
    bad = [finding.status for finding in findings if finding.status != "ok"]
    if not bad:
        return "All checks passed."
    failed, warned = bad.count("fail"), bad.count("warn")
    counts = [*([f"{failed} failed"] if failed else []), *([counted(warned, "warning")] if warned else [])]
    return f"{', '.join(counts)}; all other checks passed."


SMALL, COMFORTABLE = (60, 20), (80, 24)
"""Columns and lines: the minimum for the screens, and the size from which nothing is cramped."""
_SHOWN = {
    "mono": "no colours (NO_COLOR)",
    "16": "few colours",
    "256": "256 colours, or all if the terminal says so",
    "truecolour": "all colours",
}
_BOTS = "parlour.bots"
"""The entry-point group of bots."""
_PLUGINS = {
    "bot": _BOTS,
    "widget of": "parlour.widgets",
    "lines of": "parlour.lines",
    "sentences of": "parlour.sentences",
}
"""Entry-point groups besides that of games, by what they hold."""
_FUNCTIONS = {
    group: [name for name in vars(protocol) if not name.startswith("_")]
    for group, protocol in (("parlour.lines", Lines), ("parlour.sentences", Sentences))
}
"""The functions of modules in an entry-point group."""
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time is wrong."""


def here() -> Iterator[Finding]:
    """Yield the findings of all checks."""
    yield python()
    yield terminal()
    yield clock(datetime.now(UTC))
    yield from plugins()
    yield places()


def python() -> Finding:
    """Check the interpreter: whether uvloop is missing where it could be used."""
    kind = platform.python_implementation()
    says = f"{kind} {platform.python_version()} on {platform.system()}, parlour {version('parlour')}"
    usual = sys.platform != "win32" and kind == "CPython"
    if usual and find_spec("uvloop") is None:
        return Finding(
            "python", "warn", f"{says}, without uvloop", f"It makes a server faster. {install_hint('uvloop')}"
        )
    return Finding("python", "ok", says)


def terminal() -> Finding:
    """Check the terminal's size, colours and encoding."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "") == "dumb":
        return Finding("terminal", "ok", "no terminal: games use the line mode")
    columns, lines = shutil.get_terminal_size()
    encoding = (sys.stdout.encoding or "unknown").upper()
    says = f"{columns}x{lines}, {_SHOWN[colours(os.environ)]}, {encoding}"
    if columns < SMALL[0] or lines < SMALL[1]:
        return Finding("terminal", "fail", says, f"Make the window at least {SMALL[0]}x{SMALL[1]}")
    if encoding.replace("-", "") != "UTF8":
        return Finding("terminal", "warn", says, "Set a UTF-8 locale (LANG=C.UTF-8), or play with PARLOUR_LOOK=ascii")
    if columns < COMFORTABLE[0] or lines < COMFORTABLE[1]:
        return Finding("terminal", "warn", says, f"{COMFORTABLE[0]}x{COMFORTABLE[1]} shows everything")
    return Finding("terminal", "ok", says)


def clock(now: datetime) -> Finding:
    """Check that the clock is not obviously wrong."""
    says = f"{now:%Y-%m-%d %H:%M} UTC"
    if now < WRITTEN:
        return Finding("clock", "fail", f"{says} is in the past", "Set the clock: certificate checks depend on it")
    return Finding("clock", "ok", says)


def places() -> Finding:
    """Say where the files of client and server are."""
    config, data = settings.file().parent, user_data_path("parlour", appauthor=False)
    return Finding(
        "folders", "ok", f"settings in {config}, own matches in {history.usual_folder()}, servers' stores in {data}"
    )


def plugins() -> Iterator[Finding]:
    """Check that the installed games, bots, and what shows games can be loaded."""
    broken = {f"game {name}": why for name, why in broken_games().items()}
    for kind, group in _PLUGINS.items():
        broken |= {f"{kind} {name}": why for name, why in _broken(group)}
    for name, why in broken.items():
        yield Finding("plug-ins", "warn", f"the {name} cannot be loaded: {why}", "Update or uninstall its package")
    if not broken:
        installed = f"{counted(len(games()), 'game')} and {counted(len(entries(_BOTS)[0]), 'bot')} can be loaded"
        yield Finding("plug-ins", "ok", installed)


def _broken(group: str) -> Iterator[tuple[str, str]]:
    """Yield the entry points of ``group`` that have no effect, and why."""
    found, taken = entries(group)
    yield from taken.items()
    for name, entry in found.items():
        try:
            brought = entry.load()
        except (Exception, SystemExit) as error:  # code of others may raise anything
            yield name, f"{type(error).__name__}: {error}"
            continue
        missing = [each for each in _FUNCTIONS.get(group, ()) if not callable(getattr(brought, each, None))]
        if missing:
            yield name, f"it does not have {', '.join(missing)}"


_MS = 1_000
Serving: TypeAlias = Callable[[], AbstractAsyncContextManager[Any]]


def hosting(checkup: Callable[[], Iterable[Any]], serving: Serving) -> Iterator[Finding]:
    """Yield the findings of the server's ``checkup``, then try a server that ``serving`` starts."""
    try:
        for row in checkup():
            yield Finding(*row)
    except ImportError as error:
        yield Finding("server", "fail", f"it cannot be loaded: {error}", "Install parlour again.")
        return
    except Usage as fault:
        yield Finding(
            "settings", "fail", f"invalid settings: {fault}", "Correct parlour.toml, or PARLOUR_… in the environment"
        )
        return
    yield asyncio.run(loopback(serving))


async def loopback(serving: Serving) -> Finding:
    """Start a server, list its rooms and stop it."""
    began = time.monotonic()
    try:
        async with serving() as server:
            up = time.monotonic()
            found = await lobby(server.url)
    except (Fault, OSError) as error:
        return Finding("loopback", "fail", f"a test server does not start: {error}", "Its log says why")
    if not found["rooms"]:
        return Finding("loopback", "fail", "a test server has no open room", "Please report this as a bug")
    said = time.monotonic() - up
    return Finding(
        "loopback", "ok", f"a test server started in {(up - began) * _MS:.0f} ms and answered in {said * _MS:.0f} ms"
    )
