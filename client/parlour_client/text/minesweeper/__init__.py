"""Minesweeper as lines of text."""
