"""The phrases of the client, a table for each language. A package, so that archives can be read before Python 3.13."""
