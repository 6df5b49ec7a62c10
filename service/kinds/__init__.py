"""The kinds of games: one folder for each, with how it scores hands and how it is played."""
