"""Hands in bulk: the kernels, and the readers of hands."""
