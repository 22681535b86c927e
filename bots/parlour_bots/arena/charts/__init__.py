"""Charts of arena results as SVG and PNG."""
