"""Links and paths in the documentation lead to existing files, anchors and names."""

import re
import subprocess
from functools import cache
from pathlib import Path
from shutil import which

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = tuple(f"{name}/parlour_{name}" for name in ("protocol", "games", "server", "client", "bots"))
SUFFIXES = ("py", "md", "js", "mjs", "json", "toml", "yaml", "cfg", "conf", "service", "svg", "png")
MAPS = (
    "docs/architecture.md",
    "CONTRIBUTING.md",
    "tests/README.md",
    *(f"{name.split('/')[0]}/README.md" for name in PACKAGES),
)
"""Documents that mention our files by bare names; elsewhere a bare name may be a file of the reader."""
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(rf"(?:[\w-][\w.-]*/)*(?:[\w-]+/|[\w.-]+\.(?:{'|'.join(SUFFIXES)}))")
_STEP = re.compile(r"^\| \d+ \| (.+?) \| (.+?) \| .* \|$", re.MULTILINE)


@cache
def tracked() -> tuple[str, ...]:
    """Return the files of the repository, including new ones; without git, those outside of ignored folders."""
    if git := which("git"):
        words = (git, "ls-files", "--cached", "--others", "--exclude-standard")
        listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if listed.returncode == 0:
            return tuple(listed.stdout.splitlines())
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()} | {".git"}
    files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return tuple(path.as_posix() for path in files if ignored.isdisjoint(path.parts))


DOCUMENTS = [name for name in tracked() if name.endswith(".md") and (ROOT / name).exists()]


def prose(name: str) -> str:
    return _FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document: its headings, and explicit ones."""
    text = path.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", _FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles} | set(
        re.findall(r'<a (?:id|name)="([^"]+)"', text)
    )


def found(name: str, path: str) -> list[Path]:
    """Resolve ``path`` in the document ``name``: relative to it, to the root, or to a package."""
    bases = [(ROOT / name).parent, ROOT, *(ROOT / package for package in PACKAGES)]
    exact = [base / path for base in bases if (base / path).exists()]
    if exact or "/" in path.rstrip("/"):
        return exact
    return [ROOT / each for each in tracked() if path.rstrip("/") in Path(each).parts]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_resolve(name: str) -> None:
    for target, anchor in _LINK.findall(prose(name)):
        path = ((ROOT / name).parent / target).resolve() if target else ROOT / name
        assert path.exists(), f"{name}: {target}"
        assert not anchor or anchor in anchors(path), f"{name}: {target}#{anchor}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_exist(name: str) -> None:
    spans = (span for span in _CODE.findall(prose(name)) if _PATH.fullmatch(span))
    paths = {span for span in spans if "/" in span.rstrip("/") or name in MAPS}
    assert not [path for path in paths if not found(name, path)]


def test_functions_in_the_architecture_exist() -> None:
    steps = _STEP.findall(prose("docs/architecture.md"))
    assert len(steps) > 15
    for where, names in steps:
        sources = [path.read_text() for each in _CODE.findall(where) for path in found("docs/architecture.md", each)]
        for name in _CODE.findall(names):
            for part in name.split("."):
                assert any(re.search(rf"\b(?:def|class) {part}\b", source) for source in sources), f"{where}: {name}"


def test_members_in_the_architecture_exist() -> None:
    sources = [(ROOT / name).read_text() for name in tracked() if name.endswith(".py") and name.startswith(PACKAGES)]
    named = set(re.findall(r"`([A-Z]\w+)\.([a-z_]\w+)`", prose("docs/architecture.md"))) - {("SPEC", "md")}
    assert len(named) > 15
    missing = {
        f"{owner}.{member}"
        for owner, member in named
        if not any(
            f"class {owner}" in text and re.search(rf"def {member}\(|^    {member}: ", text, re.M) for text in sources
        )
    }
    assert not missing
