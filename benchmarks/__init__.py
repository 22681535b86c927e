"""Benchmarks: ``make bench`` runs all of them, ``python -m benchmarks.NAME`` runs one."""
