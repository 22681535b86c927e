"""Answer clients' messages and translate room effects. No I/O. May import ``contests`` and below."""
