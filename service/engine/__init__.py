"""A game in steps, whatever the game."""
