"""The house rules that games of score cards read by name, if a variant has them."""

from __future__ import annotations

from service.rules.house_rules import KnownRule

DIRECTION = KnownRule("direction", default="clockwise", choices=("clockwise", "counter_clockwise"))
"""Which way round play goes (Y13)."""

STARTING_THROW = KnownRule("starting_throw", default="all_dice", choices=("all_dice", "one_die"))
"""What is thrown to decide who begins (Y13)."""

THROW_TO_BEGIN = KnownRule("throw_to_begin", default=False)
"""Whether the highest throw begins (D17)."""

ZEROS_LAST = KnownRule("zero_only_if_nothing_fits", default=False)
"""Whether a zero is refused while the dice score in an open box (D17)."""

KNOWN_RULES = (DIRECTION, STARTING_THROW, THROW_TO_BEGIN, ZEROS_LAST)

WRITING = {
    "G4": "Where players type in their dice, a turn can be written in one step: with its final "
    "dice, or with points that a roll can give in that box. Points alone earn no bonus for "
    "repeats.",
}
"""The clause of every score card besides those of every game."""
