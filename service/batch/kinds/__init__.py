"""The outcomes of each kind of game, a module each, and the kernels that find them."""
