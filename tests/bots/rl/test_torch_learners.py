"""Libraries on PyTorch with the environments: what docs/train-a-bot.md says of them, tried with the real libraries."""

import pytest

# Imported where they are used: some warn of their own future as they are imported.
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]


def test_masked_ppo_learns_from_a_seat() -> None:
    import gymnasium
    from sb3_contrib import MaskablePPO

    import parlour_bots.rl  # noqa: F401  registers the environment

    env = gymnasium.make("parlour/Uno-v1", seats=3)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, seed=1)
    assert model.learn(128).num_timesteps == 128


def test_tianshou_plays_a_round_to_its_end() -> None:
    from tianshou.env import PettingZooEnv

    from parlour_bots.rl import GameEnv

    env = PettingZooEnv(GameEnv("uno"))
    observed, _ = env.reset(seed=1)
    over = False
    while not over:
        observed, rewards, terminated, truncated, _ = env.step(list(observed["mask"]).index(True))
        over = terminated or truncated
    assert sorted(rewards) == [-1, 1]


def test_torchrl_rolls_out_masked_actions() -> None:
    from torchrl.envs import PettingZooWrapper

    from parlour_bots.rl import GameEnv

    frames = PettingZooWrapper(env=GameEnv("uno"), use_mask=True).rollout(20)
    assert frames.batch_size[0] == 20
