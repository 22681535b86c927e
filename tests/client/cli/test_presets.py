import json

import pytest
from tests.support.commands import printed
from tests.support.server import ServerProcess

from parlour_client.cli.main import main
from parlour_client.play.entry import Entry
from parlour_protocol.messages import Create

ANNA, BERT = ("--name", "anna", "--key", "ab" * 32), ("--name", "bert", "--key", "cd" * 32)


def presets(*words: str, code: int = 0) -> str:
    return printed("presets", *words, code=code)


def test_presets_are_saved_listed_and_removed(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    rules = ("--option", "target=200", "--option", "jump_in=true", "--seats", "3", "--clock", "none")
    presets("save", "Our  Friday", *rules, *ANNA)
    presets("save", "our friday", "--option", "target=300", *BERT, code=4)
    presets("save", "wrong", "--option", "target=-5", *ANNA, code=4)
    assert "key" in presets("save", "short", "--name", "gast", code=4)
    (row,) = json.loads(presets("--json"))["presets"]
    shown = [row[name] for name in ("name", "by", "game", "seats", "clock")]
    assert shown == ["Our Friday", "anna", "uno", 3, None]
    assert (row["options"]["target"], row["options"]["jump_in"]) == (200, True)
    assert "Our Friday" in presets()
    assert "Our Friday" not in presets("--game", "minesweeper")
    presets("remove", "unknown", *ANNA, code=2)
    presets("remove", "our friday", *BERT, code=4)
    assert "Our Friday" in printed("create", "--preset", "nothing", *ANNA, "--plain", code=2)
    presets("remove", "OUR FRIDAY", *ANNA)
    assert json.loads(presets("--json"))["presets"] == []


def test_preset_is_where_the_rules_of_a_new_room_begin(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[Create] = []

    def play(entry: Entry, plain: bool) -> int:
        assert isinstance(entry.enter, Create)
        created.append(entry.enter)
        return 0

    monkeypatch.setattr("parlour_client.cli.frontend.play", play)
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    rules = ("--option", "target=150", "--seats", "2", "--clock", "30/turn")
    assert main(["presets", "save", "short", *rules, *ANNA]) == 0
    assert main(["create", "--preset", "SHORT", "--option", "jump_in=true", *ANNA]) == 0
    assert main(["create", "--preset", "short", "--no-clock", "--seats", "5", *ANNA]) == 0
    first, second = created
    assert first.options is not None
    assert (first.options["target"], first.options["jump_in"], first.seats) == (150, True, 2)
    assert first.clock == {"bank": 30_000, "add": 30_000, "cap": 30_000}
    assert (second.seats, second.clock) == (5, None)
