"""Everything that a player can do with a card and dice, from best to worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from service.advice.scorecard.choices import ROLL, Choices, Option
from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table
from service.advice.scorecard.turn import Turn
from service.kinds.scorecard.card import Card
from service.rules.violations import InvalidInput, Violation


@dataclass(frozen=True, slots=True)
class Advice:
    """What a card is worth, and its best options.

    `expected_total` is the expected total of the final card under the best play, `deviation` its
    standard deviation. `options` are empty on a full card.
    """

    expected_total: float
    deviation: float
    options: tuple[Option, ...]


def advise(
    table: Table,
    card: Card,
    dice: Sequence[int] | None = None,
    rolls_left: int | None = None,
    limit: int = 10,
) -> Advice:
    """The value of `card` under the best play, and its `limit` best options, the best first.

    `dice` are those on the table, as numbers; None before the first roll of a turn, when the only
    option is to roll. `rolls_left` is the number of rolls left, by default those after the
    first roll.

    The options are to roll, keeping some of the dice, to score a box, and to cross one out. Keeps
    of equal dice are one option. If the dice score nothing in a box, to score and to cross it out
    are one option, `cross_out`. Options that are equally good have the same expected total and
    loss. They are in this order: scores, then boxes to cross out, both in card order, then rolls.
    Of these, those that keep more dice come first, then those of lower faces.

    Raises `InvalidInput` for dice on a full card, or without a turn, and `KeyError` if the table
    doesn't cover the card.
    """
    scoring = table.scoring
    position = scoring.position(card)
    held = total_held(scoring, card)
    check_turn(scoring, card, dice, rolls_left)
    if dice is None:
        value = table.expected(position) + held
        options = [Option(ROLL, value, 0.0)] if card.open_boxes else []
        return Advice(value, table.deviation(position), tuple(options))
    left = scoring.rolls - 1 if rolls_left is None else rolls_left
    choices = Choices(Turn(table, position), card, dice, left)
    ranked = choices.ranked(limit)
    best = ranked[0][0]
    options = [choices.option(value, best, held, place) for value, place in ranked]
    deviation = sqrt(max(0.0, choices.square(ranked[0][1]) - best * best))
    return Advice(best + held, deviation, tuple(options))


def total_held(scoring: Scoring, card: Card) -> int:
    """The points that `card` holds for its boxes and its repeats, without the upper bonus."""
    repeats = card.repeated * scoring.repeating.bonus if scoring.repeating else 0
    return sum([score or 0 for score in card.scores.values()]) + repeats


def check_turn(
    scoring: Scoring, card: Card, dice: Sequence[int] | None, rolls_left: int | None
) -> None:
    """Raises `InvalidInput` unless dice can lie before `card` with `rolls_left` rolls left."""
    violations = []
    if dice is not None and not card.open_boxes:
        violations.append(Violation(("dice",), "must be left out, because the card is full"))
    most = scoring.rolls - 1
    if rolls_left is not None and dice is None:
        violations.append(Violation(("rolls_left",), "is allowed only with dice"))
    elif rolls_left is not None and not 0 <= rolls_left <= most:
        detail = f"must be a whole number between 0 and {most}: a turn has {scoring.rolls} rolls"
        violations.append(Violation(("rolls_left",), detail))
    if violations:
        raise InvalidInput(*violations)
