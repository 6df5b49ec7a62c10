"""Metrics: the memory map, the instruments, and what the service counts."""
