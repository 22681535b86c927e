"""The example that trains a bot: its file of weights can be played with."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from parlour_bots.errors import Mistake
from parlour_bots.loading import find
from parlour_bots.play.in_process import play_bots

pytestmark = pytest.mark.rl
EXAMPLES = Path(__file__).parents[3] / "bots" / "examples"
ROUNDS = 4


def fail(mistake: Mistake) -> None:
    raise AssertionError(str(mistake))


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = spec_from_file_location("train", EXAMPLES / "train.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
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
