"""Twentyone for parlour."""
