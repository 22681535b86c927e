"""The environments for learning agents, against the checks of their libraries and against the rules."""

import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from parlour_bots.arena.league.game import match_seed
from parlour_bots.arena.minesweeper.game import fresh
from parlour_bots.play.in_process import play_bots
from parlour_bots.sdk import BotSpec, Function, Turn
from parlour_games.fair import Fair
from parlour_games.minesweeper.options import Options
from parlour_protocol.messages import Create, Join, Joined, Plain
from parlour_server.local import Local, first_deals

pytestmark = [pytest.mark.rl, pytest.mark.filterwarnings("ignore::UserWarning")]

try:
    import gymnasium
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test
    from pettingzoo.utils.wrappers import TerminateIllegalWrapper

    from parlour_bots.rl import Encoding, GameEnv, ListEncoding, MinesweeperEnv, SeatEnv, UnoEncoding
except ImportError:
    pass  # the group rl is left out, or fails

CHAOS: Plain = {"preset": "chaos"}


def played(env: "GameEnv", rng: Random) -> Iterator[tuple[str, Plain, Plain]]:
    """Play an episode at random; yield who acts, what it sees, and its info."""
    while not any([*env.terminations.values(), *env.truncations.values()]):
        agent = env.agent_selection
        seen, _, _, _, info = env.last()
        yield agent, seen, info
        choices = [number for number in env.choices if number != 120] or env.choices
        env.step(rng.choice(choices))


def test_pettingzoo_accepts_the_environments(example_games: list[str]) -> None:
    api_test(GameEnv("uno", 2), num_cycles=200)
    api_test(GameEnv("uno", 5, CHAOS, potential=lambda view, seat: -len(view["hand"])), num_cycles=200)
    api_test(GameEnv("uno", 3, encoding=ListEncoding(), views=True, max_steps=30), num_cycles=100)
    seed_test(lambda: GameEnv("uno", 3, CHAOS), num_cycles=100)
    for game in example_games:
        api_test(GameEnv(game, 2), num_cycles=60)


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, CHAOS), (10, {"false_call_penalty": 1, "breath": 0})])
def test_mask_allows_what_is_legal_and_each_reaction_is_offered_once(seats: int, options: Plain, seed: int) -> None:
    env, rng = GameEnv("uno", seats, options, views=True), Random(seed)
    env.reset(seed=seed)
    seen_reactions: list[tuple[int, str, bool]] = []
    for agent, seen, info in played(env, rng):
        seat, asked = int(agent.removeprefix("seat_")), env._asked
        assert info["actions"] == env.choices
        assert sorted(info["actions"]) == np.flatnonzero(seen["action_mask"]).tolist()
        assert env.observation_space(agent).contains(seen)
        numbers = set(env.encoding.numbers(info["legal"], seat))
        assert asked is not None
        assert numbers | (set() if asked.must else {env.encoding.decline}) == set(info["actions"])
        assert Encoding.choices(env.encoding, env.game, env._state, asked) == {n: env._choices[n] for n in numbers}
        if not asked.must:
            seen_reactions.append((seat, asked.key, info["view"]["phase"] == "breath"))
        others = env.observe(env.possible_agents[seat - 1])
        assert not others["action_mask"].any()
    assert len(seen_reactions) == len(set(seen_reactions))
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert max(env.rewards.values()) == pytest.approx(1)


def test_a_reaction_can_be_taken() -> None:
    """Players who never call UNO with their play are caught by the next seat."""
    env = GameEnv("uno", 3)
    env.reset(seed=3)
    while not (catches := [number for number in env.choices if 132 <= number < 141]):
        env.step(next(number for number in env.choices if not 60 <= number < 120))
    catcher, others = env.agent_selection, env._state.counts.index(1)
    env.step(catches[0])
    while env._state.phase == 4:  # the reaction window
        assert env.agent_selection != catcher
        env.step(env.encoding.decline)
    assert env._state.counts[others] == 3


def test_observation_is_the_view() -> None:
    encoding = UnoEncoding(3)
    view = {
        "phase": "drawn", "round": 1, "dealer": 0, "turn": 1, "direction": -1, "colour": "green", "top": 104,
        "counts": [4, 3, 1], "called": [2], "out": [0], "deck": 80, "scores": [10, 20, -30], "pending": 6,
        "hand": [1, 2, 107],
    }  # fmt: skip
    seen = encoding.observe(view, 1)
    assert {index: value for index, value in enumerate(seen.tolist()) if value} == {
        1: 2, 53: 1, 54 + 53: 1, 108 + 2: 1, 112 + 1: 1, 117: -1, 118: 80, 119: 6,
        120: 3, 121: 1, 122: 4, 123: 20, 124: -30, 125: 10, 126: 1, 129 + 1: 1, 132 + 2: 1,
    }  # fmt: skip


def test_other_hands_and_the_deck_are_not_observed(seed: int) -> None:
    """Two worlds that differ only in what a seat cannot know look the same to it."""
    env, rng = GameEnv("uno", 3, {**CHAOS, "scoring": "race", "target": 200}, views=True), Random(seed)
    env.reset(seed=seed)
    for agent, seen, info in played(env, rng):
        state, seat = env._state, int(agent.removeprefix("seat_"))
        other = (seat + 1) % 3
        held = [card for card in range(108) if state.hands[other] >> card & 1]
        if not held or not state.deck:
            continue
        env._state = state.copy()
        env._state.public = None
        number, place = rng.choice(held), rng.randrange(len(state.deck))
        env._state.hands[other] ^= 1 << number | 1 << state.deck[place]
        env._state.deck[place] = number
        rng.shuffle(env._state.deck)
        again = env.observe(agent)
        env._state = state
        assert all((again[name] == seen[name]).all() for name in seen)
        assert env.game.view(state, seat) == info["view"]


@pytest.mark.parametrize("seats", range(2, 11))
def test_deals_are_those_of_a_room_in_process(seats: int, seed: int) -> None:
    dealt: list[Fair] = []

    def keep(secret: bytes, context: str, nonces: list[bytes]) -> Fair:
        dealt.append(Fair(secret, context, nonces))
        return dealt[-1]

    local = Local(seed, randomness=keep)
    peers = [local.connect(f"p{seat}") for seat in range(seats)]
    peers[0].send(Create("uno", None, seats=seats, private=True, clock=None, start="full"))
    joined = peers[0].inbox[0]
    assert isinstance(joined, Joined)
    for peer in peers[1:]:
        peer.send(Join(joined.room))
    assert dealt[0].deal(1).key == first_deals(seed, seats).deal(1).key


def test_seeds_deal_as_the_arena_does() -> None:
    hands: list[list[int]] = []

    def note(turn: Turn) -> Plain:
        hands.append(turn.view["hand"])
        return {"do": "resign"}

    env = GameEnv("uno", 2, views=True)
    env.reset(seed=np.int64(7))
    env.reset(options={"deal": 3})
    bot = BotSpec("b", lambda: Function(note))
    play_bots([bot, bot], match_seed(7, 3), lambda mistake: None, {"scoring": "single"})
    assert env.infos[env.agent_selection]["view"]["hand"] == hands[0]
    mines = MinesweeperEnv({"level": "expert"})
    mines.reset(seed=5)
    second, _ = mines.reset()
    _, board = fresh(Options(level="expert"), None, 5, 2)
    opened = np.flatnonzero(second == 0)
    assert board.first in opened
    assert not set(opened) & set(board.mines)


def test_minesweeper_ends_with_a_reward() -> None:
    env = MinesweeperEnv(progress=0.5, views=True)
    _, info = env.reset(seed=1)
    [board] = fresh(env.options, None, 1, 1)
    total, over = 0.0, False
    assert info["view"]["rows"][0][0] != "M"
    for cell in range(81):
        if cell in board.mines or over:
            continue
        _, reward, over, _, info = env.step(cell)
        total += reward
    assert over
    assert total > 1
    env.reset(options={"deal": 0})
    _, reward, over, _, info = env.step(board.mines[0])
    assert (reward, over) == (-1.0, True)


def test_shaping_adds_up_to_what_the_first_position_lacked() -> None:
    def cards(view: Plain, seat: int) -> float:
        return -0.01 * float(view["counts"][seat])

    env, rng = GameEnv("uno", 2, potential=cards, views=True), Random(4)
    env.reset(seed=2)
    first = env.infos[env.agent_selection]["view"]["counts"]
    totals = [0.0, 0.0]
    while not any(env.terminations.values()):
        env.step(rng.choice(env.choices))
        totals = [total + env.rewards[agent] for total, agent in zip(totals, env.agents, strict=True)]
    assert sorted(totals) == pytest.approx(sorted(r + 0.01 * n for r, n in zip((-1, 1), first, strict=True)))


def test_gymnasium_accepts_the_environments() -> None:
    registered = (gymnasium.make(name).unwrapped for name in ("parlour/Uno-v1", "parlour/Minesweeper-v1"))
    for env in (MinesweeperEnv(render_mode="ansi"), *registered):
        check_env(env, skip_render_check=True)


def test_a_seat_is_played_against_others(seed: int) -> None:
    env, rng = SeatEnv("uno", 3, seat=1), Random(seed)
    for _ in range(5):
        seen, _ = env.reset(seed=seed)
        rewards, over = list[float](), False
        while not over:
            assert env.action_masks().tolist() == seen["action_mask"].astype(bool).tolist()
            assert env.env.agent_selection == "seat_1"
            seen, reward, over, cut_short, _ = env.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            rewards.append(reward)
            assert not cut_short
        assert [each for each in rewards[:-1] if each] == []
        assert rewards[-1] in (1.0, -0.5)
    env.reset(seed=seed)
    illegal = next(number for number, may in enumerate(env.action_masks()) if not may)
    assert env.step(illegal)[1:4] == (-1.0, True, False)


def test_wrapper_ends_the_episode_of_an_illegal_action() -> None:
    env = TerminateIllegalWrapper(GameEnv("uno", 3), illegal_reward=-1)
    env.reset(seed=1)
    agent, inside = env.agent_selection, env.unwrapped
    illegal = next(number for number in range(inside.encoding.actions) if number not in inside.choices)
    env.step(illegal)
    assert (env.rewards[agent], all(env.terminations.values())) == (-1, True)


@pytest.mark.parametrize("steps", [0, 1, 40])
@pytest.mark.parametrize("copied", [lambda env: pickle.loads(pickle.dumps(env)), deepcopy], ids=["pickled", "copied"])
def test_a_copy_in_another_process_goes_on_as_the_environment_does(
    steps: int, copied: Callable[[Any], Any], example_games: list[str], seed: int
) -> None:
    for game, options in (("uno", CHAOS), ("uno", {}), *((game, {}) for game in example_games)):
        env = GameEnv(game, 2, options)
        env.reset(seed=seed)
        for _, _ in zip(played(env, Random(seed)), range(steps), strict=False):
            pass
        other = copied(env)
        one, two = ([(agent, str(seen)) for agent, seen, _ in played(each, Random(5))] for each in (env, other))
        assert one == two
        assert other.rewards == env.rewards


def test_episode_is_truncated() -> None:
    env = GameEnv("uno", 2, max_steps=3)
    env.reset(seed=1)
    assert len([*played(env, Random(1))]) == 3
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_what_cannot_be_chosen_is_refused() -> None:
    env = GameEnv("uno", 2)
    env.reset(seed=1)
    before = env.observe(env.agent_selection)["observation"].tolist()
    with pytest.raises(ValueError, match="action_mask"):
        env.step(env.encoding.decline)
    assert env.observe(env.agent_selection)["observation"].tolist() == before
    with pytest.raises(ValueError, match="uno"):
        GameEnv("minesweeper", 1)
    with pytest.raises(LookupError, match="uno"):
        GameEnv("chess")
    with pytest.raises(ValueError, match="2 to 10 seats"):
        GameEnv("uno", 11)
    with pytest.raises(ValueError, match="longest=3"):
        ListEncoding(longest=2).numbers([{}, {}, {}], 0)
