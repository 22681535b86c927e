"""One server for all attacks of a module: damage left by one attack shows in the next."""

from collections.abc import Iterator

import pytest
from tests.support.server import ServerProcess, server_process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("attacked")) as server:
        yield server
