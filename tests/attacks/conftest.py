"""One server for all attacks of a file: what one of them leaves behind, the next one would see."""

from collections.abc import Iterator

import pytest
from tests.support.server import ServerProcess, server_process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("besieged")) as server:
        yield server
