"""The turn-by-turn engine that all games share: states, legal moves, chance. It is pure."""
