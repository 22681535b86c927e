"""What two readings of the clocks and counters come to."""

import os

import attrs

from parlour_bots.load.measuring import Reading, reading, report
from parlour_bots.load.process import Used, used
from parlour_bots.load.traffic import Pattern, Tally

PATTERN = Pattern("uno", {"pause": 0}, 4, 0.0, None, "parlour.v1.json")
BEGAN = Reading(10.0, 1_000, 100, Used(1.0, 2_048, 4_096), Used(5.0, 1, 1))
ENDED = Reading(12.0, 3_001_000, 500_100, Used(1.5, 3_072, 5_120), Used(6.0, 1, 1))
TALLY = Tally(latencies=[0.001 * each for each in range(1, 101)])


def test_figures() -> None:
    data = report(PATTERN, 7, TALLY, BEGAN, ENDED).data
    assert (data["moves"], data["moves_per_second"], data["seconds"], data["rooms"]) == (100, 50.0, 2.0, 7)
    assert data["latency_ms"] == {"p50": 51.0, "p99": 100.0, "max": 100.0}
    assert (data["bytes_in"], data["bytes_out"]) == (3_000_000, 500_000)
    server = {"cpu": 0.25, "cpu_us_per_move": 5000.0, "moves_per_cpu_second": 200.0}
    assert data["server"] == {**server, "memory_kib": 3_072, "peak_kib": 5_120}
    assert data["own_cpu"] == 0.5
    assert "options" not in data


def test_words() -> None:
    told = report(PATTERN, 7, TALLY, BEGAN, ENDED)
    assert "100 moves in 2.0 s at 7 tables of 4: 50.0 a second" in told.text
    assert "ms from due to shown: p50 51.0, p99 100.0, max 100.0" in told.text
    assert "server: 25% of a core, 5000.0 µs a move, 200.0 moves a CPU second; 3 MiB" in told.text
    assert "used" not in told.text
    assert told.sound


def test_bots_that_are_the_bottleneck_lost_connections_and_refusals_are_told() -> None:
    tally = attrs.evolve(TALLY, lost=1)
    tally.errors["busy"] += 2
    told = report(PATTERN, 7, tally, BEGAN, attrs.evolve(ENDED, own=Used(6.9, 1, 1)))
    assert "these bots used 95% of a core" in told.text
    assert "refused, busy: 2" in told.text
    assert "1 connections were lost" in told.text
    assert not told.sound


def test_nothing_played_on_an_unknown_machine() -> None:
    told = report(PATTERN, 1, Tally(), attrs.evolve(BEGAN, server=None), attrs.evolve(ENDED, server=None))
    assert told.data["latency_ms"] == {}
    assert told.data["server"] is None
    assert "server" not in told.text


def test_a_process_is_measured_where_that_can_be_done() -> None:
    own = used(os.getpid())
    assert own is None or (own.cpu > 0 and own.peak >= own.memory > 1_000)
    assert used(None) is None
    assert used(2**22 + 1) is None
    assert reading([], None).server is None
