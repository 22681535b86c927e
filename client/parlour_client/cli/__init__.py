"""The ``parlour`` command and the client's verbs. May import every other subpackage."""
