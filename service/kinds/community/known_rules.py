"""The house rules that games with community dice read by their names (H9, H11, H13, H18)."""

from __future__ import annotations

from service.rules.house_rules import KnownRule

ANTE = KnownRule("ante", default=1, minimum=0, chips=True)
SMALL_LIMIT = KnownRule("small_limit", default=1, minimum=1, chips=True)
BIG_LIMIT = KnownRule("big_limit", default=2, minimum=1, chips=True)
MAX_RAISES = KnownRule("max_raises", default=3, minimum=0)
STARTING_CHIPS = KnownRule("starting_chips", default=50, minimum=1, chips=True)
REROLL_CHECKED_FLOP = KnownRule("reroll_checked_flop", default=False)

KNOWN_RULES = (ANTE, SMALL_LIMIT, BIG_LIMIT, MAX_RAISES, STARTING_CHIPS, REROLL_CHECKED_FLOP)
