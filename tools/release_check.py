"""``python -m tools.release_check [TAG]``: check what a release would publish; keep it in ``dist`` if all is well.

Both archives are built twice, from copies that differ in their place, their times and their permissions. With TAG, such
as v1.2.0, the checkout must also be ready to be released under it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HATCH = PROJECT["tool"]["hatch"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CHANGES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""The kinds of changes in Keep a Changelog, in its order."""
_RELEASE = re.compile(r"\[\d+(?:\.\d+)+\] - (\d{4}-\d\d-\d\d)")
_RELATIVE = re.compile(r"\]\((?!https://|#)")


def main() -> int:
    """Build and check; print what is wrong, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.release_check", description="Check what would be released.")
    parser.add_argument("tag", nargs="?", help="the tag of the release")
    tag: str | None = parser.parse_args().tag
    with tempfile.TemporaryDirectory(prefix="parlour-release-") as folder:
        first, second = (_build(Path(folder, name), umask) for name, umask in (("a", 0o022), ("other/b", 0o077)))
        wrong = [*_differences(first, second), *_descriptions(first), *_contents(first), *_changelog()]
        wrong += _readiness(tag) if tag is not None else ()
        if not wrong:
            shutil.rmtree(DIST, ignore_errors=True)
            shutil.copytree(first, DIST)
    for each in wrong:
        print(f"release-check: {each}", file=sys.stderr)
    return int(bool(wrong))


def _build(folder: Path, umask: int) -> Path:
    """Copy what git tracks to ``folder``, build both archives there, and return the folder that holds them."""
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    before = os.umask(umask)
    try:
        for name in filter(None, listed.decode().split("\0")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
        if said := _run("build", folder):
            sys.exit(said)
    finally:
        os.umask(before)
    return folder / "dist"


def _differences(first: Path, second: Path) -> Iterator[str]:
    """Yield the archives that are not the same in both folders."""
    names = {path.name for folder in (first, second) for path in folder.iterdir()}
    for name in sorted(names):
        one, two = first / name, second / name
        if not (one.exists() and two.exists() and one.read_bytes() == two.read_bytes()):
            yield f"{name}: a second build differs"


def _descriptions(dist: Path) -> Iterator[str]:
    """Yield what twine says against the archives."""
    if said := _run("twine", "check", "--strict", *dist.iterdir()):
        yield said.strip()


def _contents(dist: Path) -> Iterator[str]:
    """Yield what is missing or wrong in the wheel."""
    (archive,) = dist.glob("*.whl")
    with ZipFile(archive) as wheel:
        names = wheel.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(wheel.read(place))
    licenses = [f"/licenses/{name}" for name in PROJECT["project"]["license-files"]]
    typed = [f"{Path(package).name}/py.typed" for package in HATCH["build"]["targets"]["wheel"]["packages"]]
    for ending in (*licenses, *typed, "/share/man/man1/parlour.1"):
        if not any(name.endswith(ending) for name in names):
            yield f"{archive.name} has no {ending}"
    if _RELATIVE.search(str(metadata.get_payload())):
        yield "README.md: a link leads nowhere on a package index; hatch_build.py makes them absolute"


def _changelog() -> Iterator[str]:
    """Yield where CHANGELOG.md is not in the form of Keep a Changelog."""
    _, *sections = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)
    titles = [section.partition("\n")[0] for section in sections]
    dates = [match[1] for match in map(_RELEASE.fullmatch, titles[1:]) if match]
    if titles[0] != "[Unreleased]" or len(dates) != len(titles) - 1 or dates != sorted(dates, reverse=True):
        yield "CHANGELOG.md: ## [Unreleased] comes first, then ## [VERSION] - YYYY-MM-DD, the latest first"
    for title, section in zip(titles, sections, strict=True):
        kinds = re.findall(r"^### (.*)$", section, re.MULTILINE)
        if kinds != [kind for kind in CHANGES if kind in kinds]:
            yield f"CHANGELOG.md, {title}: the headings are {', '.join(CHANGES)}, each once, in this order"


def _readiness(tag: str) -> Iterator[str]:
    """Yield why the checkout cannot be released under ``tag``."""
    version = PROJECT["project"]["version"]
    if tag != f"v{version}" or "dev" in version:
        yield f"pyproject.toml: the version is {version}, the tag {tag}"
    unreleased, _, latest = CHANGELOG.partition("## [Unreleased]")[2].partition("## ")
    if unreleased.strip() or not latest.startswith(f"[{version}] - "):
        yield f"CHANGELOG.md: move what is under [Unreleased] to [{version}] with a date"
    if "not on PyPI" in (ROOT / "README.md").read_text(encoding="utf-8"):
        yield "README.md: say how to install the release, which will be on PyPI"
    repository = HATCH["metadata"]["hooks"]["custom"]["repository"]
    if "example.org" in repository:
        yield f"pyproject.toml: {repository} stands for the public repository; name it"


def _run(module: str, *words: object) -> str:
    """Run a module of this Python. Return its output if it fails."""
    command = (sys.executable, "-m", module, *map(str, words))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode else ""


if __name__ == "__main__":
    sys.exit(main())
