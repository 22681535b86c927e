"""What is claimed is measured here: ``make bench`` prints one table, ``python -m benchmarks.NAME`` a part of it."""
