"""The operations `evaluate`, `rank` and `score`: one module for each kind of game."""
