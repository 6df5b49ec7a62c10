"""Games that only tests play: each is one module, as a game from outside is."""
