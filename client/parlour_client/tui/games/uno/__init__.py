"""The UNO widget."""
