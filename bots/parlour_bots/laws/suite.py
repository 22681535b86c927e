"""The laws of a game as tests for pytest."""

from collections.abc import Sequence
from typing import Any, ClassVar

from parlour_bots.laws.checking import Check, Subject
from parlour_bots.laws.laws import LAWS, Law
from parlour_games.game import Plain
from parlour_games.registry import AnyGame


class Laws:
    """Base class of a test class: pytest checks each law of ``game``. It needs no fixture and no plug-in."""

    game: ClassVar[AnyGame]
    matches: ClassVar[int] = 10
    """The number of matches that are checked for each law."""
    options: ClassVar[Sequence[Plain] | None] = None
    """The sets of options under which matches are played; None: random ones."""
    first_seed: ClassVar[int] = 0

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Make a test of each law."""
        if "law" in metafunc.fixturenames:
            metafunc.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])

    def test_law(self, law: Law) -> None:
        """Check one law."""
        seeds = range(self.first_seed, self.first_seed + self.matches)
        finding = Check(Subject(self.game, self.options), seeds).check(law)
        assert finding is None, f"{law.__name__}: {finding}"
