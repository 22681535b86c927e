"""Run modules of parlour in processes of their own, also from an archive (zipapp, shiv, pex) and a frozen program."""

import runpy
import sys
from typing import Any, Final

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
