"""RLlib with the environments: what docs/train-a-bot.md says of it, tried with the real library."""

from typing import Any

import pytest

# Imported where it is used: RLlib warns of its own future as it is imported.
pytestmark = [pytest.mark.rllib, pytest.mark.filterwarnings("ignore")]
EPISODES = 5


def wrapped(env: Any) -> Any:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

    return PettingZooEnv(env)


def uno() -> Any:
    from parlour_bots.rl import GameEnv

    return GameEnv("uno")


def played(env: Any, seed: int, *, masked: bool) -> dict[str, float]:
    """Return the rewards of an episode of random actions; ``masked``: only of those that the mask allows."""
    observed, _ = env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in rewards:
        env.get_action_space(agent).seed(seed)
    over = False
    while not over:
        [(agent, seen)] = observed.items()
        space = env.get_action_space(agent)
        action = space.sample(seen["action_mask"]) if masked else space.sample()
        observed, earned, terminated, truncated, _ = env.step({agent: action})
        rewards |= {each: rewards[each] + reward for each, reward in earned.items()}
        over = terminated["__all__"] or truncated["__all__"]
    return rewards


def test_sampling_without_the_mask_is_refused_without_the_wrapper() -> None:
    with pytest.raises(ValueError, match="cannot choose"):
        played(wrapped(uno()), 1, masked=False)


def test_an_illegal_sample_ends_the_episode_with_a_penalty() -> None:
    from pettingzoo.utils.wrappers import TerminateIllegalWrapper

    rewards = [
        played(wrapped(TerminateIllegalWrapper(uno(), illegal_reward=-1)), seed, masked=False)
        for seed in range(EPISODES)
    ]
    assert all(min(each.values()) == -1 for each in rewards)


def test_a_masked_sample_plays_a_round_to_its_end() -> None:
    rewards = [sorted(played(wrapped(uno()), seed, masked=True).values()) for seed in range(EPISODES)]
    assert rewards == [[-1.0, 1.0]] * EPISODES
