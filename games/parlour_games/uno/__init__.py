"""UNO: ``plugin`` is the contract, ``rules`` the core, ``cards`` and ``actions`` the vocabulary."""
