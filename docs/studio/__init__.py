"""Make the pictures of the README from the real screens: ``make pictures``."""
