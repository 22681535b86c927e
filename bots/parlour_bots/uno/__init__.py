"""The bundled UNO players."""
