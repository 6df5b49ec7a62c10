"""Everything that a player can do with a card and dice, and what each is worth."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from service.advice.scorecard.scoring import Scoring
from service.advice.scorecard.table import Table
from service.advice.scorecard.turn import Turn, keeps_within
from service.kinds.scorecard.card import Card
from service.rules.breaches import Breach
from service.rules.violations import Violation, refuse

SAME = 1e-9
"""Options that differ by less than this are equally good: the rest is rounding."""

ALL = 1_000
"""More options than there can be."""

ROLL, SCORE, CROSS_OUT = "roll", "score", "cross_out"


class Option(NamedTuple):
    """Something to do, as an action of a session, and what it is worth.

    `keep` are the places of the dice that a roll keeps, and `dice` their faces. `box` is the box
    that is scored or crossed out, and `score` what is written there. `expected_total` is the
    expected total of the final card if everything after it is played best. `loss` is how much less
    that is than with the best option. `win` is the chance to win, if that is asked for.
    """

    action: str
    expected_total: float
    loss: float
    keep: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    box: str | None = None
    score: int = 0
    win: float | None = None


class Choices:
    """All options with `dice` before a card, each by its place in the order of equal options.

    `values` are the expected points still to come by place.
    """

    def __init__(self, turn: Turn, card: Card, dice: Sequence[int], left: int) -> None:
        self._turn = turn
        self._dice = dice
        scoring = turn.scoring
        lattice = scoring.lattice
        self._by_face = sorted(range(len(dice)), key=dice.__getitem__)
        roll = tuple([dice[place] for place in self._by_face])
        self._roll = lattice.places[roll] - lattice.first_roll
        self._names = [scoring.boxes[row] for row in turn.boxes]
        bonus = turn.bonus(self._roll)
        self._scores = turn.scores(self._roll).tolist()
        written = (turn.written(self._roll) + bonus).tolist()
        crossed = (turn.crossed() + bonus).tolist()
        in_order = {box: place for place, box in enumerate(card.scores)}
        rows = sorted(range(len(self._names)), key=lambda row: in_order[self._names[row]])
        scored = [row for row in rows if self._scores[row]]
        # what is done, and the row of the box or the place of the keep
        zeros = [] if scored and scoring.zeros_last else rows
        self._choices = [(SCORE, row) for row in scored] + [(CROSS_OUT, row) for row in zeros]
        self.values: list[float] = [written[row] for row in scored]
        self.values += [crossed[row] for row in zeros]
        self._keeps: Sequence[tuple[int, ...]] = ()
        if left:
            places, self._keeps = keeps_within(lattice, roll)
            self._choices += [(ROLL, keep) for keep in range(len(self._keeps))]
            self._figures = turn.keeps(left, places)
            self.values += self._figures[:, 0].tolist()

    def ranked(self, limit: int) -> list[tuple[float, int]]:
        """The `limit` best options, with their values; equal ones have the same value."""
        values = self.values
        ranked: list[tuple[float, int]] = []
        equal: list[int] = []
        for place in sorted(range(len(values)), key=values.__getitem__, reverse=True):
            if equal and values[equal[0]] - values[place] >= SAME:
                ranked += [(values[equal[0]], each) for each in sorted(equal)]
                equal = []
                if len(ranked) >= limit:
                    break
            equal.append(place)
        ranked += [(values[equal[0]], each) for each in sorted(equal)] if equal else []
        return ranked[:limit]

    def value(self, place: int, best: float) -> float:
        """The points still to come with the option at `place`; exactly `best` if equally good."""
        value = self.values[place]
        return best if best - value < SAME else value

    def place(self, action: str, box: str | None = None, keep: Collection[int] = ()) -> int:
        """The place of an option: a box to score or to cross out, or a roll keeping some dice.

        To score a box in which the dice score nothing is to cross it out. The box must be open, and
        there must be a roll left for a roll.
        """
        if action == ROLL:
            kept = sorted([self._dice[place] for place in keep])
            faces = [[self._dice[self._by_face[die]] for die in each] for each in self._keeps]
            return self._choices.index((ROLL, faces.index(kept)))
        row = self._names.index(str(box))
        fills = action == SCORE and self._scores[row]
        return self._choices.index((SCORE if fills else CROSS_OUT, row))

    def option(self, value: float, best: float, held: int, place: int) -> Option:
        """The option at `place`; `held` are the points that the card holds already."""
        total, loss = value + held, best - value
        action, at = self._choices[place]
        if action == ROLL:
            keep = tuple(sorted([self._by_face[each] for each in self._keeps[at]]))
            return Option(ROLL, total, loss, keep, tuple([self._dice[each] for each in keep]))
        score = int(self._scores[at]) if action == SCORE else 0
        return Option(action, total, loss, (), (), self._names[at], score)

    def square(self, place: int) -> float:
        """The mean of the square of the points still to come with the option at `place`."""
        action, at = self._choices[place]
        if action == ROLL:
            return float(self._figures[at, 1])
        return self._turn.square(at, self._roll, crossed=action == CROSS_OUT)


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

    The options are to roll, keeping some of the dice, to score a box, and to cross one out, if the
    house rules allow that (D17). Keeps of equal dice are one option. If the dice score nothing in a
    box, to score and to cross it out are one option, `cross_out`. Options that are equally good
    have the same expected total and loss. They are in this order: scores, then boxes to cross out,
    both in card order, then rolls. Of these, those that keep more dice come first, then those of
    lower faces.

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
        violations.append(Violation(("dice",), Breach.NO_OPEN_BOX()))
    most = scoring.rolls - 1
    if rolls_left is not None and dice is None:
        violations.append(Violation(("rolls_left",), Breach.ONLY_WITH_DICE()))
    elif rolls_left is not None and not 0 <= rolls_left <= most:
        detail = Breach.NO_MORE_ROLLS(minimum=0, maximum=most, rolls=scoring.rolls)
        violations.append(Violation(("rolls_left",), detail))
    refuse(violations)
