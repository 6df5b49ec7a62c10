"""Folders that are scored on clusters of real processes. `make test-cluster`."""
