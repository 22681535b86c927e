"""UNO as lines of text."""
