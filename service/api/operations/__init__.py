"""`evaluate`, `rank` and `score`, one module a kind of game."""
