"""The matrix: installs the built wheel in many environments and tries it in each of them. Run by ``make matrix``."""
