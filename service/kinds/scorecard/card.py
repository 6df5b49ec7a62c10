"""Score cards: what is written on one, what it adds up to, and how it is parsed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from service.rules.dice import whole_number
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation


@dataclass(frozen=True)
class Card:
    """A score card: for every box in card order its score, None while it is open.

    `repeated` counts the rolls that earned the bonus of `Repeats`.
    """

    scores: Mapping[str, int | None]
    repeated: int = 0

    @property
    def open_boxes(self) -> tuple[str, ...]:
        """The boxes not used yet, in card order."""
        return tuple(box for box, score in self.scores.items() if score is None)


@dataclass(frozen=True)
class Totals:
    """A card added up: `upper` without its `bonus`; `repeats` are points for repeated rolls."""

    card: Card
    upper: int
    bonus: int
    lower: int
    repeats: int

    @property
    def total(self) -> int:
        """All points on the card."""
        return self.upper + self.bonus + self.lower + self.repeats


@dataclass(frozen=True)
class BoxEntry:
    """A finished turn: the dice as they lie, and the box to write them in."""

    dice: tuple[int, ...]
    box: str


@dataclass(frozen=True)
class Entrant:
    """A player with a card."""

    id: str
    card: Card


@dataclass(frozen=True)
class ScoredPlayer:
    """A player with what the card adds up to."""

    id: str
    totals: Totals


def read_card(written: object, possible: Mapping[str, Sequence[int]], counter: str | None) -> Card:
    """Parses a card: an object with a score for each box; boxes left out are open.

    `possible` has the scores that a roll can give in each box, in card order. `counter` is the name
    under which the card counts repeats, None if it doesn't.

    Raises `InvalidInput` naming every unknown box and every score that no roll gives.
    """
    if not isinstance(written, dict):
        raise InvalidInput(Violation((), "must be an object of boxes and scores"))
    violations = [
        Violation(
            (name,),
            f"is not a box of this card; boxes are {', '.join(possible)}",
        )
        for name in islice(written, MAX_CHECKED)
        if name not in possible and name != counter
    ]
    scores: dict[str, int | None] = {}
    for box, scores_there in possible.items():
        score = whole_number(written.get(box))
        scores[box] = score
        if score not in scores_there and written.get(box) is not None:
            violations.append(
                Violation(
                    (box,),
                    "must be a score that a roll can give there "
                    f"({', '.join(map(str, scores_there))}), or null while the box is open",
                )
            )
    counted = written.get(counter) if counter else None
    repeated = 0 if counted is None else whole_number(counted)
    most = len(possible) - 1  # each repeat fills another box
    if repeated is None or not 0 <= repeated <= most:
        detail = f"must be a whole number between 0 and {most}"
        violations.append(Violation((str(counter),), detail))
    if violations:
        raise InvalidInput(*violations)
    return Card(scores, repeated or 0)
