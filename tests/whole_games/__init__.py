"""Whole games of every variant, played by random legal players: `make games`."""
