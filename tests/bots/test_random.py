from collections import Counter

from tests.bots.programs import turn

from parlour_bots.profiles import play_at_random
from parlour_bots.sdk import Action

LEGAL: list[Action] = [{"do": "play", "card": 3}, {"do": "play", "card": 7}, {"do": "draw"}]


def test_every_legal_action_comes_about_equally_often_and_the_same_under_the_same_seed() -> None:
    first, second = ([str(play_at_random(turn(seed, legal=LEGAL))) for seed in range(3000)] for _ in range(2))
    assert first == second
    count = Counter(first)
    assert sorted(count) == sorted(map(str, LEGAL))
    assert all(900 < times < 1100 for times in count.values())
