"""What all tests of clients share: they begin in English."""

from collections.abc import Iterator

import pytest

from parlour_client.core.phrases import phrases


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Forget the language and the words that a test has let the client learn."""
    yield
    phrases.use("en")
    phrases._learnt.clear()
