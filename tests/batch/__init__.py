"""Many hands at a time: the kernels, and the parsers of hands."""
