import io
import sys

import pytest

from parlour_client.cli import params
from parlour_client.core.errors import Usage


class Typed(io.StringIO):
    """A terminal at which something is typed."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_asked_if_sure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(""))
    params.confirm("All gone.", "maria", sure=True)
    assert capsys.readouterr().err == ""


def test_the_word_has_to_be_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("maria \n"))
    params.confirm("All gone.", "maria", sure=False)
    assert capsys.readouterr().err == "All gone. To confirm, type maria: "


@pytest.mark.parametrize("answer", ["", "\n", "yes\n", "Maria\n", "y\n"])
def test_anything_else_is_a_no(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed(answer))
    with pytest.raises(Usage, match="not confirmed"):
        params.confirm("All gone.", "maria", sure=False)


def test_without_a_terminal_nothing_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("maria\n"))
    with pytest.raises(Usage, match="--yes"):
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
