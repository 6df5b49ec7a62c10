"""What matters of a card between turns: a `Position`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Position:
    """What matters of a card between turns.

    `upper_used` and `lower_used` are bit masks of used boxes, bit 0 for the first box of the
    section. `upper` is the sum of the upper section, at most the highest threshold. `armed` says
    that repeats earn their bonus now.
    """

    upper_used: int = 0
    upper: int = 0
    lower_used: int = 0
    armed: bool = False


def open_boxes(boxes: int, used: int) -> list[int]:
    """The places of the open boxes of a section with so many boxes, by its used boxes as bits."""
    return [box for box in range(boxes) if not used >> box & 1]


EMPTY = Position()
"""The position of an empty card."""
