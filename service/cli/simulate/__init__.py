"""The commands `simulate`, which plays games of score cards, and `summary`."""
