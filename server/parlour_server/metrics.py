"""Metrics in Prometheus' text format; ``docs/metrics.md`` says what each number means.

Events are counted when they happen, gauges when the metrics are read. No label holds text of a client: labels are
words of the protocol or of the server, or names of installed games. So there are at most a few hundred lines, and none
of them reveals who plays or with which cards.
"""

import gc
import os
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import thread_time

import attrs

from parlour_protocol.messages import Error, ServerMessage
from parlour_protocol.wire import CLIENT_MESSAGES

UNREADABLE = "unreadable"
"""The type of frames that are not maps."""
UNKNOWN = "unknown"
"""The type of all messages that the protocol does not know."""
BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)
"""Upper bounds of the commit histogram, in seconds."""

PROCESS = Path("/proc/self")
"""Linux' statistics of this process."""

Values = Mapping[tuple[str, ...], float]
"""Label values → number."""


@attrs.frozen(eq=False)
class Family:
    """One metric under all its labels."""

    name: str
    kind: str
    help: str
    labels: tuple[str, ...] = ()

    def lines(self, values: Values) -> Iterator[str]:
        """Yield its lines. A metric without labels has a line even if nothing has been counted."""
        yield from self.head()
        for found in sorted(values) if self.labels else [()]:
            yield _line(self.name, dict(zip(self.labels, found, strict=True)), values.get(found, 0))

    def head(self) -> Iterator[str]:
        """Yield the lines of help and type."""
        yield f"# HELP {self.name} {self.help}"
        yield f"# TYPE {self.name} {self.kind}"


RECEIVED = Family("parlour_received_total", "counter", "Frames received, by the type of their message", ("type",))
SENT = Family("parlour_sent_total", "counter", "Messages sent, by type", ("type",))
REFUSALS = Family("parlour_refusals_total", "counter", "Errors sent, by code", ("code",))
CUT = Family("parlour_outbox_cut_total", "counter", "Connections cut for not reading, or for a flood", ("why",))
ORIGINS = Family("parlour_origins_refused_total", "counter", "Pages refused because of their origin")
MATCHES = Family("parlour_matches_total", "counter", "Matches played to their end and stored", ("game",))
FAULTS = Family("parlour_faults_total", "counter", "Faults of the server's own, by where they came up", ("where",))
WEBHOOKS = Family(
    "parlour_webhooks_total", "counter", "Webhooks to call, by what came of it; dropped: too many", ("result",)
)
RESTARTS = Family(
    "parlour_restarts_total",
    "counter",
    "Processes beside the server that ended by themselves, by what they do",
    ("what",),
)
HELD = Family(
    "parlour_addresses_held_seconds_total",
    "counter",
    "Time for which addresses that had used up their budgets were held",
)
ROWS = Family("parlour_rows_total", "counter", "Rows committed")
COMMITS = Family("parlour_commit_seconds", "histogram", "Time of a commit, in which rows of many rooms gather")
CONNECTIONS = Family("parlour_connections", "gauge", "Open sockets")
CLIENTS = Family("parlour_clients", "gauge", "Identities connected, by kind; house: a bot of this server", ("kind",))
ROOMS = Family("parlour_rooms", "gauge", "Loaded rooms, by game and state", ("game", "state"))
DORMANT = Family("parlour_rooms_dormant", "gauge", "Open rooms that are stored and not loaded")
IDENTITIES = Family("parlour_identities", "gauge", "Identities in the memory of the server, connected or not")
UNPLAYED = Family("parlour_identities_unplayed", "gauge", "Identities that have never finished a match")
NEW_NAMES = Family(
    "parlour_new_names_total", "counter", "New names: guest or key; refused: too many from one address", ("kind",)
)
COLLECTIONS = Family("python_gc_collections_total", "counter", "Garbage collections, by generation", ("generation",))
PAUSE = Family(
    "python_gc_pause_max_seconds", "gauge", "CPU time of the longest garbage collection, in which all else waits"
)
MEMORY = Family("process_resident_memory_bytes", "gauge", "Memory in use")
CPU = Family("process_cpu_seconds_total", "counter", "CPU time used, all threads together")
FILES = Family("process_open_fds", "gauge", "Open file descriptors")
STARTED = Family("process_start_time_seconds", "gauge", "When the server started, in seconds since 1970")


@attrs.frozen
class Presence:
    """The people, bots and rooms on a server at one moment."""

    connections: int
    clients: Mapping[str, int]
    """Connected identities by kind."""
    rooms: Mapping[tuple[str, ...], int]
    """Loaded rooms by game and state."""
    dormant: int
    identities: int
    unplayed: int
    """Identities that have never finished a match."""
    new_names: Mapping[str, int]
    """New names so far, by kind."""

    def values(self) -> dict[Family, Values]:
        """Return the gauges."""
        return {
            CONNECTIONS: {(): self.connections},
            CLIENTS: {(kind,): count for kind, count in self.clients.items()},
            ROOMS: self.rooms,
            DORMANT: {(): self.dormant},
            IDENTITIES: {(): self.identities},
            UNPLAYED: {(): self.unplayed},
            NEW_NAMES: {(kind,): count for kind, count in self.new_names.items()},
        }


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._counts: dict[Family, defaultdict[tuple[str, ...], float]] = {
            family: defaultdict(float)
            for family in (RECEIVED, REFUSALS, CUT, ORIGINS, MATCHES, FAULTS, WEBHOOKS, RESTARTS, HELD, ROWS)
        }
        self.down: set[str] = set()
        """The processes beside the server that have ended by themselves and do not run again yet, by what they do."""
        self._received = self._counts[RECEIVED]
        self._sent: defaultdict[type[ServerMessage], int] = defaultdict(int)
        self._commits = [0] * (len(BUCKETS) + 1)
        self._commit_seconds = 0.0
        self._started = time.time()
        self._pause = self._collecting_since = 0.0

    def received(self, kind: object) -> None:
        """Count a received message of type ``kind``, which can be any value."""
        self._received[(kind if type(kind) is str and kind in CLIENT_MESSAGES else UNKNOWN,)] += 1

    def unreadable(self) -> None:
        """Count a received frame that is not a map."""
        self._received[(UNREADABLE,)] += 1

    def sent(self, message: ServerMessage, times: int) -> None:
        """Count a message sent to ``times`` connections."""
        self._sent[type(message)] += times
        if type(message) is Error:
            self._counts[REFUSALS][(message.code,)] += times

    def cut(self, why: str) -> None:
        """Count a connection that was cut; ``why`` is a fixed word."""
        self._counts[CUT][(why,)] += 1

    def refused_origin(self) -> None:
        """Count a page that may not connect."""
        self._counts[ORIGINS][()] += 1

    def finished(self, game: str) -> None:
        """Count a stored match."""
        self._counts[MATCHES][(game,)] += 1

    def fault(self, where: str) -> None:
        """Count a fault of the server; ``where`` is a fixed word."""
        self._counts[FAULTS][(where,)] += 1

    def ended(self, what: str) -> None:
        """Count a process beside the server that has ended by itself; ``what`` it does is a fixed word."""
        self._counts[RESTARTS][(what,)] += 1
        self.down.add(what)

    def runs(self, what: str) -> None:
        """Note that the process runs, for the first time or again."""
        self.down.discard(what)

    def webhook(self, result: str) -> None:
        """Count a webhook that was to be called; ``result`` is a fixed word."""
        self._counts[WEBHOOKS][(result,)] += 1

    def held(self, seconds: float) -> None:
        """Count the wait of an address that has used up its budget."""
        self._counts[HELD][()] += seconds

    def committed(self, rows: int, seconds: float) -> None:
        """Count a commit."""
        self._counts[ROWS][()] += rows
        self._commits[bisect_left(BUCKETS, seconds)] += 1
        self._commit_seconds += seconds

    def collecting(self, phase: str, info: Mapping[str, int]) -> None:
        """Measure a garbage collection: one of Python's ``gc.callbacks``."""
        now = thread_time()  # CPU time, so that waiting for a core does not count
        if phase == "start":
            self._collecting_since = now
        elif self._collecting_since:
            self._pause = max(self._pause, now - self._collecting_since)

    def text(self, presence: Presence) -> str:
        """Return all metrics in Prometheus' text format."""
        lines: list[str] = []
        sent: dict[Family, Values] = {SENT: {(kind.t,): count for kind, count in self._sent.items()}}
        for family, values in {**self._counts, **sent, **presence.values(), **self._process()}.items():
            lines += family.lines(values)
        lines += self._histogram()
        return "\n".join([*lines, ""])

    def _histogram(self) -> Iterator[str]:
        yield from COMMITS.head()
        total = 0
        for limit, commits in zip((*BUCKETS, float("inf")), self._commits, strict=True):
            total += commits
            name = "+Inf" if limit == float("inf") else str(limit)
            yield _line(f"{COMMITS.name}_bucket", {"le": name}, total)
        yield _line(f"{COMMITS.name}_sum", {}, self._commit_seconds)
        yield _line(f"{COMMITS.name}_count", {}, total)

    def _process(self) -> dict[Family, Values]:
        return {PAUSE: {(): self._pause}, STARTED: {(): self._started}, **_process()}


def _process() -> dict[Family, Values]:
    """Return what this process uses, as far as the system reports it."""
    collected: Values = {(str(number),): each["collections"] for number, each in enumerate(gc.get_stats())}
    found: dict[Family, Values] = {COLLECTIONS: collected, CPU: {(): time.process_time()}}
    with suppress(OSError):
        pages = int((PROCESS / "statm").read_text(encoding="ascii").split()[1])
        files = (PROCESS / "fd").stat().st_size or len(os.listdir(PROCESS / "fd"))  # Linux < 6.2 reports no size
        found |= {MEMORY: {(): pages * os.sysconf("SC_PAGE_SIZE")}, FILES: {(): files}}
    return found


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    text = ",".join(f'{label}="{found}"' for label, found in labels.items())
    return f"{name}{{{text}}} {float(value)}" if text else f"{name} {float(value)}"
