"""Folders that are scored on clusters of real processes. `make cluster`."""
