"""Conformance checks for tests of your own: ``check_bot`` and ``check_env``.

They check what commands, servers and training libraries rely on, and raise AssertionError with what is wrong. For the
rules of a game there is ``parlour_bots.laws``.
"""

import pickle
from collections.abc import Iterator
from itertools import count, zip_longest
from random import Random  # noqa: TID251  picks actions; never for the deal
from typing import Any, TypeAlias

from parlour_bots.errors import Mistake
from parlour_bots.play.runner import BotRunner
from parlour_bots.sdk import BotSource, BotSpec, bot_spec
from parlour_bots.tools.check import BUDGET, MATCHES, check
from parlour_bots.tools.reports import of_check

_COPIED = 5
"""The step after which an environment is copied."""

_ROUNDING = 1e-6

Step: TypeAlias = tuple[Any, ...]
"""What an agent learns in a step, in a form that can be compared."""


def check_bot(
    bot: BotSource | BotSpec, game: str = "uno", *, matches: int = MATCHES, budget: int = BUDGET, seed: int = 0
) -> None:
    """Check a bot as ``parlour bot check`` does: in short matches of ``game``, each played twice.

    It has to answer legally within ``budget`` milliseconds, raise nothing, play the same under the same seed, keep no
    data from match to match, and start no process. ``bot`` is a function of a turn, a class or an object with ``play``,
    or a ``BotSpec``. Raises AssertionError with the report and the first mistake.
    """
    found: list[Mistake] = []
    spec = bot if isinstance(bot, BotSpec) else bot_spec(bot, getattr(bot, "__name__", type(bot).__name__), game)
    checked = check(spec, None, range(seed, seed + matches), found.append, BotRunner(budget))
    if not checked.sound:
        raise AssertionError("\n".join([of_check(checked, spec.name).text, *map(str, found[:1])]))


def check_env(env: Any, *, episodes: int = 3, seed: int = 0) -> None:
    """Check an environment: one of ``parlour_bots.rl`` with your encoding or potential, or a wrapper around one.

    It checks what ``pettingzoo.test.api_test`` and ``gymnasium.utils.env_checker.check_env`` do not: observations are
    in their space; the mask allows something, and what it allows can be done; infos do not change their shape, unless
    ``views`` asks for more; the same seed gives the same episode; a pickled copy continues in the same way; episodes
    end, those of several agents with rewards that add up to 0 unless a ``potential`` shapes them.

    Raises AssertionError. It plays at random, and resets the environment.
    """
    play = _played if hasattr(env, "agent_iter") else _played_alone
    for series in range(seed, seed + episodes):
        kept: list[tuple[bytes, Any]] = []
        steps = [*play(env, series, 0, None, kept)]
        _equal(steps, play(env, series), f"the second episode with seed {series} differs from the first")
        for copied, now in kept:
            rest = play(pickle.loads(copied), series, _COPIED, now)
            _equal(steps[_COPIED:], rest, f"seed {series}: a pickled copy continues differently")


def _played(
    env: Any, seed: int, start: int = 0, now: Any = None, kept: list[tuple[bytes, Any]] | None = None
) -> Iterator[Step]:
    """Play an episode of several agents at random, from step ``start`` on; yield what they learn.

    ``kept`` takes a copy of the environment, and what a player knows, ``now``.
    """
    if not start:
        env.reset(seed=seed)
    inner, shape = env.unwrapped, None
    total, truncated = 0.0, False
    for at, agent in enumerate(env.agent_iter(), start):
        if kept is not None and at == _COPIED:
            kept.append((pickle.dumps(env), None))
        seen, reward, terminated, truncated, info = env.last()
        total += reward
        yield agent, _content(seen), reward, terminated, truncated
        _check_seen(at, env.observation_space(agent), seen)
        shape = shape or _shape(info)
        if not getattr(inner, "views", False) and _shape(info) != shape:
            raise AssertionError(f"step {at}: info changes its shape from {shape} to {_shape(info)}")
        env.step(None if terminated or truncated else _any_of(at, seed, seen["action_mask"]))
    if not start and not truncated and getattr(inner, "potential", None) is None and abs(total) > _ROUNDING:
        raise AssertionError(f"the rewards of the episode with seed {seed} add up to {total}, not to 0")


def _played_alone(
    env: Any, seed: int, start: int = 0, now: Any = None, kept: list[tuple[bytes, Any]] | None = None
) -> Iterator[Step]:
    """Play an episode of one agent at random, as ``_played`` does."""
    seen, info = now or env.reset(seed=seed)
    shape = _shape(info)
    for at in count(start):
        if kept is not None and at == _COPIED:
            kept.append((pickle.dumps(env), (seen, info)))
        mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
        seen, reward, terminated, truncated, info = env.step(_any_of(at, seed, mask))
        yield _content(seen), reward, terminated, truncated
        _check_seen(at, env.observation_space, seen)
        if not getattr(env.unwrapped, "views", False) and _shape(info) != shape:
            raise AssertionError(f"step {at}: info changes its shape from {shape} to {_shape(info)}")
        if terminated or truncated:
            return


def _content(seen: Any) -> Any:
    """Return an observation in a form that can be compared."""
    if isinstance(seen, dict):
        return {name: _content(each) for name, each in seen.items()}
    return (seen.shape, seen.tobytes()) if hasattr(seen, "tobytes") else seen


def _check_seen(at: int, space: Any, seen: Any) -> None:
    if not space.contains(seen):
        raise AssertionError(f"step {at}: the observation is not in {space}: {seen}")


def _any_of(at: int, seed: int, mask: Any) -> int:
    """Return an action that the mask allows, the same one for the same step."""
    allowed = [number for number, may in enumerate(mask) if may]
    if not allowed:
        raise AssertionError(f"step {at}: the mask allows no action")
    return Random(f"{seed}/{at}").choice(allowed)


def _shape(info: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an info with the lengths of their values."""
    return {name: len(value) if hasattr(value, "__len__") else None for name, value in info.items()}


def _equal(steps: list[Step], again: Iterator[Step], otherwise: str) -> None:
    for at, (one, other) in enumerate(zip_longest(steps, again)):
        if one != other:
            raise AssertionError(f"{otherwise}: step {at}")
