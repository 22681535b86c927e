"""The outsider shares no code with the project, and with its other tests only what starts processes, and harms them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ALLOWED = {*sys.stdlib_module_names, "msgpack", "pytest", "websockets"}
OURS = ("tests.outsider", *(f"tests.support.{name}" for name in ("commands", "postgres", "server", "wires")))


def test_outsider_imports_only_itself_and_libraries() -> None:
    imports = [(path.name, name) for path in Path(__file__).parent.glob("*.py") for name in _imports(path)]
    foreign = [
        (path, name) for path, name in imports if name.split(".")[0] not in ALLOWED and not name.startswith(OURS)
    ]
    assert imports
    assert foreign == []


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=module, level=level):
                yield f"{'.' * level}{module}"
