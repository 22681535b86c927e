"""The bundled Minesweeper players."""
