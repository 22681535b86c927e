"""What every Python process that the tests start runs first, because this folder is on ``PYTHONPATH``.

Stores do not sync: tests kill processes, never the machine, so that nothing written is lost. Entropy follows from
``TESTS_SEED``, so that the seed of a run repeats the deals of its servers.
"""

import os
import random
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class _Unsynced:
    """The finder of the module of SQLite stores, in which they then do not sync."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _: object = None) -> ModuleSpec | None:
        if name != "parlour_server.store.sqlite.store":
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_unsynced(module: ModuleType) -> None:
            load(module)
            if module.__name__ == name:  # an archive has one loader for all of its modules
                module.SqliteStore.__init__.__kwdefaults__["synced"] = False

        vars(spec.loader)["exec_module"] = load_unsynced
        return spec


def entropy(seed: str) -> Callable[[int], bytes]:
    """Return what draws bytes like ``os.urandom``, each function and name of a client from a sequence of its own.

    So it does not matter which of two clients is faster.
    """
    sequences: dict[str, random.Random] = {}

    def draw(size: int) -> bytes:
        caller = sys._getframe(1)
        name = f"{seed} {caller.f_code.co_qualname} {getattr(caller.f_locals.get('self'), 'name', '')}"
        return sequences.setdefault(name, random.Random(name)).randbytes(size)

    return draw


sys.meta_path.insert(0, _Unsynced)
if _seed := os.environ.get("TESTS_SEED"):  # a server and its house bots have the same, but not the same words
    vars(os)["urandom"] = entropy(f"{_seed} {' '.join(sys.orig_argv[1:4])}")
