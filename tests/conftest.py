"""Fixtures and hooks of all tests: the seed, time limits, and groups that need more than Python packages."""

import gc
import os
import signal
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from contextlib import nullcontext, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import distribution
from itertools import count
from pathlib import Path
from secrets import randbelow
from typing import Any

import pytest
import structlog
from hypothesis import find, settings
from hypothesis.strategies import none
from tests.support.examples import USUAL, examples
from tests.support.groups import GROUPS, left_out, missing, node
from tests.support.hanging import limited
from tests.support.plugins import EXAMPLES, install_example
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess, server_process
from tests.support.site import sitecustomize

from parlour_games import registry

QUICK = os.environ.get("PARLOUR_TESTS") == "quick"
"""Whether this is `make quick`: no test starts a process."""
SEED = int(os.environ.get("PARLOUR_SEED") or randbelow(2**32))
"""The seed of all random choices in tests."""
os.environ.setdefault("PARLOUR_SEED", str(SEED))  # the workers of pytest-xdist inherit it
os.environ["PARLOUR_LANG"] = "en"  # whatever the language of those who run the tests
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(sitecustomize.__file__).parent), os.environ.get("PYTHONPATH")])
)
FIRST = ("tests/evening/", "tests/nodes/test_takeover.py")
"""Where the longest tests are. They start first: in the end the other workers would wait for them."""
_popen: Any = subprocess.Popen
_start: Any = _popen.__init__
_started: "defaultdict[str, count[int]]" = defaultdict(count)


def _start_seeded(self: Any, *args: Any, env: Mapping[str, str] | None = None, **options: Any) -> None:
    """Give each process that a test starts a seed of its own: two clients must not draw the same."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    if test and QUICK:
        pytest.skip("starts a process")
    seed = f"{SEED}/{test}/{next(_started[test])}"
    _start(self, *args, env={**(os.environ if env is None else env), "TESTS_SEED": seed}, **options)


# a part of subprocess for what asks by whose line a process was started
_start_seeded.__code__ = _start_seeded.__code__.replace(co_filename=subprocess.__file__)
_popen.__init__ = _start_seeded

for number in (signal.SIGINT, signal.SIGHUP):  # a run in the background ignores them, and so would what it starts
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

settings.register_profile("tests", examples(USUAL))
settings.load_profile("tests")


@pytest.fixture(autouse=True, scope="session")
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the keys and tokens of the user who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _seeded_entropy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clients in the test process draw from the seed, too: deals depend on their nonces."""
    monkeypatch.setattr(os, "urandom", sitecustomize.entropy(f"{SEED}/{request.node.nodeid}"))


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """Undo what ``parlour serve`` sets up in the test process: it logs to a stream that is closed after the test."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def seed() -> int:
    return SEED


@pytest.fixture
def example_games(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Install the games in ``games/examples`` for a test and the processes that it starts; return their names."""
    return install_examples(tmp_path_factory.mktemp("examples"), monkeypatch)


def install_examples(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Install the games in ``games/examples`` in ``folder``, until ``monkeypatch`` is undone; return their names."""
    for example in EXAMPLES:
        install_example(folder, example)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])))
    monkeypatch.setattr(registry, "_installed", cache(registry._installed.__wrapped__))
    return [example.name for example in EXAMPLES]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server without house bots, shared by the tests of a module: each leaves it running."""
    with server_process(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, for tests marked ``postgres``."""
    with Postgres() as server:
        yield server


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The URL of a new database there."""
    return postgres.database()


@pytest.fixture
def node_executable() -> Path:
    """Node.js, for tests marked ``node``."""
    return node()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(SEED)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers: two per core, since tests wait half of the time."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for garbage less often: not while ten thousand tests are collected, and in none of what has been.

    Hypothesis sets up its generator first: it looks for references to it, while there is little to look through.
    """
    find(none(), lambda _: True, settings=settings(database=None))
    gc.disable()
    try:
        import_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


def import_share(config: pytest.Config) -> None:
    """Import the test modules that are a worker's share: so in a fresh clone each is compiled by one worker."""
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is None:
        return
    files = sorted(file for each in config.args for file in (config.rootpath / each).rglob("test_*.py"))
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # whoever collects it tells why
            import_module(".".join(file.relative_to(config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    expression: str = config.getoption("-m") or ""
    groups = [{mark.name for mark in item.iter_markers()}.intersection(GROUPS) for item in items]
    out = {name for name in set().union(*groups) if left_out(name, expression)}
    config.hook.pytest_deselected(items=[item for item, names in zip(items, groups, strict=True) if names & out])
    items[:] = [item for item, names in zip(items, groups, strict=True) if not names & out]
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the time of a test, except of the long ``torture`` tests."""
    with nullcontext() if item.get_closest_marker("torture") else limited():
        return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers():
        if mark.name in GROUPS and (why := missing(mark.name)):
            pytest.fail(why, pytrace=False)


def stale_entry_points() -> set[str]:
    """Return the entry points of pyproject.toml that are not installed, as after one has moved."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    installed = {(entry.group, entry.name, entry.value) for entry in distribution("parlour").entry_points}
    return {
        f"{group} {name}"
        for group, entries in project["entry-points"].items()
        for name, value in entries.items()
        if (group, name, value) not in installed
    }


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    expression: str = config.getoption("-m") or ""
    for name in GROUPS:
        if why := left_out(name, expression):
            terminalreporter.write_line(f"group {name} skipped: {why}")
    if stale := stale_entry_points():
        terminalreporter.write_line(f"not installed: {', '.join(sorted(stale))}; run pip install --editable .")
    hypothesis = config.getoption("--hypothesis-seed")
    terminalreporter.write_line(f"seeds: PARLOUR_SEED={SEED} --hypothesis-seed={hypothesis}")
