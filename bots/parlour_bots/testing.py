"""Conformance checks for tests of your own: ``check_bot`` and ``check_env``.

They check what commands, servers and training libraries rely on, and raise AssertionError with what is wrong. For the
rules of a game there is ``parlour_bots.laws``.
"""

import pickle
from collections.abc import Iterator
from itertools import count, zip_longest
from math import isfinite
from random import Random  # noqa: TID251  picks actions; never for the deal
from typing import Any, TypeAlias

import attrs

from parlour_bots.errors import Mistake, author_calls
from parlour_bots.loading import NoBot, require_made
from parlour_bots.play.runner import BotRunner, Hung
from parlour_bots.sdk import BotSource, BotSpec, bot_spec
from parlour_bots.tools.check import BUDGET, MATCHES, check
from parlour_bots.tools.guards import exits_raised
from parlour_bots.tools.reports import of_check
from parlour_client.core.errors import Usage
from parlour_protocol.messages import Plain

LONGEST = 50_000
"""The steps within which an episode has to end."""
_COPIED = 5
"""The step after which an environment is copied."""
_ROUNDING = 1e-6

Step: TypeAlias = tuple[Any, ...]
"""What an agent learns in a step, in a form that can be compared."""


def check_bot(
    bot: BotSource | BotSpec,
    game: str = "uno",
    *,
    options: Plain | None = None,
    matches: int = MATCHES,
    budget: int = BUDGET,
    seed: int = 0,
) -> None:
    """Check a bot as ``parlour bot check`` does: in short matches of ``game``, each played twice.

    It has to answer legally within ``budget`` milliseconds, raise nothing, play the same under the same seed, keep no
    data from match to match, start no process, and not end this one. ``bot`` is a function of a turn, a class or an
    object with ``play``, or a ``BotSpec``. ``options`` of the game replace those that its checks have.
    Raises AssertionError with the report and the first mistake, also for options that the game refuses.
    """
    found: list[Mistake] = []
    spec = bot if isinstance(bot, BotSpec) else bot_spec(bot, getattr(bot, "__name__", type(bot).__name__), game)
    runner = BotRunner(budget)
    try:
        with exits_raised(), runner.interrupts():
            require_made(spec)
            checked = check(spec, None, range(seed, seed + matches), found.append, runner, options=options)
    except NoBot as error:
        raise AssertionError(str(error)) from error.__cause__
    except Usage as error:
        raise AssertionError(str(error)) from None
    except SystemExit as error:
        raise AssertionError(f"{spec.name} tried to end the process{_at(error)}") from None
    except Hung as error:
        raise AssertionError(f"{spec.name} does not return{_at(error)}") from None
    if not checked.sound:
        raise AssertionError("\n".join([of_check(checked, spec.name).text, *map(str, found[:1])]))


def check_env(env: Any, *, episodes: int = 3, seed: int = 0) -> None:
    """Check an environment: one of ``parlour_bots.rl`` with your encoding or potential, or a wrapper around one.

    It checks what ``pettingzoo.test.api_test`` and ``gymnasium.utils.env_checker.check_env`` do not: observations are
    in their space and do not change later; the mask allows something, and what it allows can be done; rewards are
    finite; infos do not change their shape, unless ``views`` asks for more; the same seed gives the same episode; a
    pickled copy continues in the same way; episodes end within 50,000 steps, those of several agents with rewards that
    add up to 0 unless a ``potential`` shapes them.

    Raises AssertionError. It plays at random, and resets the environment.
    """
    play = _played if hasattr(env, "agent_iter") else _played_alone
    for series in range(seed, seed + episodes):
        kept: list[tuple[bytes, Any]] = []
        steps = [*play(env, series, 0, None, kept)]
        otherwise = f"the second episode with seed {series} differs from the first"
        _equal(steps, play(env, series), f"{otherwise}: take all chance from the seed of reset, and keep nothing")
        for copied, now in kept:
            otherwise = f"seed {series}: a pickled copy continues differently: keep the whole state in what is pickled"
            _equal(steps[_COPIED:], play(pickle.loads(copied), series, _COPIED, now), otherwise)


def _played(
    env: Any, seed: int, start: int = 0, now: Any = None, kept: list[tuple[bytes, Any]] | None = None
) -> Iterator[Step]:
    """Play an episode of several agents at random, from step ``start`` on; yield what they learn.

    ``kept`` takes a copy of the environment, and what a player knows, ``now``.
    """
    if not start:
        env.reset(seed=seed)
    learning, total, truncated = _Learning(env, seed), 0.0, False
    for at, agent in enumerate(env.agent_iter(), start):
        if kept is not None and at == _COPIED:
            kept.append((_pickled(env), None))
        seen, reward, terminated, truncated, info = env.last()
        total += reward
        yield agent, learning.step(at, env.observation_space(agent), seen, reward, info), reward, terminated, truncated
        if terminated or truncated:
            env.step(None)
        else:
            learning.act(at, env.action_space(agent), seen, info)
    if not start and not truncated and getattr(env.unwrapped, "potential", None) is None and abs(total) > _ROUNDING:
        raise AssertionError(f"the rewards of the episode with seed {seed} add up to {total}, not to 0")


def _played_alone(
    env: Any, seed: int, start: int = 0, now: Any = None, kept: list[tuple[bytes, Any]] | None = None
) -> Iterator[Step]:
    """Play an episode of one agent at random, as ``_played`` does."""
    learning = _Learning(env, seed)
    seen, info = now or env.reset(seed=seed)
    learning.step(start, env.observation_space, seen, 0.0, info)
    for at in count(start):
        seen, reward, terminated, truncated, info = learning.act(at, env.action_space, seen, info)
        yield learning.step(at + 1, env.observation_space, seen, reward, info), reward, terminated, truncated
        if terminated or truncated:
            return
        if kept is not None and at + 1 == _COPIED:
            kept.append((_pickled(env), (seen, info)))


@attrs.define
class _Learning:
    """An agent that acts at random and checks what it learns in an episode."""

    env: Any
    seed: int
    shape: dict[str, Any] | None = None
    """That of the first info."""
    last: tuple[Any, Any] | None = None
    """The last observation, and its content at that time."""

    def step(self, at: int, space: Any, seen: Any, reward: float, info: dict[str, Any]) -> Any:
        """Check what step ``at`` brings, and return the observation in a form that can be compared."""
        if at >= LONGEST:
            raise AssertionError(
                f"the episode with seed {self.seed} has not ended after {LONGEST:,} steps: truncate it"
            )
        if wrong := _misfit(space, seen):
            raise AssertionError(f"step {at}: the observation is not in its space: {wrong}")
        if self.last is not None and _content(self.last[0]) != self.last[1]:
            raise AssertionError(f"step {at}: the observation before it has changed: return a new array in each step")
        if not isfinite(reward):
            raise AssertionError(f"step {at}: the reward is {reward}, not a finite number")
        shape = _shape(info)
        self.shape = shape if self.shape is None else self.shape
        if shape != self.shape and not getattr(self.env.unwrapped, "views", False):
            raise AssertionError(
                f"step {at}: info changes its shape from {self.shape} to {shape}, but libraries stack infos"
            )
        self.last = seen, _content(seen)
        return self.last[1]

    def act(self, at: int, space: Any, seen: Any, info: dict[str, Any]) -> Any:
        """Do what the mask allows, the same in the same step, and return what the environment returns."""
        named = (each for each in (seen, info) if isinstance(each, dict) and "action_mask" in each)
        mask = next((each["action_mask"] for each in named), None)
        if mask is None:
            raise AssertionError(f"step {at}: neither the observation nor info has action_mask")
        if len(mask) != space.n:
            raise AssertionError(f"step {at}: the mask has {len(mask)} places for {space.n} actions")
        allowed = [number for number, may in enumerate(mask) if may]
        if not allowed:
            raise AssertionError(f"step {at}: the mask allows no action")
        action = Random(f"{self.seed}/{at}").choice(allowed)
        possible = getattr(self.env.unwrapped, "action_masks", None)
        try:
            if possible is not None and not possible()[action]:
                raise ValueError("action_masks does not allow it")
            return self.env.step(action)
        except Exception as error:
            raise AssertionError(f"step {at}: the mask allows action {action}, which fails: {error}") from error


def _at(error: BaseException) -> str:
    """Return where a bot raised ``error``: its innermost line."""
    return "".join([f": {line.where}: {line.text}" for line in author_calls(error)[-1:]])


def _pickled(env: Any) -> bytes:
    try:
        return pickle.dumps(env)
    except Exception as error:
        where = "define its classes and functions at the top of a module, and keep no open files"
        raise AssertionError(f"the environment cannot be pickled ({error}): {where}") from error


def _misfit(space: Any, seen: Any) -> str | None:
    """Return why an observation is not in its space; None if it is."""
    if space.contains(seen):
        return None
    if hasattr(space, "spaces") and isinstance(seen, dict):
        if seen.keys() != space.spaces.keys():
            return f"it has {', '.join(seen) or 'no fields'} in place of {', '.join(space.spaces)}"
        misfits = ((name, _misfit(each, seen[name])) for name, each in space.spaces.items())
        return next(f"{name}: {wrong}" for name, wrong in misfits if wrong)
    if not hasattr(seen, "shape") or not hasattr(space, "low"):
        return f"{seen!r:.60} is not in {space}"
    if seen.shape != space.shape:
        return f"its shape is {seen.shape}, not {space.shape}"
    outside = ((seen < space.low) | (seen > space.high)).ravel()
    if not outside.any():
        return f"its values are {seen.dtype}, not {space.dtype}"
    at = int(outside.argmax())
    return f"value {at} is {seen.ravel()[at]}, not from {space.low.ravel()[at]} to {space.high.ravel()[at]}"


def _content(seen: Any) -> Any:
    """Return an observation in a form that can be compared."""
    if isinstance(seen, dict):
        return {name: _content(each) for name, each in seen.items()}
    return (seen.shape, seen.tobytes()) if hasattr(seen, "tobytes") else seen


def _shape(info: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an info with the lengths of their values."""
    return {name: len(value) if hasattr(value, "__len__") else None for name, value in info.items()}


def _equal(steps: list[Step], again: Iterator[Step], otherwise: str) -> None:
    for at, (one, other) in enumerate(zip_longest(steps, again)):
        if one != other:
            raise AssertionError(f"{otherwise} (step {at})")
