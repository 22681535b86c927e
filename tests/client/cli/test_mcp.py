import sys

import pytest

from parlour_client.cli.frontend import mcp
from parlour_client.core.errors import Usage


def test_without_the_extra_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("parlour_client.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(Usage, match="mcp<3"):
        mcp()
