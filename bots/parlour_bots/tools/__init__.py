"""Tools for bot authors: check, reports, scaffold, status lines. May import ``loading`` and below."""
