"""Read a game file as one viewer saw the match, and verify it.

Both run in a subprocess. The reader's subprocess replays the match in the server's room and prints the protocol
messages that the viewer received, with a ``ReplayStep`` before those of each act.
"""

import asyncio
import json
import subprocess
from pathlib import Path

import attrs

from parlour_client.core.errors import OK, Fault, Usage, WrongProtocol
from parlour_protocol.codec import CODECS, FROM_SERVER
from parlour_protocol.errors import Refusal
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Plain, ServerMessage
from parlour_protocol.version import JSON
from parlour_protocol.wire import server_message

_REPLAYER = "parlour_server.game_files.replay"
_VERIFIER = ("parlour_client.cli.main", "verify", "--json")
_REVIEWER = ("parlour_client.cli.main", "review", "--json")
_USAGE = 2


@attrs.frozen
class ReplayStep:
    """Act ``n`` of the match, from 1; its messages begin at index ``start``.

    A time-out is also an act. ``at`` is room time in ms, ``why`` the note that the player left with it,
    ``act`` what the viewer itself did.
    """

    n: int
    seat: int
    rid: int
    at: int
    start: int
    why: str | None = None
    act: Plain | None = None


@attrs.frozen
class ShownVerdict:
    """The result of verifying a game file: one line of ``text``, and the facts that are ``proved``."""

    ok: bool
    text: str
    proved: tuple[str, ...] = ()


@attrs.frozen
class Replay:
    """A match as one viewer saw it, from ``joined`` to ``over``, or to ``left`` for a seat that was given up."""

    messages: list[ServerMessage]
    steps: list[ReplayStep]

    def after(self, acts: int) -> int:
        """Return the number of messages up to and including act number ``acts``."""
        return self.steps[acts].start if acts < len(self.steps) else len(self.messages)


def read(path: Path, viewer: int | str | None = None) -> Replay:
    """Return the match in a game file as ``viewer`` (a seat or a name; None: a spectator) saw it.

    Raises Fault for an invalid file, and Usage for one that cannot be read and for an unknown viewer.
    """
    whose = [] if viewer is None else ["--as", str(viewer)]
    command = module_command(_REPLAYER, str(path), *whose)
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != OK:
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise (Usage if done.returncode == _USAGE else Fault)(reason or f"{path} cannot be replayed")
    return _parse(done.stdout.decode().splitlines())


async def verdict(path: Path) -> ShownVerdict:
    """Verify a game file in a subprocess, which is killed if the task is cancelled."""
    _, out, _ = await _run(*_VERIFIER, str(path))
    try:
        found = json.loads(out)
        wrong = None if found["ok"] else f"line {found['line']}: {found['wrong']}"
        return ShownVerdict(found["ok"], wrong or "every deal, act and result is right", tuple(found["proved"]))
    except (ValueError, LookupError, TypeError):
        return ShownVerdict(False, "the verification itself failed; see: parlour verify")


async def review(path: Path, viewer: int | None) -> list[Plain]:
    """Return the players in the JSON of ``parlour review``: ``viewer``, or all whom it reviews.

    Raises Fault. The subprocess is killed if the task is cancelled.
    """
    whose = [] if viewer is None else ["--as", str(viewer)]
    code, out, why = await _run(*_REVIEWER, str(path), *whose)
    if code != OK:
        raise Fault(why.strip().rpartition("\n")[2].removeprefix("parlour: "))
    players: list[Plain] = json.loads(out)["players"]
    return players


async def _run(*module: str) -> tuple[int, str, str]:
    """Run a module in a subprocess; return its exit code and what it printed on stdout and stderr."""
    child = await asyncio.create_subprocess_exec(
        *module_command(*module), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        out, why = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()  # drains its output, so that no pipe stays open
    return child.returncode or OK, out.decode(errors="replace"), why.decode(errors="replace")


def _parse(lines: list[str]) -> Replay:
    messages: list[ServerMessage] = []
    steps: list[ReplayStep] = []
    for line in lines:
        try:
            data = CODECS[JSON].decode(line, FROM_SERVER)
            message = server_message(data)
        except Refusal as refusal:
            raise WrongProtocol(f"invalid replay: {refusal.msg}") from None
        if message is not None:
            messages.append(message)
        elif data["t"] == "step":
            found = data["n"], data["seat"], data["rid"], data["at"], len(messages), data.get("why"), data.get("act")
            steps.append(ReplayStep(*found))
    return Replay(messages, steps)
