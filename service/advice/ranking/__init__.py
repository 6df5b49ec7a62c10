"""Advice for games of beat it or bust, such as `poker-dice`."""
