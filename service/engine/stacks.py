"""The chips with which a game from paper goes on."""

from __future__ import annotations

from collections.abc import Sequence

from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation

LEAST = 2
"""How many players must have chips."""


def check_stacks(field: str, stacks: Sequence[int]) -> None:
    """Raises `InvalidInput`, with the path to `field`, if too few of the `stacks` have chips."""
    if sum(map(bool, stacks)) < LEAST:
        raise InvalidInput(Violation((field,), Breach.TOO_FEW_WITH_CHIPS(minimum=LEAST)))
