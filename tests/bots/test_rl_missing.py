"""Without the extra, the environments say what to install."""

import importlib
import sys

import pytest


def test_import_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("parlour_bots.rl")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match="extra rl"):
        importlib.import_module("parlour_bots.rl")
