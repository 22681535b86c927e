from collections.abc import Iterator

import pytest
from tests.support.server import ServerProcess, server_process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server"), "--rate-same-address") as running:
        yield running
