"""Metrics: what is counted."""

from parlour_protocol.messages import Error, Pong
from parlour_server.metrics import Metrics


def lines(metrics: Metrics) -> list[str]:
    return [line for line in metrics.text().decode().splitlines() if not line.startswith("#")]


def test_messages_are_counted_by_type_and_receivers() -> None:
    metrics = Metrics()
    for _ in range(3):
        metrics.received()
    metrics.sent(Pong(), 1)
    metrics.sent(Pong(), 4)
    metrics.sent(Error("busy", "m", "h"), 1)
    found = lines(metrics)
    assert "parlour_received_total 3.0" in found
    assert 'parlour_sent_total{type="pong"} 5.0' in found
    assert 'parlour_sent_total{type="error"} 1.0' in found
    assert 'parlour_refusals_total{code="busy"} 1.0' in found


def test_commits_are_counted_with_their_rows_and_time() -> None:
    metrics = Metrics()
    metrics.committed(10, 0.003)
    metrics.committed(5, 0.7)
    found = lines(metrics)
    assert "parlour_rows_total 15.0" in found
    assert "parlour_commit_seconds_count 2.0" in found
    assert 'parlour_commit_seconds_bucket{le="0.005"} 1.0' in found
    assert 'parlour_commit_seconds_bucket{le="+Inf"} 2.0' in found


def test_servers_in_one_process_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.received()
    assert "parlour_received_total 0.0" in lines(other)


def test_every_metric_is_explained() -> None:
    text = Metrics().text().decode().splitlines()
    named = {line.split()[2].removesuffix("_created") for line in text if line.startswith("# TYPE")}
    helped = {
        line.split()[2].removesuffix("_created") for line in text if line.startswith("# HELP") and line.split()[3:]
    }
    assert named == helped
    assert all(name.startswith("parlour_") for name in named)
