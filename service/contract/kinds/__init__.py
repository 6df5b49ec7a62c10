"""The contract of each kind of game: one module for each kind."""
