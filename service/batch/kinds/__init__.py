"""The possible outcomes of a hand: one module for each kind of game, and the NumPy kernels."""
