"""The operation `advise`: the best play and its value; one module for each kind of game."""
