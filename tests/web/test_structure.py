"""The modules of the page: what each folder may import, what is loaded early, no cycles, no folder that is too full."""

import json
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

from tests.web.protocol_types import declarations

from parlour_protocol.messages import WhenLost
from parlour_protocol.wire import CLIENT_MESSAGES
from parlour_server.transport.pages import FORM_OPTIONS, LAYOUTS, OF_ROOMS

WEB = Path(__file__).parents[2] / "server/parlour_server/web"
MODULES = {file.relative_to(WEB).as_posix(): file for file in sorted(WEB.rglob("*.js"))}
IMPORTS = {
    "core": {"core"},
    "games/uno": {"core", "games/uno"},
    "games/minesweeper": {"core", "games/minesweeper"},
    "games/any": {"core", "games/any"},
    "verify": {"core", "games/uno", "games/minesweeper", "verify"},
    "views": {"core", "games/uno", "games/minesweeper", "games/any", "verify", "views"},
    "shell": {"core", "views", "shell"},
}
"""By layer: the layers that its modules may import."""
MOST = 20
"""Files in one folder."""


def layer(module: str) -> str:
    """Return the layer of a module: the longest one that its path begins with."""
    return next(name for name in IMPORTS if module.startswith(f"{name}/"))


def imports(module: str, pattern: str) -> list[str]:
    """Return the modules that ``module`` imports, found by ``pattern``."""
    folder = MODULES[module].parent
    found = re.findall(pattern, MODULES[module].read_text(encoding="utf-8"), re.MULTILINE)
    return [(folder / path).resolve().relative_to(WEB).as_posix() for path in found]


STATIC = r'^(?:import|export) (?:[^;"]* from )?"(\.[^"]+)"'
ANY = r'(?:from |import |import\()"(\.[^"]+)"'


def test_modules_import_from_their_own_layer_and_those_below() -> None:
    found = {(module, each) for module in MODULES for each in imports(module, ANY)}
    assert len(found) > len(MODULES)
    assert {each for _, each in found} <= {*MODULES, FORM_OPTIONS, LAYOUTS}
    assert [pair for pair in sorted(found) if layer(pair[1]) not in IMPORTS[layer(pair[0])]] == []


def test_no_module_imports_itself_through_others() -> None:
    graph = {module: imports(module, STATIC) for module in MODULES}
    assert sum(map(len, graph.values())) > len(MODULES)
    TopologicalSorter(graph).prepare()  # raises CycleError


def with_imports(module: str) -> set[str]:
    """Return ``module`` and all modules that it imports, directly or not, before it runs."""
    found, left = set[str](), [module]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += imports(each, STATIC) if each in MODULES else []
    return found


def test_the_page_preloads_what_it_and_its_first_views_import() -> None:
    html = (WEB / "index.html").read_text(encoding="utf-8")
    early = {*re.findall(r'(?:rel="modulepreload" href|type="module" src)="web/VERSION/([^"]+)"', html)}
    routed = set(imports("shell/router.js", ANY))
    assert with_imports("shell/app.js") | with_imports("views/lobby.js") - {"views/lobby.js"} == early
    assert with_imports("views/room/room.js") <= early | {*OF_ROOMS} <= early | routed
    games = set(imports("views/games.js", ANY))
    widgets = {each for each in games if each.endswith("/widget.js")}
    assert len(widgets) > 1
    assert set[str]().union(*map(with_imports, widgets)) <= early | games


def test_folders_stay_small_and_modules_say_what_they_do() -> None:
    folders = Counter(file.parent for file in WEB.rglob("*") if file.is_file())
    assert max(folders.values()) <= MOST
    silent = [module for module, file in MODULES.items() if not file.read_text(encoding="utf-8").startswith("// ")]
    assert silent == []


def test_the_types_of_messages_are_those_of_the_protocol() -> None:
    kept = (WEB.parents[1] / "page_types/protocol.d.ts").read_text(encoding="utf-8")
    assert kept == declarations(), "regenerate them: see tests/web/protocol_types.py"


def test_the_page_repeats_after_a_reconnect_only_what_may_be_repeated() -> None:
    session = MODULES["core/session.js"].read_text(encoding="utf-8")
    [listed] = re.findall(r"^const AGAIN = (\[.*?\]);", session, re.MULTILINE)
    assert set(json.loads(listed)) <= {tag for tag, cls in CLIENT_MESSAGES.items() if cls.lost is not WhenLost.REPORT}
