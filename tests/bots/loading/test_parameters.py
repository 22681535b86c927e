from pathlib import Path

import pytest

from parlour_bots.loading import BadParameters, NoBot, add_parameters, find, parameter_names, split

GREEDY = """
class Greedy:
    def __init__(self, greed=1, style="calm", *, bold=False):
        if greed < 0:
            raise ValueError("greed must not be negative")
        self.told = greed, style, bold
    def play(self, turn):
        return self.told
"""


@pytest.fixture
def greedy(tmp_path: Path) -> str:
    (tmp_path / "greedy.py").write_text(GREEDY)
    return str(tmp_path / "greedy.py")


@pytest.mark.parametrize(
    ("what", "name", "given"),
    [
        ("search", "search", {}),
        ("search()", "search", {}),
        ("search(worlds=300)", "search", {"worlds": 300}),
        ("a.py:B( x = -1.5 , y=true,z=False )", "a.py:B", {"x": -1.5, "y": True, "z": False}),
        ("b(style=bold)", "b", {"style": "bold"}),
        ("b(style='a, b=c', n=none)", "b", {"style": "a, b=c", "n": None}),
        ("b(x=1e3)", "b", {"x": 1000.0}),
        ("b(x=__import__)", "b", {"x": "__import__"}),
    ],
)
def test_parameters_are_read_from_the_name(what: str, name: str, given: dict[str, object]) -> None:
    read = split(what)
    assert read == (name, given)
    assert [type(value) for value in read[1].values()] == [type(value) for value in given.values()]


@pytest.mark.parametrize("what", ["b(1)", "b(x=)", "b(x)", "b(=1)", "b(x=1 y=2)", "b(,)", "b(x=1,,y=2)", "b(x=1,x=2)"])
def test_what_cannot_be_read_is_told(what: str) -> None:
    with pytest.raises(BadParameters, match=r"write parameters as NAME=VALUE|x is given twice"):
        split(what)


@pytest.mark.parametrize("what", ["b(x=1;y=2)b(", "a(1)/b.py", "(x=1)", "b("])
def test_other_names_have_no_parameters(what: str) -> None:
    assert split(what) == (what, {})


def test_further_parameters_replace_earlier_ones() -> None:
    assert add_parameters("search", think=50) == "search(think=50)"
    assert split(add_parameters("search(worlds=3,think=9,style='a b')", think=50)) == (
        "search",
        {"worlds": 3, "think": 50, "style": "a b"},
    )


def test_class_gets_its_parameters(greedy: str) -> None:
    bot = find(f"{greedy}(greed=3, bold=true)")
    assert bot.name == "greedy(greed=3,bold=True)"
    assert vars(bot.make())["told"] == (3, "calm", True)
    assert bot.make() is not bot.make()
    assert parameter_names(bot) == parameter_names(find(greedy)) == ["greed", "style", "bold"]


def test_function_gets_its_parameters_besides_the_turn(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text("def play(turn, greed=1):\n    return greed\n")
    assert parameter_names(find(str(path))) == ["greed"]
    assert find(f"{path}(greed=7)").make().play(None) == 7  # type: ignore[arg-type]
    assert find(str(path)).make().play(None) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("{}(gred=1)", "greedy has no parameter gred: it has greed, style, bold"),
        ("{}(greed=-1)", "greed must not be negative"),
        ("{}(greed=much)", "not supported between"),
        ("random(turn=1)", "random has no parameter turn: it has none"),
        ("nobody(x=1)", "no bot 'nobody'"),
    ],
)
def test_errors_teach(what: str, told: str, greedy: str) -> None:
    with pytest.raises(NoBot, match=told):
        find(what.format(greedy))


def test_file_that_a_bot_lacks_is_the_bots_fault(tmp_path: Path) -> None:
    path = tmp_path / "learned.py"
    path.write_text(
        "class Learned:\n    def __init__(self, weights='w.npz'):\n        self.weights = open(weights)\n"
        "    def play(self, turn): return 0\n"
    )
    with pytest.raises(NoBot, match=r"learned cannot be made: .*learned\.py:3: .*\n +FileNotFoundError: .*none\.npz"):
        find(f"{path}(weights=none.npz)")
