"""The example that trains a bot: its file of weights can be played with."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import fail

from parlour_bots.loading import find
from parlour_bots.play.in_process import play_bots
from parlour_client.cli.main import main

try:
    import numpy as np

    from parlour_bots.rl import MinesweeperEnv
except ImportError:
    pass  # the group rl is left out, or fails

pytestmark = pytest.mark.rl
EXAMPLES = Path(__file__).parents[3] / "bots" / "examples"
GUIDE = Path(__file__).parents[3] / "docs" / "train-a-bot.md"
ROUNDS = 4


def loaded(file: Path) -> Any:
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    module = loaded(EXAMPLES / "train.py")
    monkeypatch.setattr(module, "BATCH", 2)
    return module


def test_weights_can_be_played_with_and_follow_from_the_seed(example: Any, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.npz", "same.npz", "other.npz")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        example.train(ROUNDS, seed, file)
    one, same, other = (file.read_bytes() for file in files)
    assert one == same != other
    bot = find(f"{EXAMPLES / 'trained.py'}(weights={files[0]})", "uno")
    match = play_bots([bot, find("painfirst", "uno")], 1, fail, {"scoring": "single"})
    assert sorted(match.ranks) == [1, 2]


def test_interrupted_training_keeps_what_it_has(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rewards = iter([1.0] * 3)

    def play(*_: object) -> float:
        if (reward := next(rewards, None)) is None:
            raise KeyboardInterrupt
        return reward

    monkeypatch.setattr(example, "play", play)
    example.train(ROUNDS, 1, tmp_path / "uno.npz")
    assert (tmp_path / "uno.npz").exists()
    assert "interrupted" in capsys.readouterr().err


@pytest.fixture
def sweeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    [code] = re.findall(r"```python sweeper\.py\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweeper.py").write_text(code, encoding="utf-8")
    return loaded(tmp_path / "sweeper.py")


def test_commands_for_minesweeper_run(sweeper: Any, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ parlour (.*sweeper\.py.*)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        few = ["--games", "2"] if command.startswith("arena") else []
        assert main([*command.split(), *few]) == 0
        assert "mistake" not in capsys.readouterr().err


def test_bot_for_minesweeper_sees_what_the_environment_shows(sweeper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    env = MinesweeperEnv({"level": "custom", "width": 5, "height": 4, "mines": 3, "first": "safe"}, views=True)
    seen, info = env.reset(seed=1)
    boards: list[Any] = []

    def scores(board: Any) -> Any:
        boards.append(board)
        return np.zeros(board.shape)

    monkeypatch.setattr(sweeper, "scores", scores)
    over = False
    while not over:
        cell = sweeper.play(type("Turn", (), {"view": info["view"]}))
        assert np.array_equal(boards[-1], seen)
        assert info["action_mask"][cell]
        seen, _, won_or_lost, cut, info = env.step(cell)
        over = won_or_lost or cut
    assert boards
