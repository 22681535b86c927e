"""Certificates for localhost that are worth nothing: their keys are public. For tests of TLS; good until 2126."""

from pathlib import Path

CERTIFICATE = Path(__file__).with_name("cert.pem")
KEY = Path(__file__).with_name("key.pem")
RENEWED = Path(__file__).with_name("renewed.pem")
RENEWED_KEY = Path(__file__).with_name("renewed-key.pem")
