"""The same test on either store: ``@pytest.fixture(params=STORES)`` over a fixture that asks for ``new_store``."""

import pytest
from tests.support.postgres import Postgres

STORES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


def new_store(request: pytest.FixtureRequest) -> str | None:
    """Return where a server is to keep everything: the URL of a new database, or None, which is a file of its own."""
    if request.param == "sqlite":
        return None
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()
