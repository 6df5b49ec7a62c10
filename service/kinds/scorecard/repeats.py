"""House rules for rolling once more what a box needs that is used already."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from service.kinds.scorecard.boxes import LowerBox, UpperBox
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput, Violation


@dataclass(frozen=True)
class Repeats:
    """What a further roll that fills `box` earns, once that box is used.

    `bonus` names the house rule with the points for each while the box holds a score; the card
    counts them as `counter`. `joker` names the one that lets such a roll fill the boxes `fills`
    at full value when its own upper box is used too. `used` is the clause for what the used box
    holds.
    """

    box: LowerBox
    counter: str
    bonus: str
    joker: str
    fills: tuple[LowerBox, ...]
    clause: str
    used: str

    @property
    def points_field(self) -> str:
        """The field of an answer with the points for all repeats on a card."""
        return f"{self.counter}_points"

    def points(self, rules: HouseRules) -> int:
        """The bonus for each repeat under `rules`; 0 if there is none."""
        points: int = getattr(rules, self.bonus)
        return points

    def rolled(self, dice: Sequence[int]) -> bool:
        """Whether `dice` fill the box that is repeated."""
        return self.box.pattern.match(dice) is not None

    def earned(self, dice: Sequence[int], rules: HouseRules, written: int | None) -> int:
        """The bonus of `dice`, in whichever box they end, while the box holds `written`.

        That is None while it is open, and 0 once it is crossed out: then there is no bonus.
        """
        return self.points(rules) if written and self.rolled(dice) else 0

    def check_used(self, open_boxes: Collection[str] | None) -> None:
        """Raises `InvalidInput` unless `open_boxes` (None: all) leave out the box."""
        if open_boxes is None or self.box.id in open_boxes:
            detail = f"is allowed only with open_boxes that exclude {self.box.id} ({self.used})"
            raise InvalidInput(Violation((self.box.id,), detail, ("open_boxes",)))

    def joker_scores(
        self,
        dice: Sequence[int],
        rules: HouseRules,
        open_boxes: Collection[str],
        upper: Sequence[UpperBox],
    ) -> Mapping[str, int]:
        """The boxes that `dice` fill as a joker, at full value; none if they are no joker."""
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
        """How many repeats a card with `scores` can have seen.

        Each stands in another used box, for what one of `rolls` is `worth` there or crossed out.
        """
        if not scores[self.box.id]:
            return 0
        repeats = [worth(dice) for dice in rolls if self.rolled(dice)]
        return sum(
            score == 0 or any(score == repeat[box] for repeat in repeats)
            for box, score in scores.items()
            if score is not None and box != self.box.id
        )
