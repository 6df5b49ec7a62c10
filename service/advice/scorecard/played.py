"""Turns as they were played, checked against the rules before they are reviewed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import fsum

from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules
from service.rules.violations import MAX_CHECKED, ON_HOUSE_RULES, InvalidInput, Violation

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class PlayedTurn:
    """A turn: its rolls as numbers, and for each roll but the last the places of the dice kept.

    `box` is the box that was filled; None in a turn that isn't over. If it is `crossed_out`,
    the player chose to write a zero there. A turn without a roll ends with a zero: its time was up
    (D14).
    """

    rolls: tuple[tuple[int, ...], ...]
    keeps: tuple[tuple[int, ...], ...] = ()
    box: str | None = None
    crossed_out: bool = False


def check_turns(
    variant: ScoreCard, rules: HouseRules, card: Card, turns: Sequence[PlayedTurn | None]
) -> None:
    """Raises `InvalidInput` unless `turns` can follow `card` in `variant` under `rules`.

    The paths of its violations begin with `turns` and the place of the turn. Whether `card` itself
    is possible isn't checked, and None for a turn stands for one that may have filled any box.
    """
    open_boxes = [*card.open_boxes]
    violations: list[Violation] = []
    if len(turns) > len(open_boxes):
        detail = Breach.TOO_MANY_TURNS(maximum=len(open_boxes))
        violations.append(Violation(("turns",), detail))
    for index, turn in enumerate(turns[: len(open_boxes)]):
        if turn is None:
            continue
        where = ("turns", index)
        violations += _roll_violations(variant, turn, where)
        last = index == len(turns) - 1
        violations += _box_violations(card, turn, open_boxes, last, where)
        if turn.rolls and turn.box and not violations and None not in turns[:index]:
            entry = BoxEntry(turn.rolls[-1], turn.box)
            crossed_out = turn.crossed_out
            wrong = variant.refused_zero(entry, rules, open_boxes, crossed_out=crossed_out)
            if wrong:
                violations.append(Violation((*where, "box"), wrong, ON_HOUSE_RULES))
        if turn.box in open_boxes:
            open_boxes.remove(turn.box)
    if violations:
        shown = violations[:MAX_CHECKED]
        raise InvalidInput(*shown, omitted=len(violations) - len(shown))


def _roll_violations(variant: ScoreCard, turn: PlayedTurn, where: Path) -> Iterator[Violation]:
    """The violations in the rolls of a turn, and in what they keep (D1, Y1)."""
    rolls, keeps = turn.rolls, turn.keeps
    if len(rolls) > variant.rolls:
        yield Violation((*where, "rolls"), Breach.TOO_MANY_ROLLS(maximum=variant.rolls))
        return
    if not rolls and not (turn.crossed_out and turn.box):
        yield Violation((*where, "rolls"), Breach.NO_ROLL())
        return
    wrong = False
    for index, dice in enumerate(rolls):
        try:
            variant.dice.check_numbers(dice)
        except InvalidInput as refused:
            wrong = True
            yield from refused.within(*where, "rolls", index).violations
    most = max(0, len(rolls) - 1)
    if len(keeps) != most:
        detail = Breach.WRONG_NUMBER_OF_KEEPS(maximum=most, count=len(keeps))
        yield Violation((*where, "keeps"), detail)
        return
    if not wrong:
        for index, keep in enumerate(keeps):
            yield from _keep_violations(variant, turn, index, keep, where)


def _keep_violations(
    variant: ScoreCard, turn: PlayedTurn, index: int, keep: Sequence[int], where: Path
) -> Iterator[Violation]:
    """The violations in what a roll keeps, and in the dice that it kept."""
    here = (*where, "keeps", index)
    most = variant.dice.count - 1
    if len(keep) > most:
        yield Violation(here, Breach.NOT_A_LIST_OF_INDEXES(maximum=most))
        return
    before, after = turn.rolls[index : index + 2]
    for at, place in enumerate(keep):
        if not 0 <= place <= most:
            yield Violation((*here, at), Breach.NOT_AN_INDEX(minimum=0, maximum=most))
        elif place in keep[:at]:
            yield Violation((*here, at), Breach.REPEATED_DIE(die=place))
        elif before[place] != after[place]:
            kept = variant.dice.named((before[place],))[0]
            yield Violation((*where, "rolls", index + 1, place), Breach.KEPT(face=str(kept)))


def _box_violations(
    card: Card, turn: PlayedTurn, open_boxes: Collection[str], last: bool, where: Path
) -> Iterator[Violation]:
    """The violations in the box of a turn (D2, Y3)."""
    if turn.box is None:
        if turn.crossed_out:
            yield Violation((*where, "crossed_out"), Breach.ONLY_WITH_BOX())
        if not last:
            yield Violation((*where, "box"), Breach.BOX_MISSING())
    elif turn.box not in card.scores:
        detail = Breach.NOT_A_BOX(allowed=[*card.scores])
        yield Violation((*where, "box"), detail)
    elif turn.box not in open_boxes:
        detail = Breach.BOX_USED(allowed=[*open_boxes])
        yield Violation((*where, "box"), detail)


WORDS = {0.0: "good", 0.5: "inaccuracy", 2.0: "mistake", 5.0: "blunder"}
"""The word for a loss: that of the highest of these numbers of points that it reaches."""

HALVING_LOSS = 5.0
"""The loss in points of a choice that has half the accuracy of the best one."""


def word(loss: float) -> str:
    """The word for a choice that loses `loss` points, rounded as responses show it.

    Losses are differences of sums: one of half a point can be 0.4999999999999929.
    """
    return [*WORDS.values()][bisect_right([*WORDS], round(loss, 9)) - 1]


def accuracy(losses: Sequence[float]) -> float:
    """How close choices come to the best ones, from 0 to 100; 100 for the best, or for none.

    It is the mean of 100 * 2 ** (-loss / HALVING_LOSS) over all choices. As in Lichess's accuracy
    of chess moves, it falls exponentially with what a move loses (lichess.org/page/accuracy). With
    these constants, a blunder has at most half the accuracy of the best choice.
    """
    if not losses:
        return 100.0
    return fsum(100 * 2 ** (-loss / HALVING_LOSS) for loss in losses) / len(losses)
