import io
import sys

import pytest

from parlour_client.cli import params
from parlour_client.core.errors import Usage


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "sure", "asked"), [("", True, ""), ("maria \n", False, "All gone. To confirm, type maria: ")]
)
def test_the_word_has_to_be_typed_unless_sure(
    typed: str, sure: bool, asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(typed))
    params.confirm("All gone.", "maria", sure=sure)
    assert capsys.readouterr().err == asked


@pytest.mark.parametrize("stdin", [*map(Typed, ("", "\n", "yes\n", "Maria\n", "y\n")), io.StringIO("maria\n")])
def test_anything_else_and_what_is_not_typed_is_a_no(stdin: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(Usage, match="not confirmed" if stdin.isatty() else "--yes"):
        params.confirm("All gone.", "maria", sure=False)


def test_a_secret_is_a_line_of_a_pipe_or_typed_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(" abc \nmore"))
    assert params.secret("The key") == "abc"
    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return "def"

    monkeypatch.setattr(params, "getpass", typed)
    monkeypatch.setattr(sys, "stdin", Typed("seen"))
    assert (params.secret("The key"), asked) == ("def", ["The key: "])
