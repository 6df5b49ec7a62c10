"""The functions on NumPy arrays that `service.batch` offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from service.batch.kinds import named_outcomes
from service.batch.outcomes import Hands, Outcomes
from service.rules.dice import Dice
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation


@dataclass(frozen=True, eq=False)
class Ranked:
    """The rank and the strength of each hand.

    `rank` is an array of positions in `words`, int8 for up to 128 ranks and otherwise int16.
    `strength` is an int32 array. A stronger hand has a greater strength; equal hands have the same.
    """

    words: tuple[str, ...]
    rank: NDArray[np.int8 | np.int16]
    strength: NDArray[np.int32]

    def ranks(self) -> list[str]:
        """The rank of each hand by its name."""
        return [self.words[place] for place in self.rank]


def rank_hands(variant: str, hands: ArrayLike, **house_rules: Any) -> Ranked:
    """Ranks `hands` by the rules of `variant`, such as `poker-dice` or `texas-holdem-dice`.

    `hands` is an array of whole numbers of shape (hands, dice): numbers from 1 to 6, or for suited
    dice, five to seven of them, codes `6 * suit + number - 1` with the suits in the order red,
    black, white, yellow (H28). Raises `InvalidInput` naming up to 100 impossible rows or all
    invalid house rules, and `ValueError` for a variant of another kind.
    """
    outcomes = named_outcomes(variant, house_rules, boxes=False)
    numbers = _outcome_numbers(outcomes, hands)
    rank, strength = outcomes.columns
    return Ranked(rank.words, rank.of(numbers), strength.of(numbers))


def score_rolls(variant: str, rolls: ArrayLike, **house_rules: Any) -> dict[str, NDArray[np.int16]]:
    """Scores `rolls` in every box of `variant`, such as `dice-poker` or `yahtzee-deluxe`.

    `rolls` is an array of whole numbers from 1 to 6 of shape (rolls, dice). Returns an int16 array
    for each box, in card order. Raises what `rank_hands` raises.
    """
    outcomes = named_outcomes(variant, house_rules, boxes=True)
    numbers = _outcome_numbers(outcomes, rolls)
    return {column.name: column.of(numbers) for column in outcomes.columns}


def _outcome_numbers(outcomes: Outcomes, hands: ArrayLike) -> NDArray[np.intp]:
    """The number of the outcome of each of `hands`."""
    array = np.asarray(hands)
    if array.dtype.kind == "U" and outcomes.dice.names:
        array = _face_numbers(array, outcomes.dice)
    sizes = outcomes.sizes
    if array.ndim != 2 or array.shape[1] not in sizes or array.dtype.kind not in "iu":
        raise ValueError(
            f"hands must be whole numbers of shape (hands, {any_of(sizes)}), "
            f"not {array.dtype} of {array.shape}"
        )
    rows: Hands = np.where((array < 0) | (array > 255), 255, array).astype(np.uint8)
    numbers = outcomes.of(rows)
    refusals = outcomes.refusals(rows, numbers)
    if refusals:
        raise InvalidInput(
            *(Violation((row, *violation.path), violation.detail) for row, violation in refusals)
        )
    return numbers.astype(np.intp)


def _face_numbers(written: NDArray[np.str_], dice: Dice) -> NDArray[np.int16]:
    """The numbers of faces by their names, 0 where there is no such name."""
    numbers = np.zeros(written.shape, np.int16)
    for number, name in enumerate(dice.names, start=1):
        numbers[written == name] = number
    return numbers
