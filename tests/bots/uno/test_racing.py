from collections.abc import Callable
from random import Random
from statistics import median

from parlour_bots.uno.search import BATCH, race


def noisy(means: list[float], seed: int, shared: float = 1.0) -> tuple[Callable[[list[int]], list[float]], list[int]]:
    """Return a trial whose answers have these means, and how often each has been tried."""
    rng, tried = Random(seed), [0] * len(means)

    def trial(alive: list[int]) -> list[float]:
        luck = rng.gauss(0, shared)
        for answer in alive:
            tried[answer] += 1
        return [means[answer] + luck + rng.gauss(0, 0.3) for answer in alive]

    return trial, tried


def test_the_best_wins_and_the_clearly_worse_get_few_worlds() -> None:
    trial, tried = noisy([0.1, 0.5, 0.45, -0.6], 1)
    found = race(4, trial, 4_000)
    assert found.best == 1
    assert tried[3] == BATCH
    assert tried[1] == found.worlds == max(tried)
    assert not found.capped


def test_the_best_is_hardly_ever_dropped() -> None:
    wrong = sum(race(3, noisy([0.5, 0.4, 0.38], seed)[0], 2_000).best != 0 for seed in range(100))
    assert wrong <= 3


def test_equals_end_early_and_the_first_is_taken() -> None:
    found = race(3, lambda alive: [0.5] * len(alive), 1_000)
    assert (found.best, found.worlds, found.means) == (0, BATCH, (0.5, 0.5, 0.5))


def test_never_more_worlds_than_allowed() -> None:
    trial, tried = noisy([0.5, 0.499], 1)
    assert race(2, trial, 100).worlds == tried[0] == tried[1] == 100


def test_the_more_worlds_the_less_behind_is_enough() -> None:
    found = [race(2, noisy([0.5, 0.45], seed)[0], 4_000) for seed in range(40)]
    assert median(each.worlds for each in found) < 450
    assert sum(each.best == 0 for each in found) >= 38


def test_broken_off_after_the_batch_in_which_time_runs_out() -> None:
    asked = iter([False, False, True])
    found = race(2, noisy([0.5, 0.499], 1)[0], 10_000, lambda: next(asked))
    assert (found.capped, found.worlds) == (True, 3 * BATCH)


def test_decided_in_time_is_not_capped() -> None:
    found = race(2, noisy([0.9, 0.0], 1)[0], 10_000, lambda: True)
    assert (found.best, found.capped) == (0, False)
