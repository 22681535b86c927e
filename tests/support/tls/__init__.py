"""A certificate for localhost that is worth nothing: its key is public. For tests of TLS; good until 2126."""

from pathlib import Path

CERTIFICATE = Path(__file__).with_name("cert.pem")
KEY = Path(__file__).with_name("key.pem")
