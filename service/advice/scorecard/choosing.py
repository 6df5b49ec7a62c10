"""The players of the service on score cards: the best option, or one that loses some points."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from service.advice.choosing import Chosen, Strength, by_chance, pick
from service.advice.scorecard.options import ALL, ROLL, Option, advise
from service.advice.scorecard.scoring import TooLarge
from service.advice.scorecard.table import Table, small_table
from service.kinds.scorecard.card import Card
from service.rules.reasons import Reason

TEMPERATURES = {Strength.EASY: 2.0, Strength.MEDIUM: 1.6, Strength.HARD: 0.8, Strength.BEST: 0.0}
"""The points that each choice may lose (see `pick`). docs/advice.md has the mean totals."""


def choose_option(
    table: Table,
    card: Card,
    dice: Sequence[int] | None,
    rolls_left: int | None,
    strength: Strength,
    source: Random,
) -> Chosen:
    """What a player of `strength` does with a card and dice; these are as in `advise`.

    `best` takes the first option of `advise`. The others take any option, the less likely the more
    it loses; `easy` forgets the upper bonus. Raises as `advise` does.
    """
    options = advise(table, card, dice, rolls_left, ALL).options
    felt = options
    if strength is Strength.EASY:
        felt = advise(_without_bonus(table, card), card, dice, rolls_left, ALL).options
    losses = [option.loss for option in felt]
    taken = felt[pick(losses, TEMPERATURES[strength], source)]
    played = taken.action, taken.keep, taken.box
    return chosen(next(each for each in options if (each.action, each.keep, each.box) == played))


def chosen(option: Option) -> Chosen:
    """The action of an option, with what it is worth; one with a chance to win is the best."""
    values = {"keep": list(option.keep)} if option.action == ROLL else {"box": option.box}
    if option.win is not None:
        return Chosen({"action": option.action, **values}, by_chance(option.win, 0.0))
    expected, loss = round(option.expected_total, 1), round(option.loss, 1)
    because = Reason.BEST_PLAY.because(expected=expected)
    if loss:
        because = Reason.WORSE_PLAY.because(expected=expected, loss=loss)
    return Chosen({"action": option.action, **values}, because)


def _without_bonus(table: Table, card: Card) -> Table:
    """What can follow `card` for who forgets the upper bonus; the `table` itself if that has too
    many states.
    """
    if table.plain:
        return table.plain.table
    scoring = table.scoring.without_bonus
    try:
        return small_table(scoring, scoring.position(card))
    except TooLarge:
        return table
