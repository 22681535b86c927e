"""A store by its URL."""

from pathlib import Path

import pytest

from parlour_server.store import open_store
from parlour_server.store.base import POSTGRES, CannotOpen


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:///games.db", "games.db"),
        ("sqlite:///./new/folder/games.db", "new/folder/games.db"),
        ("sqlite:///~/games.db", "home/games.db"),
        ("sqlite:///{absolute}/games.db", "games.db"),
    ],
)
async def test_url_names_a_file(url: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    await open_store(url.format(absolute=tmp_path)).close()
    assert (tmp_path / file).is_file()


@pytest.mark.parametrize(
    "url", ["", "games.db", "sqlite:games.db", "sqlite://games.db", "sqlite:///", "mysql:///games", "SQLITE:///x"]
)
def test_other_urls_are_refused_with_the_right_form(url: str) -> None:
    with pytest.raises(CannotOpen, match="sqlite:///FILE"):
        open_store(url)


@pytest.mark.parametrize("scheme", POSTGRES)
async def test_both_names_of_postgresql_open_its_store(scheme: str) -> None:
    store = open_store(f"{scheme}nobody@/none?host=/nowhere")
    assert store.shared
    await store.close()
