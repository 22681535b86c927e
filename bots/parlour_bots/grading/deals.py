"""The deals of a course, which no submission can predict."""

import hmac
import secrets
from pathlib import Path

from parlour_client.core.errors import writing
from parlour_client.storage.private_files import read, write

_BYTES = 16


def seed_of_deals(results: Path, seed: int) -> int:
    """Return the seed of all games. Raises Usage.

    It is derived from the seed of the settings and a secret in ``results``, which is drawn with the first grading.
    From the seed of the settings alone, a submission could compute all hands.
    """
    file = results / "secret"
    secret = read(file)
    if secret is None:
        secret = secrets.token_hex(_BYTES)
        with writing(file):
            results.mkdir(parents=True, exist_ok=True)
            write(file, secret)
    return int.from_bytes(hmac.digest(secret.strip().encode(), str(seed).encode(), "sha256")[:_BYTES])
