"""The kinds of games, a room each."""
