"""Slow references, written from the rule clauses alone; they share no code with the service."""
