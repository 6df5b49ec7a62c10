"""The tests: what the games and the service promise."""
