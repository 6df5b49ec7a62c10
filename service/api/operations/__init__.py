"""The operations of variants and their entries in the catalogue: modules for each kind of game."""
