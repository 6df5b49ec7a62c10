"""Hands in bulk: the kernels, and the readers and files of hands."""
