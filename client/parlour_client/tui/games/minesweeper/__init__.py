"""The Minesweeper widget."""
