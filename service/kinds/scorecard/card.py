"""Score cards: what is written on one, how it is parsed, and what repeated rolls earn.

Also the house rules that their games read by name, if a variant has them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

from service.kinds.scorecard.boxes import LowerBox, UpperBox
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.field_types import Amount, Clause, Must, PartId, Switch
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation, refuse

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
    "repeats."
}
"""The clause of every score card besides those of every game."""


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
    """A player with what the card adds up to, and whether the player stayed to the end."""

    id: str
    totals: Totals
    stayed: bool = True


def read_card(written: object, possible: Mapping[str, Sequence[int]], counter: str | None) -> Card:
    """Parses a card: an object with a score for each box; boxes left out are open.

    `possible` has the scores that a roll can give in each box, in card order. `counter` is the name
    under which the card counts repeats, None if it doesn't.

    Raises `InvalidInput` naming every unknown box and every score that no roll gives.
    """
    if not isinstance(written, dict):
        raise InvalidInput(Violation((), Breach.NOT_A_CARD()))
    violations = [
        Violation((name,), Breach.NOT_A_BOX(allowed=[*possible]))
        for name in islice(written, MAX_CHECKED)
        if name not in possible and name != counter
    ]
    scores: dict[str, int | None] = {}
    for box, scores_there in possible.items():
        score = whole_number(written.get(box))
        scores[box] = score
        if score not in scores_there and written.get(box) is not None:
            detail = Breach.IMPOSSIBLE_SCORE(numbers=list(scores_there))
            violations.append(Violation((box,), detail))
    counted = written.get(counter) if counter else None
    repeated = 0 if counted is None else whole_number(counted)
    most = len(possible) - 1  # each repeat fills another box
    if repeated is None or not 0 <= repeated <= most:
        detail = Breach.OUT_OF_RANGE(minimum=0, maximum=most, whole=True)
        violations.append(Violation((str(counter),), detail))
    refuse(violations)
    return Card(scores, repeated or 0)


RESERVED = frozenset(
    (
        *("variant", "house_rules", "dice", "open_boxes", "scores", "best", "card", "turn"),
        *("upper", "bonus", "lower", "total", "complete"),
        *("rolls_left", "target", "limit", "expected_total", "deviation", "options", "reach"),
        *("strength", "seed", "action", "reason", "because", "goal", "others", "win"),
    )
)
"""The fields next to the box and the counter of repeats in requests and responses: neither may have
one of these names."""


_OWN_NAME = Must("a name that no other field has", lambda name, _: name not in RESERVED)
_OWN_ID = Must("a box whose id no other field has", lambda box, _: box.id not in RESERVED)


@dataclass(frozen=True)
class Repeats:
    """What a repeat earns; a repeat is a roll that makes the pattern of `box` once that is used.

    `bonus` names the house rule with the points of each repeat while the box has a score; the card
    counts repeats as `counter`. `joker` names the house rule that allows a repeat to fill the boxes
    `fills` at full value if its upper box is used, too. `used` is the clause about the score in the
    used box.
    """

    box: Annotated[LowerBox, _OWN_ID]
    counter: Annotated[PartId, _OWN_NAME]
    bonus: Amount
    joker: Switch
    fills: tuple[LowerBox, ...]
    clause: Clause
    used: Clause

    @property
    def points_field(self) -> str:
        """The field of an answer with the points for all repeats on a card."""
        return f"{self.counter}_points"

    def points(self, rules: HouseRules) -> int:
        """The bonus for each repeat under `rules`; 0 if there is none."""
        points: int = getattr(rules, self.bonus)
        return points

    def rolled(self, dice: Sequence[int]) -> bool:
        """Whether `dice` make the pattern of the box."""
        return self.box.pattern.match(dice) is not None

    def earned(self, dice: Sequence[int], rules: HouseRules, written: int | None) -> int:
        """The bonus of `dice`, in any box, if the box of the pattern has the score `written`.

        The score is None while the box is open, and 0 once it is crossed out: then there is no
        bonus.
        """
        return self.points(rules) if written and self.rolled(dice) else 0

    def check_used(self, open_boxes: Collection[str] | None) -> None:
        """Raises `InvalidInput` unless `open_boxes` (None: all) exclude the box."""
        if open_boxes is None or self.box.id in open_boxes:
            detail = Breach.BOX_OPEN(box=self.box.id, clause=self.used)
            raise InvalidInput(Violation((self.box.id,), detail, ("open_boxes", "card")))

    def joker_scores(
        self,
        dice: Sequence[int],
        rules: HouseRules,
        open_boxes: Collection[str],
        upper: Sequence[UpperBox],
    ) -> Mapping[str, int]:
        """The scores of the boxes that `dice` fill as a joker; empty if they are no joker."""
        if (
            not getattr(rules, self.joker)
            or self.box.id in open_boxes
            or not self.rolled(dice)
            or any(box.id in open_boxes for box in upper if box.number == dice[0])
        ):
            return {}
        return {box.id: box.points.of(dice, dice) for box in self.fills}

    def room(
        self,
        scores: Mapping[str, int | None],
        rolls: Sequence[Sequence[int]],
        worth: Callable[[Sequence[int]], Mapping[str, int]],
    ) -> int:
        """The most repeats that a card with `scores` can have.

        Each is in another used box, which is crossed out or has the score that one of `rolls` is
        `worth` there.
        """
        if not scores[self.box.id]:
            return 0
        repeats = [worth(dice) for dice in rolls if self.rolled(dice)]
        return sum(
            score == 0 or any(score == repeat[box] for repeat in repeats)
            for box, score in scores.items()
            if score is not None and box != self.box.id
        )
