"""An independent referee of parlour, written against the documents alone.

It knows ``SPEC.md``, ``docs/`` and ``parlour --help``, and shares no code with the server: it imports none of our
packages, and of our other tests only what starts servers and commands, or harms them (``test_independence.py``). What
it finds is therefore a fault of the server or of the documents.

- ``client.py``: a client of both encodings that comes back after every lost connection, and ``ledger.py``, its notes
- ``policy.py``: what its players do
- ``tables.py``: rooms of every game, mode and house rule, and the players that sit there
- ``verifier.py``, with ``referee.mjs`` and ``decisions.py``: a second verifier of match files. Its rules are those of
  the page, written from ``SPEC.md`` in another language than the server's, under Node.js. It computes every deal, view,
  question, number of a question, result and final state, but neither the odds of Minesweeper nor which boards need no
  guess
- ``audit.py``, ``sight.py``: compares what clients noted with the match files
- ``tamper.py``: systematic changes of match files

``-m 'not torture'`` runs a short form of each, and ``-m torture`` runs the long ones, and prints their figures::

    python -m pytest -rP -m torture tests/outsider
"""
