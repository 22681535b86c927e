import json
from collections.abc import Callable, Iterator, Sequence

import pytest
from cyclopts import App
from tests.support.commands import printed

from parlour_client.cli import doctor, local_checks, server_checks
from parlour_client.cli.local_checks import Finding
from parlour_client.cli.main import main

FINE, ODD, BAD = Finding("a", "ok", "1"), Finding("b", "warn", "2", "Mend it"), Finding("c", "fail", "\x1b3", "Stop")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the checks are asked for."""
    asked: list[object] = []

    def check(app: App, words: Sequence[str]) -> list[tuple[str, ...]]:
        asked.append(list(words))
        return []

    def host(checkup: Callable[[], object], serving: object) -> Iterator[Finding]:
        checkup()
        yield ODD

    def visit(url: str) -> Iterator[Finding]:
        asked.append(url)
        yield BAD

    monkeypatch.setattr(local_checks, "here", lambda: iter([FINE]))
    monkeypatch.setattr(doctor, "run", check)
    monkeypatch.setattr(local_checks, "hosting", host)
    monkeypatch.setattr(server_checks, "outside", visit)
    return asked


def test_settings_are_handed_on_and_warnings_are_no_failure(
    asked: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert asked == [[]]
    assert capsys.readouterr().out.splitlines()[-2:] == [ODD.line(), "1 warning; all other checks passed."]
    assert main(["doctor", "--port", "80", "--store", "sqlite:///a b.db"]) == 0
    assert asked == [[], ["--port", "80", "--store", "sqlite:///a b.db"]]


def test_a_remote_server_fails_with_its_checks(asked: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--url", "games.example"]) == 1  # the former name of --server
    assert asked == ["games.example"]
    assert capsys.readouterr().out.splitlines()[0] == FINE.line()


@pytest.mark.usefixtures("asked")
def test_json_is_one_clean_object() -> None:
    out = printed("doctor", "--url", "x", "--json", code=1)
    assert "\x1b" not in out
    told = json.loads(out)
    assert told["ok"] is False
    assert told["checks"][0] == {"check": "a", "status": "ok", "says": "1", "next": ""}
    assert [each["status"] for each in told["checks"]] == ["ok", "fail"]


@pytest.mark.parametrize("verb", ["doctor", "profile"])
def test_help_does_not_show_former_names_of_options(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([verb, "--help"])
    shown = capsys.readouterr().out
    assert "--server" in shown
    assert "--url" not in shown
