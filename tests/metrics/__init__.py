"""Metrics: the instruments, and what the service counts."""
