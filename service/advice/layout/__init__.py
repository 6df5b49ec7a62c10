"""Advice for games whose dice are laid out as crossing hands, such as `roll-a-royal`."""
