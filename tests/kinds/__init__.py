"""The kinds of games."""
