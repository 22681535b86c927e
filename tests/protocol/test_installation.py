import json
import shutil
import sys
from email.message import Message
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest

from parlour_protocol import installation
from parlour_protocol.installation import document_url, extra_hint, install_command, module_line
from parlour_protocol.phrases import table

RECEIPT = """[tool]
requirements = [
    { name = "parlour", extras = ["llm", "rl"], directory = "/srv/parlour" },
    { name = "mcp", specifier = ">=2.0,<3" },
    { name = "mygame", editable = "/srv/mygame" },
    { name = "other", git = "https://git.example.org/other?rev=v2" },
]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an environment in which parlour was installed from a package index."""
    folder = tmp_path / "parlour"
    folder.mkdir()
    monkeypatch.setattr(sys, "prefix", str(folder))
    monkeypatch.setattr(sys, "executable", str(folder / "bin" / "python"))
    monkeypatch.setattr(installation, "find_spec", lambda _: object())
    monkeypatch.setattr(shutil, "which", lambda _: None)
    message = Message()
    message["Project-URL"] = "Issues, https://a/issues"
    message["Project-URL"] = "Documentation, https://a/blob/v1/docs"
    monkeypatch.setattr(installation, "metadata", lambda _: message)
    monkeypatch.setattr(installation, "distribution", lambda _: SimpleNamespace(read_text=lambda _: None))
    return folder


def test_pip_of_the_same_environment(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = str(place / "bin" / "python")
    assert install_command("a>=1") == f"{python} -m pip install 'a>=1'"
    monkeypatch.setattr(shutil, "which", lambda _: python)
    assert install_command("a>=1") == "python -m pip install 'a>=1'"
    assert module_line("pytest", "mygame") == "python -m pytest mygame"
    monkeypatch.setattr(installation, "find_spec", lambda _: None)
    assert install_command("--editable", "./a") == f"uv pip install --python {python} --editable ./a"


def test_pipx_injects(place: Path) -> None:
    (place / "pipx_metadata.json").touch()
    assert install_command("a>=1", "b") == "pipx inject parlour 'a>=1' b"


def test_uv_installs_the_tool_again_with_all_that_was_beside_it(place: Path) -> None:
    (place / "uv-receipt.toml").write_text(RECEIPT)
    kept = (
        "'/srv/parlour[llm,rl]' --with 'mcp>=2.0,<3' --with-editable /srv/mygame"
        " --with 'other @ git+https://git.example.org/other@v2'"
    )
    assert install_command("a>=1", "b") == f"uv tool install --with 'a>=1' --with b {kept}"
    assert install_command("--editable", "./a") == f"uv tool install --with-editable ./a {kept}"


def test_a_single_file_is_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert installation.is_single_file()
    assert extra_hint("mcp") == "Build this program again, with: 'mcp<3,>=2.0'"


def test_an_image_is_built_again(place: Path) -> None:
    (place / "Dockerfile").touch()
    assert "--build-arg EXTRAS=mcp,postgres," in extra_hint("mcp")
    assert "https://a/blob/v1/deploy/Dockerfile" in extra_hint("postgres")


def test_an_extra_names_its_packages(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["attrs>=25.3", "gymnasium>=1.0; extra == 'rl'", 'numpy>=1.26; extra == "rl"', "mcp; extra == 'mcp'"]
    monkeypatch.setattr(installation, "requires", lambda _: wanted)
    assert extra_hint("rl").endswith(" -m pip install 'gymnasium>=1.0' 'numpy>=1.26'")


def test_documents_are_in_the_checkout_or_in_the_release(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert document_url("deploy") == "https://a/blob/v1/deploy"
    (place / "deploy").mkdir()
    checkout = SimpleNamespace(read_text=lambda _: json.dumps({"url": place.as_uri()}))
    monkeypatch.setattr(installation, "distribution", lambda _: checkout)
    assert document_url("deploy") == str(place / "deploy")
    assert document_url("docs") == "https://a/blob/v1/docs"


def test_a_folder_of_phrases_needs_no_module_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "boxed.zip", "w") as archive:
        archive.writestr("boxed_game/__init__.py", "")
        archive.writestr("boxed_game/phrases/en.json", '{"boxed.name": "Boxed", "boxed.summary": "In a box."}')
        archive.writestr("boxed_game/phrases/de.json", '{"boxed.name": "Verpackt"}')
    monkeypatch.syspath_prepend(tmp_path / "boxed.zip")
    assert table("boxed_game.phrases", "de") == {"boxed.name": "Verpackt", "boxed.summary": "In a box."}
