"""How parlour is installed: how to run its modules, what to run to add packages to it, and where its documents are.

Modules run in processes of their own also from an archive (zipapp, shiv, pex) and a frozen program.
"""

import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, metadata, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

_RUN: Final = "--run-module"
"""The first word of a frozen program that runs a module in place of its own."""
_ON_PATH: Final = (
    "import runpy, sys; sys.path[:] = sys.argv.pop(1).split('\\n');"
    " runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
"""Runs a module that is found on the path of the process that starts it."""


def module_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module as ``python -m`` does."""
    if _is_frozen():
        return [sys.executable, _RUN, module, *words]
    if _is_in_archive():
        return [sys.executable, "-c", _ON_PATH, "\n".join(sys.path), module, *words]
    return [sys.executable, "-m", module, *words]


def run_module_if_child() -> None:
    """Run a module and exit if a frozen program was started with ``module_command``; else do nothing.

    The main script of a frozen program calls this first.
    """
    if _is_frozen():
        import multiprocessing

        multiprocessing.freeze_support()
        if sys.argv[1:2] == [_RUN]:
            del sys.argv[1]
            runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
            sys.exit()


def is_single_file() -> bool:
    """Return whether parlour runs from an archive or as a frozen program, to which nothing can be added."""
    return _is_frozen() or _is_in_archive()


def _is_frozen() -> bool:
    return getattr(sys, "frozen", False)


def _is_in_archive() -> bool:
    """Return whether Python runs a folder or archive that has a ``__main__.py``, or was started from one."""
    spec: Any = getattr(sys.modules["__main__"], "__spec__", None)
    return _ON_PATH in sys.orig_argv or (spec is not None and spec.name == "__main__")


def extra_hint(extra: str) -> str:
    """Return a sentence that says how to install the packages of an extra."""
    if _is_image():
        extras = ",".join(sorted({"postgres", extra}))
        return f"Build the image with --build-arg EXTRAS={extras}, as {document_url('deploy/Dockerfile')} says"
    marker = f'extra == "{extra}"'
    listed = [each.replace("'", '"').partition(";") for each in requires("parlour") or ()]
    return install_hint(*(requirement.strip() for requirement, _, condition in listed if marker in condition))


def install_hint(*packages: str) -> str:
    """Return a sentence that says how to install packages, each named as for pip."""
    if is_single_file() or _is_image():
        return f"Build this program again, with: {_quoted(*packages)}"
    return f"Install it with: {install_command(*packages)}"


def install_command(*packages: str) -> str:
    """Return the command that installs packages where parlour is installed; ``--editable`` may come first."""
    place = Path(sys.prefix)
    if (place / "pipx_metadata.json").exists():
        return _quoted("pipx", "inject", place.name, *packages)
    if (receipt := place / "uv-receipt.toml").exists():
        return _quoted("uv", "tool", "install", *_uv_words(packages, receipt))
    if find_spec("pip") is None:
        return _quoted("uv", "pip", "install", "--python", sys.executable, *packages)
    return module_line("pip", "install", *packages)


def module_line(module: str, *words: str) -> str:
    """Return the line that runs a module with the Python of this installation, for a shell."""
    found = shutil.which("python")
    mine = found is not None and Path(found).parent == Path(sys.executable).parent
    return _quoted("python" if mine else sys.executable, "-m", module, *words)


def document_url(path: str) -> str:
    """Return where a file of the repository is: in the checkout that parlour was installed from, or in its release."""
    from urllib.request import url2pathname  # slow to import

    origin = json.loads(distribution("parlour").read_text("direct_url.json") or "{}").get("url", "")
    local = Path(url2pathname(urlsplit(origin).path), path)
    if origin.startswith("file:") and local.exists():
        return str(local)
    urls: dict[str, str] = dict(each.split(", ", 1) for each in metadata("parlour").get_all("Project-URL") or ())
    return urls.get("Documentation", "docs").removesuffix("docs") + path


def _is_image() -> bool:
    """Return whether this is the container image, which keeps the file that it was built from."""
    return Path(sys.prefix, "Dockerfile").exists()


def _uv_words(packages: tuple[str, ...], receipt: Path) -> Iterator[str]:
    """Yield what installs packages with uv, and again parlour and all else in the receipt, which uv would remove."""
    option = "--with"
    for package in packages:
        if package == "--editable":
            option = "--with-editable"
        else:
            yield from (option, package)
    for each in tomllib.loads(receipt.read_text(encoding="utf-8"))["tool"]["requirements"]:
        if each["name"] != "parlour":
            yield "--with-editable" if "editable" in each else "--with"
        elif "editable" in each:
            yield "--editable"
        yield _requirement(each)


def _requirement(entry: dict[str, Any]) -> str:
    """Return an entry of uv's receipt as its command line names it."""
    extras = f"[{','.join(entry['extras'])}]" if "extras" in entry else ""
    if "git" in entry:
        address, _, revision = entry["git"].partition("?rev=")
        return f"{entry['name']}{extras} @ git+{address}" + (f"@{revision}" if revision else "")
    place = next((entry[kind] for kind in ("editable", "directory", "path", "url") if kind in entry), entry["name"])
    return f"{place}{extras}{entry.get('specifier', '')}"


def _quoted(*words: str) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
