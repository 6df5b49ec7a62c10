"""The worker: units on socket pairs, and requests to a real service."""
