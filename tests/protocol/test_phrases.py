from pathlib import Path
from zipfile import ZipFile

import pytest

from parlour_protocol.phrases import table


def test_a_folder_of_phrases_needs_no_module_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "boxed.zip", "w") as archive:
        archive.writestr("boxed_game/__init__.py", "")
        archive.writestr("boxed_game/phrases/en.json", '{"boxed.name": "Boxed", "boxed.summary": "In a box."}')
        archive.writestr("boxed_game/phrases/de.json", '{"boxed.name": "Verpackt"}')
    monkeypatch.syspath_prepend(tmp_path / "boxed.zip")
    assert table("boxed_game.phrases", "de") == {"boxed.name": "Verpackt", "boxed.summary": "In a box."}
