"""Learn to play UNO against random players: python train.py [--rounds N] [--seed N] [--out FILE]. Needs the extra rl.

The agent is linear: the score of an action is a row of weights times the observation, and it plays an action with the
probability that softmax gives it. After each batch of rounds the weights move along the policy gradient (REINFORCE).
``trained.py`` plays with the file that this writes. Ctrl-C ends the training and keeps what has been learned.
"""

import argparse
import sys
from collections import deque
from pathlib import Path

import numpy as np

from parlour_bots.rl import GameEnv, UnoEncoding

BATCH = 50
"""Rounds between two steps of the weights."""
RATE = 0.02
"""The length of a step: about how far a weight moves."""
SHOWN = 20
"""Batches between two lines of progress."""


class Learner:
    """A linear policy, and the gradient of the rounds since its last step."""

    def __init__(self, encoding: UnoEncoding, rng: np.random.Generator) -> None:
        self.weights = np.zeros((encoding.actions, encoding.space.shape[0] + 1), np.float32)
        self.scale = np.append(1 / np.maximum(1, np.minimum(encoding.space.high, 20)), 1).astype(np.float32)
        self._rng = rng
        self._taken: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._gradient = np.zeros_like(self.weights)
        self._mean = np.zeros_like(self.weights)
        self._square = np.zeros_like(self.weights)
        self._steps = 0

    def choose(self, observation: np.ndarray, actions: list[int]) -> int:
        """Return one of the actions, and remember how likely each was."""
        seen = np.append(observation, 1) * self.scale
        scores = self.weights[actions] @ seen
        odds = np.exp(scores - scores.max())
        odds /= odds.sum()
        place = min(int(np.searchsorted(odds.cumsum(), self._rng.random())), len(actions) - 1)
        odds = -odds
        odds[place] += 1
        self._taken.append((np.array(actions), odds, seen))
        return actions[place]

    def end(self, advantage: float) -> None:
        """End a round: what was chosen becomes more likely after a good one, less likely after a bad one."""
        for actions, direction, seen in self._taken:
            self._gradient[actions] += np.outer(advantage * direction, seen)
        self._taken.clear()

    def step(self) -> None:
        """Move the weights along the gradient (Adam)."""
        self._steps += 1
        self._mean += 0.1 * (self._gradient - self._mean)
        self._square += 0.01 * (self._gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._steps)
        self.weights += RATE * mean / (np.sqrt(self._square / (1 - 0.99**self._steps)) + 1e-8)
        self._gradient[:] = 0

    def save(self, out: Path) -> None:
        """Write the weights to a file."""
        with out.open("wb") as file:
            np.savez(file, weights=self.weights * self.scale)


def play(env: GameEnv, learner: Learner, seat: int, rng: np.random.Generator) -> float:
    """Play a round against random players and return the reward of ``seat``."""
    env.reset()
    own, reward = env.possible_agents[seat], 0.0
    for agent in env.agent_iter():
        seen, total, terminated, truncated, _ = env.last(observe=agent == own)
        if agent == own:
            reward += total
        if terminated or truncated:
            env.step(None)
        elif agent == own:
            env.step(learner.choose(seen["observation"], env.choices))
        else:
            actions = env.choices
            env.step(actions[int(rng.random() * len(actions))])
    return reward


def train(rounds: int, seed: int, out: Path) -> None:
    """Train for ``rounds`` rounds, or until Ctrl-C, and write the weights."""
    rng = np.random.default_rng(seed)
    env = GameEnv("uno", 2)
    env.reset(seed=seed)
    learner = Learner(UnoEncoding(2), rng)
    lately: deque[float] = deque(maxlen=SHOWN * BATCH)
    try:
        for number in range(1, rounds + 1):
            reward = play(env, learner, number % 2, rng)
            learner.end(reward - (sum(lately) / len(lately) if lately else 0.0))
            lately.append(reward)
            if number % BATCH == 0:
                learner.step()
            if number % (SHOWN * BATCH) == 0 or number == rounds:
                won = sum(reward > 0 for reward in lately) / len(lately)
                sys.stderr.write(f"round {number:,} of {rounds:,}: {won:.1%} of the last {len(lately):,} won\n")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
    learner.save(out)
    sys.stderr.write(f"wrote {out}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Learn to play UNO against random players.")
    parser.add_argument("--rounds", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("uno.npz"))
    train(**vars(parser.parse_args()))
