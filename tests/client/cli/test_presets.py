"""``parlour presets``: rules that the people of a server save for each other."""

import json

import pytest
from tests.support.server import ServerProcess

from parlour_client.cli.main import main
from parlour_client.play.entry import Entry
from parlour_protocol.messages import Create

ANNA, BERT = ("--name", "anna", "--key", "ab" * 32), ("--name", "bert", "--key", "cd" * 32)


def test_presets_are_saved_listed_and_removed(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOUR_SERVER", server.url)

    def done(*words: str) -> tuple[int, str]:
        code = main(["presets", *words])
        return code, "".join(capsys.readouterr())

    rules = ("--option", "target=200", "--option", "jump_in=true", "--seats", "3", "--clock", "none")
    assert done("save", "Our  Friday", *rules, *ANNA)[0] == 0
    assert done("save", "our friday", "--option", "target=300", *BERT)[0] != 0
    assert done("save", "wrong", "--option", "target=-5", *ANNA)[0] != 0
    code, text = done("save", "short", "--name", "gast")
    assert (code != 0, "key" in text) == (True, True)
    code, text = done("--json")
    assert code == 0
    (row,) = json.loads(text)["presets"]
    shown = [row[name] for name in ("name", "by", "game", "seats", "clock")]
    assert shown == ["Our Friday", "anna", "uno", 3, None]
    assert (row["options"]["target"], row["options"]["jump_in"]) == (200, True)
    assert "Our Friday" in done()[1]
    assert "Our Friday" not in done("--game", "minesweeper")[1]
    assert done("remove", "unknown", *ANNA)[0] != 0
    assert done("remove", "our friday", *BERT)[0] != 0
    assert main(["create", "--preset", "nothing", *ANNA, "--plain"]) != 0
    assert "Our Friday" in "".join(capsys.readouterr())
    assert done("remove", "OUR FRIDAY", *ANNA)[0] == 0
    assert json.loads(done("--json")[1])["presets"] == []


def test_preset_is_where_the_rules_of_a_new_room_begin(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[Create] = []

    def play(entry: Entry, plain: bool) -> int:
        assert isinstance(entry.enter, Create)
        created.append(entry.enter)
        return 0

    monkeypatch.setattr("parlour_client.cli.frontend.play", play)
    where = ("--server", server.url)
    rules = ("--option", "target=150", "--seats", "2", "--clock", "30/turn")
    assert main(["presets", "save", "short", *rules, *where, *ANNA]) == 0
    assert main(["create", "--preset", "SHORT", "--option", "jump_in=true", *where, *ANNA]) == 0
    assert main(["create", "--preset", "short", "--no-clock", "--seats", "5", *where, *ANNA]) == 0
    first, second = created
    assert first.options is not None
    assert (first.options["target"], first.options["jump_in"], first.seats) == (150, True, 2)
    assert first.clock == {"bank": 30_000, "add": 30_000, "cap": 30_000}
    assert (second.seats, second.clock) == (5, None)
