"""Tools for bot authors: check, series, reports, scaffold. May import ``loading`` and what is below."""
