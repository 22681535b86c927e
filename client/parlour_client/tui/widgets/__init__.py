"""Widgets that several screens share. May import ``theme``."""
