"""Metrics: what is counted, in a form that Prometheus reads, and that tells nothing of anybody."""

import random
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.local_server import house_bot, new_server, playing
from tests.server.rooms.fuzzing import junk

from parlour_games.registry import games
from parlour_protocol.errors import CODES
from parlour_protocol.messages import Create, Error, Pong
from parlour_protocol.wire import CLIENT_MESSAGES, SERVER_MESSAGES
from parlour_server import metrics as module
from parlour_server.local import Local
from parlour_server.metrics import Metrics
from parlour_server.node.node import presence

DOCUMENT = Path(__file__).parents[2] / "docs" / "metrics.md"
FAMILIES = [each for each in vars(module).values() if isinstance(each, module.Family)]


def text(metrics: Metrics, local: Local | None = None) -> str:
    return metrics.text(presence((local or new_server()).lobby))


def lines(metrics: Metrics, local: Local | None = None) -> list[str]:
    return [line for line in text(metrics, local).splitlines() if not line.startswith("#")]


def test_what_happens_is_counted_by_each_server_for_itself() -> None:
    metrics = Metrics()
    kinds: list[object] = ["act", "act", "ping", "turn", 7, [], None]
    for kind in kinds:
        metrics.received(kind)
    metrics.unreadable()
    metrics.sent(Pong(), 1)
    metrics.sent(Pong(), 4)
    metrics.sent(Error("busy", "m", "h"), 1)
    for rows, seconds in ((10, 0.003), (5, 0.7), (1, 0.005), (1, 9.0)):
        metrics.committed(rows, seconds)
    metrics.cut("stall")
    metrics.finished("uno")
    metrics.fault("room")
    metrics.held(0.25)
    metrics.held(0.5)
    counted = {
        'parlour_received_total{type="act"} 2.0',
        'parlour_received_total{type="ping"} 1.0',
        'parlour_received_total{type="unknown"} 4.0',
        'parlour_received_total{type="unreadable"} 1.0',
        'parlour_sent_total{type="pong"} 5.0',
        'parlour_sent_total{type="error"} 1.0',
        'parlour_refusals_total{code="busy"} 1.0',
        "parlour_rows_total 17.0",
        "parlour_commit_seconds_count 4.0",
        "parlour_commit_seconds_sum 9.708",
        'parlour_commit_seconds_bucket{le="0.002"} 0.0',
        'parlour_commit_seconds_bucket{le="0.005"} 2.0',
        'parlour_commit_seconds_bucket{le="2.0"} 3.0',
        'parlour_commit_seconds_bucket{le="+Inf"} 4.0',
        "parlour_addresses_held_seconds_total 0.75",
        'parlour_outbox_cut_total{why="stall"} 1.0',
        'parlour_matches_total{game="uno"} 1.0',
        'parlour_faults_total{where="room"} 1.0',
    }
    assert counted - set(lines(metrics)) == set()
    assert counted & set(lines(Metrics())) == {'parlour_commit_seconds_bucket{le="0.002"} 0.0'}


def test_who_and_what_is_there() -> None:
    local = new_server()
    house_bot(local)
    robo = local.connect("robo", "bot")
    playing("uno", 2, local=local)
    robo.send(Create("fake"))
    local.open("nobody yet")
    assert {
        'parlour_clients{kind="house"} 1.0',
        'parlour_clients{kind="bot"} 1.0',
        'parlour_clients{kind="human"} 2.0',
        "parlour_identities 4.0",
        'parlour_rooms{game="uno",state="playing"} 1.0',
        'parlour_rooms{game="fake",state="waiting"} 1.0',
        "parlour_rooms_dormant 0.0",
    } <= set(lines(Metrics(), local))
    local.lobby.rooms.discard(next(iter(local.lobby.rooms.loaded)))
    assert "parlour_rooms_dormant 1.0" in lines(Metrics(), local)


def test_what_the_process_uses() -> None:
    found = {line.split()[0]: float(line.split()[1]) for line in lines(Metrics())}
    assert found["process_resident_memory_bytes"] > 1e6
    assert found["process_open_fds"] >= 3
    assert found["process_cpu_seconds_total"] > 0
    assert found['python_gc_collections_total{generation="0"}'] > 0


def test_the_longest_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.5, 1.0, 1.25, 2.0, 2.125])
    monkeypatch.setattr(module, "thread_time", lambda: next(moments))
    metrics = Metrics()
    metrics.collecting("stop", {})  # it had begun before anybody watched
    assert "python_gc_pause_max_seconds 0.0" in lines(metrics)
    for phase in ("start", "stop", "start", "stop"):
        metrics.collecting(phase, {"generation": 2})
    assert "python_gc_pause_max_seconds 0.25" in lines(metrics)


def test_where_the_system_tells_nothing_of_a_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "PROCESS", tmp_path)
    told = text(Metrics())
    assert "process_resident_memory_bytes" not in told
    assert "process_cpu_seconds_total" in told


def test_prometheus_reads_it() -> None:
    metrics = Metrics()
    metrics.received("act")
    metrics.committed(1, 0.1)
    read = {family.name: family for family in text_string_to_metric_families(text(metrics))}
    assert {family.name.removesuffix("_total") for family in FAMILIES} == set(read)
    for family in FAMILIES:
        found = read[family.name.removesuffix("_total")]
        assert (found.type, found.documentation) == (family.kind, family.help)


def test_whatever_comes_in_the_labels_are_words_of_ours(seed: int) -> None:
    rng, metrics, at = random.Random(seed), Metrics(), playing("uno", 3)
    for _ in range(2_000):
        metrics.received(junk(rng))
    for code in CODES:
        metrics.sent(Error(code, "m", "h"), 1)
    told = text(metrics, at.server)
    known = {
        "type": {*CLIENT_MESSAGES, *SERVER_MESSAGES, "unknown", "unreadable"},
        "code": set(CODES),
        "game": {*games(), *at.server.lobby.games},
        "state": {"waiting", "playing", "pause", "finished", "closed"},
        "kind": {"human", "bot", "house", "guest", "key", "refused"},
        "generation": {"0", "1", "2"},
    }
    families = text_string_to_metric_families(told)
    found = [each for family in families for sample in family.samples for each in sample.labels.items()]
    assert len(found) > len(CODES)
    for label, value in found:
        assert label == "le" or value in known[label]
    assert len(told.splitlines()) < 300
    for secret in (at.code, at.match.begun.secret, *(peer.name for peer in at), *(peer.token or "?" for peer in at)):
        assert secret not in told


def test_every_metric_is_explained_where_a_host_looks() -> None:
    document = DOCUMENT.read_text()
    rows = {line.split("`")[1]: line for line in document.splitlines() if line.startswith("| `")}
    assert {name.partition("{")[0] for name in rows} == {family.name for family in FAMILIES}
    for family in FAMILIES:
        [row] = [row for name, row in rows.items() if name.partition("{")[0] == family.name]
        assert all(f"`{family.name}" in row and label in row for label in family.labels)
