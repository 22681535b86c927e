"""Screens as pictures and films, without a terminal."""
