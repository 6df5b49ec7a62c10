"""The house rules that beat it or bust reads by their names (P7, P14)."""

from __future__ import annotations

from service.rules.house_rules import KnownRule

STARTING_CHIPS = KnownRule("starting_chips", default=100, minimum=1, chips=True)

ROUNDS = KnownRule("rounds", default=None, minimum=1)
"""The rounds of a game; None: until one player has all chips."""

KNOWN_RULES = (STARTING_CHIPS, ROUNDS)
