"""The best play of each game, and what every choice costs: pure computing, without HTTP."""
