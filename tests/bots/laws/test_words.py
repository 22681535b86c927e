"""Faults in the words of a game are found, with the file and the key."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour_bots.laws.checking import BrokenLaw, LawCheck, Subject
from parlour_bots.laws.words import words
from parlour_goofspiel.game import Goofspiel
from parlour_protocol.phrases import table

Check = Callable[..., BrokenLaw | None]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return a function that checks Goofspiel with changed phrases; None takes a phrase away."""
    package = f"words_of_{tmp_path.name}"
    monkeypatch.syspath_prepend(tmp_path)

    def checked(language: str = "en", **changes: Any) -> BrokenLaw | None:
        (tmp_path / package).mkdir()
        for each in ("en", "de"):
            found: dict[str, Any] = {**table(Goofspiel.phrases, each)}
            found |= {f"goofspiel.{key}": value for key, value in changes.items() if each == language}
            kept = {key: value for key, value in found.items() if value is not None}
            (tmp_path / package / f"{each}.json").write_text(json.dumps(kept), encoding="utf-8")
        (tmp_path / package / "__init__.py").touch()
        game = type("Reworded", (Goofspiel,), {"phrases": package})()
        return LawCheck(Subject(game), range(5)).check(words)

    return checked


def test_phrases_of_a_sound_game_are_sound(check: Check) -> None:
    assert check() is None


@pytest.mark.parametrize(
    ("language", "key", "phrase"),
    [
        ("en", "event.bid", "{card, none {} other {You bid #}}"),
        ("de", "event.bid", "{card, none {} other {Du bietest #}}"),
        ("en", "event.bid", "{seat, player} bids {crd}"),
        ("en", "event.bid", "{seat, player"),
        ("en", "event.bid", 3),
        ("en", "event.bid", None),
        ("en", "event.nosuch", "Nothing."),
        ("en", "vew.hand", "your hand"),
        ("en", "act.bid", None),
        ("en", "act.bid", "Bid"),
        ("en", "act.bid.nosuch", "nothing"),
        ("en", "option.nosuch", "Nothing"),
        ("en", "view.out", "{valu, players, none {} other {out: #}}{nosuch}"),
    ],
)
def test_fault_names_the_file_and_the_key(check: Check, language: str, key: str, phrase: Any) -> None:
    finding = check(language, **{key: phrase})
    assert finding is not None
    assert f"{language}.json: goofspiel.{key}" in finding.words


def test_each_fault_that_needs_no_match_is_named(check: Check) -> None:
    finding = check(**{"vew.hand": "", "event.nosuch": "", "event.bid": None})
    assert finding is not None
    assert len(finding.words.splitlines()) == 3
