"""What a host can watch: Prometheus metrics, cheap to count and cheap to collect."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from parlour_protocol.messages import Error, ServerMessage

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.connections = Gauge("parlour_connections", "Open sockets", registry=self._registry)
        self.rooms = Gauge("parlour_rooms", "Loaded rooms", registry=self._registry)
        self.cut = Counter(
            "parlour_outbox_cut", "Connections cut for not reading, or a flood", ["why"], registry=self._registry
        )
        self._received = Counter("parlour_received", "Frames received", registry=self._registry)
        self._sent = Counter("parlour_sent", "Messages sent, by type", ["type"], registry=self._registry)
        self._refusals = Counter("parlour_refusals", "Requests refused, by code", ["code"], registry=self._registry)
        self._rows = Counter("parlour_rows", "Rows committed", registry=self._registry)
        self._commits = Histogram(
            "parlour_commit_seconds", "Time of a commit", buckets=_SECONDS, registry=self._registry
        )
        self._of_type: dict[str, Counter] = {}

    def received(self) -> None:
        """A frame has come in."""
        self._received.inc()

    def sent(self, message: ServerMessage, times: int) -> None:
        """A message has been sent to so many connections."""
        counter = self._of_type.get(message.t)
        if counter is None:
            counter = self._of_type[message.t] = self._sent.labels(message.t)
        counter.inc(times)
        if isinstance(message, Error):
            self._refusals.labels(message.code).inc()

    def committed(self, rows: int, seconds: float) -> None:
        """A group of rows is on disk."""
        self._rows.inc(rows)
        self._commits.observe(seconds)

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self._registry)
