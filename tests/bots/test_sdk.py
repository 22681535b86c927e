import importlib
import pickle
import subprocess
import sys
from collections import Counter
from importlib.metadata import entry_points

import attrs
import pytest
from tests.bots.programs import turn

from parlour_bots import cards, run
from parlour_bots.loading import find
from parlour_bots.profiles import play_at_random
from parlour_bots.sdk import Action, Function, Turn, bot_spec, declaring, seeded
from parlour_protocol.messages import Plain

TURN = Turn("uno", "K7QD", 1, 12, {"hand": [3]}, [{"do": "draw"}], 900, [{"e": "pass", "seat": 0}], seeded(0))


def play(turn: Turn) -> Plain:
    return turn.legal[0]


class Player:
    game = "minesweeper"
    call_uno = False

    def play(self, turn: Turn) -> int:
        return 0


def test_importing_the_sdk_loads_neither_sockets_nor_the_server() -> None:
    code = "import sys, parlour_bots; print([m for m in ('websockets', 'asyncio', 'cyclopts') if m in sys.modules])"
    told = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True).stdout
    assert told == "[]\n"


def test_copy_of_a_turn_is_equal_and_its_own() -> None:
    copy = TURN.copy()
    assert copy == TURN
    copy.view["hand"].append(4)
    copy.legal.clear()
    copy.events[0]["seat"] = 9
    assert (TURN.view, TURN.legal, TURN.events) == ({"hand": [3]}, [{"do": "draw"}], [{"e": "pass", "seat": 0}])


def test_turns_and_bots_can_be_sent_to_another_process() -> None:
    there = pickle.loads(pickle.dumps(TURN))
    assert (there.plain(), there.rng.getstate()) == (TURN.plain(), TURN.rng.getstate())
    assert TURN.plain().keys() == {field.name for field in attrs.fields(Turn)} - {"rng"}
    for source in (play, Player, Player()):
        assert pickle.loads(pickle.dumps(bot_spec(source, "b"))).make().play(TURN) in (0, {"do": "draw"})
    for entry in entry_points(group="parlour.bots"):
        spec = pickle.loads(pickle.dumps(find(entry.name)))
        assert pickle.loads(pickle.dumps(spec.make()))


def test_budget_is_what_is_left_unless_it_is_told() -> None:
    assert TURN.budget == 900
    assert attrs.evolve(TURN, budget=50).copy().budget == 50
    assert attrs.evolve(TURN, left=None).budget == 900


def test_function_class_and_object_are_bots() -> None:
    assert bot_spec(play, "a").make() == Function(play)
    made = bot_spec(Player, "b")
    assert (made.game, made.call_uno) == ("minesweeper", False)
    assert isinstance(made.make(), Player)
    assert made.make() is not made.make()
    one = Player()
    assert bot_spec(one, "c").make() is one


@pytest.mark.parametrize("thing", [7, "play", dict])
def test_anything_else_is_no_bot(thing: object) -> None:
    with pytest.raises(TypeError, match="is not a bot"):
        bot_spec(thing, "thing")  # type: ignore[arg-type]


def test_run_only_declares_while_a_file_is_being_loaded() -> None:
    with declaring() as declared:
        run(play, "uno", call_uno=False)
        run(Player)
    assert [(bot.game, bot.call_uno) for bot in declared] == [("uno", False), ("minesweeper", False)]


def test_run_plays_and_exits(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        run(play, argv=["--seed", "3"])
    assert exit_.value.code == 0
    assert "--seed 3" in capsys.readouterr().out


def test_seeded_chance_depends_on_every_part() -> None:
    numbers = {seeded(*parts).random() for parts in [(1, 2), (1, 3), (2, 2), ("1", "2")]}
    assert len(numbers) == 3


def test_cards() -> None:
    said = [
        (cards.colour(card), cards.symbol(card), cards.name(card), cards.points(card)) for card in (9, 49, 71, 100, 107)
    ]
    assert said == [
        ("red", "5", "red 5", 5),
        ("yellow", "draw two", "yellow draw two", 20),
        ("green", "reverse", "green reverse", 20),
        (None, "wild", "wild", 50),
        (None, "wild draw four", "wild draw four", 50),
    ]
    red5, blue5, blue_skip, wild = 9, 84, 94, 102
    assert [cards.fits(card, red5, "red") for card in (red5, blue5, blue_skip, wild)] == [True, True, False, True]
    assert [cards.fits(card, wild, "blue") for card in (red5, blue5, blue_skip, wild)] == [False, True, True, True]


LEGAL: list[Action] = [{"do": "play", "card": 3}, {"do": "play", "card": 7}, {"do": "draw"}]


def test_every_legal_action_comes_about_equally_often_and_the_same_under_the_same_seed() -> None:
    first, second = ([str(play_at_random(turn(seed, legal=LEGAL))) for seed in range(3000)] for _ in range(2))
    assert first == second
    count = Counter(first)
    assert sorted(count) == sorted(map(str, LEGAL))
    assert all(900 < times < 1100 for times in count.values())


def test_import_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("parlour_bots.rl")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match="extra rl"):
        importlib.import_module("parlour_bots.rl")
