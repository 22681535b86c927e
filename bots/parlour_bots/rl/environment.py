"""A game that lists its actions as a PettingZoo environment (AEC), or one seat of it as a Gymnasium environment.

Minesweeper alone is a Gymnasium environment of its own.
"""

import json
from collections.abc import Callable, Sequence
from enum import Enum
from secrets import randbits
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from parlour_bots.arena.league.game import match_seed
from parlour_bots.arena.minesweeper.game import BoardMatch, generated
from parlour_bots.play.in_process import win_share
from parlour_bots.profiles import profile
from parlour_bots.rl.encoding import Encoding, ListEncoding, UnoEncoding
from parlour_games.game import Decision, Done, Fired, Job
from parlour_games.minesweeper.board import CLOSED, MINE, known
from parlour_games.minesweeper.options import Options
from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict
from parlour_server.local import first_deals

STEPS = 20_000
"""Steps after which an episode is truncated: players who only draw never end it."""


class _Answer(Enum):
    """An answer that is not an action. Its member keeps its identity when pickled."""

    DECLINED = "declined"


Potential = Callable[[Plain, int], float]
"""Rates the view of a seat, for shaped rewards."""


class GameEnv(AECEnv):
    """A match of any game that lists its actions. Agents are ``seat_0``, ``seat_1`` …

    **Observations** are maps of ``observation``, the array of the encoding, and ``action_mask``, an int8 array with a 1
    for each action that the agent may choose now, and only zeros while another agent acts. ``choices`` lists the same
    actions as numbers. The info of an agent is empty, since training libraries expect the same shapes in every step.
    With ``views`` the acting agent's has these numbers as ``actions``, the ``view`` and the ``legal`` actions as plain
    data, as bots get them.

    **Order.** Before the player on turn is asked, each open reaction is offered once to its seat: calling UNO late,
    catching, jumping in. The seats follow each other from the one after the last that acted. The answer is one of the
    reactions, or the encoding's ``decline``. When all have answered, a reaction window ends, and the player on turn
    acts.

    **Rewards.** At the end the winner gets 1 and each loser -1 / (seats - 1); winners of a tie share theirs, so the sum
    is 0. With a ``potential``, each step adds to each agent's reward how far its potential has risen; it counts as 0 at
    the end, so that shaping does not change which way of playing is best.

    **Seeds.** ``reset(seed=S)`` deals as the first deal of ``parlour arena uno --seed S`` with as many players. Each
    further ``reset()`` goes to its next deal, and ``reset(options={"deal": N})`` to deal N, counted from 0.
    """

    def __init__(
        self,
        game: str = "uno",
        seats: int = 2,
        options: Plain | None = None,
        *,
        encoding: Encoding | None = None,
        potential: Potential | None = None,
        views: bool = False,
        max_steps: int = STEPS,
    ) -> None:
        """Raises LookupError for an unknown game, ValueError for one that does not list its actions, or for a
        number of seats that cannot play it.
        """
        super().__init__()
        self.game = _found(game)
        self.seats = seats
        self.options: Any = strict(self.game.Options)({**profile(game).contest, **(options or {})})
        least, most = self.game.seats(self.options)
        if not max(2, least) <= seats <= most:
            raise ValueError(f"under these options {game} has {max(2, least)} to {most} seats here, not {seats}")
        self.encoding = encoding or (UnoEncoding(seats) if game == "uno" else ListEncoding())
        self.potential = potential
        self.views = views
        self.max_steps = max_steps
        self.metadata = {"name": f"parlour_{game}_v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        mask = Box(0, 1, (self.encoding.actions,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": self.encoding.space, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.encoding.actions) for agent in self.possible_agents}
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._no_choice = self.encoding.mask(())
        self._series, self._deal = randbits(32), -1

    def observation_space(self, agent: str) -> Dict:
        """Return the space of the observations of ``agent``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of the actions of ``agent``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Plain | None = None) -> None:
        """Start the match of the next deal. ``options`` may name it: ``deal``. Other options are ignored."""
        if seed is not None:
            self._series, self._deal = int(seed), -1
        self._deal = (options or {}).get("deal", self._deal + 1)
        fair = first_deals(match_seed(self._series, self._deal), self.seats)
        self._state, _ = self.game.start(self.options, self.seats, fair)
        self._steps = 0
        self._last_seat = -1
        self._declined: set[tuple[int, str]] = set()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Plain] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._go_on()
        self._potentials = self._rated()

    @property
    def choices(self) -> list[int]:
        """The numbers of the actions that the acting agent may choose now; empty at the end."""
        return [*self._choices]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what ``agent`` sees now."""
        seat = self._seat_of[agent]
        acting = self._asked is not None and seat == self._asked.seat
        return {
            "observation": self.encoding.observe(self.game.view(self._state, seat), seat),
            "action_mask": self.encoding.mask(self._choices) if acting else self._no_choice.copy(),
        }

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent that acts now; None for one whose match is over.

        Raises ValueError for an action that its mask does not allow.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self._choices.get(-1 if action is None else int(action))
        if chosen is None or self._asked is None:
            raise ValueError(f"{agent} cannot choose {action} now. action_mask allows {sorted(self._choices)}")
        seat, key = self._asked.seat, self._asked.key
        self._cumulative_rewards[agent] = 0.0
        if chosen is _Answer.DECLINED:
            self._declined.add((seat, key))
        else:
            self.game.apply(self._state, seat, key, chosen)
            self._last_seat = seat
        self._steps += 1
        self._go_on()
        if self.potential is not None or self._asked is None:
            self._reward()

    def render(self) -> str:
        """Return what a spectator sees, as JSON."""
        return json.dumps(self.game.view(self._state, None))

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _go_on(self) -> None:
        """Go on to the next question, or to the end of the episode."""
        decision = self._next() if self._steps < self.max_steps else None
        self._asked = decision
        if decision is None:
            self._end()
            return
        game, seat = self.game, decision.seat
        choices = self._choices = self.encoding.choices(game, self._state, decision)
        if not decision.must:
            choices[self.encoding.decline] = _Answer.DECLINED
        agent = self.agent_selection = self.possible_agents[seat]
        if self.views:
            legal = game.wires(game.legal(self._state, seat, decision.key))
            info = {"actions": [*choices], "view": {**game.view(self._state, seat)}, "legal": [*map(dict, legal)]}
            self.infos[agent] = info

    def _end(self) -> None:
        self._choices = {}
        for seat, agent in enumerate(self.agents):
            self.infos[agent] = {"view": {**self.game.view(self._state, seat)}} if self.views else {}
        over = self.game.outcome(self._state) is not None
        ended = self.terminations if over else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
        self._deads_step_first()

    def _next(self) -> Decision | None:
        """Return the next decision, None at the end of the match. Waits end when nothing else is left to decide."""
        game, state = self.game, self._state
        while True:
            decisions = game.decisions(state)
            if len(decisions) == 1 and decisions[0].must:
                return decisions[0]
            if reaction := self._reaction(decisions):
                return reaction
            if required := next((each for each in decisions if each.must), None):
                return required
            waiting = game.pending(state)
            if waiting is None:
                return None
            if isinstance(waiting, Job):
                game.settle(state, Done(waiting.name, game.compute(waiting.name, waiting.args)))
            else:
                game.settle(state, Fired(waiting.name))

    def _reaction(self, decisions: Sequence[Decision]) -> Decision | None:
        """Return the next optional decision that has not been declined."""
        if self._declined:
            self._declined &= {(each.seat, each.key) for each in decisions}
        offered = [each for each in decisions if not each.must and (each.seat, each.key) not in self._declined]
        return min(offered, key=lambda each: (each.seat - self._last_seat - 1) % self.seats, default=None)

    def _reward(self) -> None:
        """Set the rewards of a step, and add them to those since each agent's last one."""
        before, self._potentials = self._potentials, self._rated()
        for agent, old, new in zip(self.possible_agents, before, self._potentials, strict=True):
            self.rewards[agent] = new - old
        outcome = self.game.outcome(self._state) if self._asked is None else None
        if outcome is not None:
            for seat, agent in enumerate(self.possible_agents):
                self.rewards[agent] += terminal_reward(outcome.ranks, seat)
        self._accumulate_rewards()

    def _rated(self) -> list[float]:
        """Return the potential of each seat, 0 at the end of the match."""
        if self.potential is None or self.game.outcome(self._state) is not None:
            return [0.0] * self.seats
        return [self.potential(self.game.view(self._state, seat), seat) for seat in range(self.seats)]


def terminal_reward(ranks: Sequence[int], seat: int) -> float:
    """Return the reward of ``seat`` at the end of a match: 1 for the only winner, -1 / (seats - 1) for the others."""
    seats = len(ranks)
    return (seats * win_share(ranks, seat) - 1) / (seats - 1)


def _found(name: str) -> AnyGame:
    """Return a game by its name. Raises LookupError, ValueError."""
    listed = ", ".join(each for each, game in games().items() if game.listed)
    if name not in games():
        raise LookupError(f"there is no game {name}. Installed games that list their actions: {listed}")
    if not games()[name].listed:
        raise ValueError(f"{name} does not list its actions. Installed games that do: {listed}")
    return games()[name]


Opponent: TypeAlias = Callable[[dict[str, np.ndarray], np.random.Generator], int]
"""Returns an action for an observation, which has an ``action_mask``."""


def at_random(seen: dict[str, np.ndarray], rng: np.random.Generator) -> int:
    """Return any action that the mask allows."""
    return int(rng.choice(np.flatnonzero(seen["action_mask"])))


class SeatEnv(gymnasium.Env):
    """A seat of a ``GameEnv`` for learners of one agent. ``opponent`` plays the other seats, by default at random.

    Observations, actions, rewards and deals are those of ``GameEnv``, whose arguments it takes. ``action_masks``
    returns the current mask, as MaskablePPO of sb3-contrib asks for it.

    An action that the mask does not allow ends the episode with reward -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "uno",
        seats: int = 2,
        options: Plain | None = None,
        *,
        seat: int = 0,
        opponent: Opponent = at_random,
        render_mode: str | None = None,
        **more: Any,
    ) -> None:
        """``more``: further arguments of ``GameEnv``, which says what this raises."""
        self.env = GameEnv(game, seats, options, **more)
        self.opponent = opponent
        self.render_mode = render_mode
        self._own = self.env.possible_agents[seat]
        self.observation_space: Dict = self.env.observation_space(self._own)
        self.action_space: Discrete = self.env.action_space(self._own)

    def reset(self, *, seed: int | None = None, options: Plain | None = None) -> tuple[dict[str, np.ndarray], Plain]:
        """Start the next match, up to the first decision of the seat. ``options`` may name the ``deal``.

        Matches that end before the seat decides are left out.
        """
        super().reset(seed=seed)
        self.env.reset(seed=seed, options=options)
        while True:
            self._let_others_play()
            if self.env.choices:
                return self.env.observe(self._own), {**self.env.infos[self._own]}
            self.env.reset()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, Plain]:
        """Act, and let the others play up to the next decision of the seat."""
        env, own = self.env, self._own
        if action not in env.choices:
            return env.observe(own), -1.0, True, False, {}
        env.step(int(action))
        self._let_others_play()
        reward = float(env._cumulative_rewards[own])
        return env.observe(own), reward, env.terminations[own], env.truncations[own], {**env.infos[own]}

    def action_masks(self) -> np.ndarray:
        """Return the current mask: true for what the seat may choose."""
        return self.env.observe(self._own)["action_mask"].astype(bool)

    def render(self) -> str | None:
        """Return what a spectator sees, as JSON."""
        return self.env.render() if self.render_mode == "ansi" else None

    def _let_others_play(self) -> None:
        while self.env.choices and (agent := self.env.agent_selection) != self._own:
            self.env.step(self.opponent(self.env.observe(agent), self.np_random))


def observe(view: Plain) -> np.ndarray:
    """Return the board in a view as an int8 array of shape (height, width): 0 to 8, -1 closed, -2 a mine."""
    return np.array(known(view["rows"]), np.int8).reshape(view["height"], view["width"])


class MinesweeperEnv(gymnasium.Env):
    """A board of Minesweeper, whose first cell is already open. Action ``y * width + x`` opens a cell.

    **Observations** are int8 arrays of shape (height, width): 0 to 8, -1 closed, -2 a mine. ``info["action_mask"]`` is
    an int8 array with a 1 for each closed cell; with ``views``, ``info["view"]`` is the view as bots get it. Opening an
    open cell changes nothing.

    **Rewards.** Clearing the board gives 1, a mine -1. ``progress`` is shared out among the safe cells: each gives its
    part when it is opened. An episode is truncated after twice as many steps as there are cells.

    **Seeds.** ``reset(seed=S)`` has the first board of ``parlour arena minesweeper --seed S`` under the same options
    and ``start``. Each further ``reset()`` goes to its next board, and ``reset(options={"deal": N})`` to board
    N, counted from 0.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        options: Plain | None = None,
        *,
        start: str | None = None,
        progress: float = 0.0,
        views: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Raises BadMessage or BadOptions for options that cannot be played."""
        self.options = strict(Options)({**(options or {}), "mode": "solo"})
        self.start = start
        self.progress = progress
        self.views = views
        self.render_mode = render_mode
        shape = self.options.shape
        self.observation_space = Box(MINE, 8, (shape.height, shape.width), np.int8)
        self.action_space = Discrete(shape.cells)
        self._series, self._deal = randbits(32), -1

    def reset(self, *, seed: int | None = None, options: Plain | None = None) -> tuple[np.ndarray, Plain]:
        """Start on the next board. ``options`` may name it: ``deal``. Raises Usage for a ``start`` off the board."""
        super().reset(seed=seed)
        if seed is not None:
            self._series, self._deal = int(seed), -1
        self._deal = (options or {}).get("deal", self._deal + 1)
        self._match = BoardMatch(generated(self.options, self.start, self._series, self._deal))
        self._steps = 0
        return self._seen()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, Plain]:
        """Open a cell."""
        match, before = self._match, self._match.opened
        if not match.decided:
            match.carry_out(int(action))  # a refusal changes nothing
        self._steps += 1
        reward = self.progress * (match.opened - before) / self.options.shape.safe
        if match.decided:
            reward += 1.0 if match.won else -1.0
        seen, info = self._seen()
        return seen, reward, match.decided, self._steps >= 2 * self.options.shape.cells, info

    def render(self) -> str | None:
        """Return the rows of the board, one character per cell."""
        return "\n".join(self._match.view["rows"]) if self.render_mode == "ansi" else None

    def _seen(self) -> tuple[np.ndarray, Plain]:
        view = self._match.view
        seen = observe(view)
        info: Plain = {"action_mask": (seen == CLOSED).astype(np.int8).ravel()}
        return seen, {**info, "view": view} if self.views else info
