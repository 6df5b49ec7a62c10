"""The functions on NumPy arrays that `service.batch` offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from service.batch.kinds.registry import BATCH_KINDS, outcomes_of
from service.batch.outcomes import Hands, Outcomes
from service.rules.dice import Dice
from service.rules.house_rules import read_rules
from service.rules.violations import InvalidInput, Violation
from service.variants import variants


@dataclass(frozen=True, eq=False)
class Ranked:
    """The hands of a ranking: for each the position of its rank in `words`, and its strength.

    `rank` is an int8 array, `strength` an int32 array; the stronger hand has the greater strength,
    equal hands have the same.
    """

    words: tuple[str, ...]
    rank: NDArray[np.int8]
    strength: NDArray[np.int32]

    def ranks(self) -> list[str]:
        """The rank of each hand by its name."""
        return [self.words[place] for place in self.rank]


def rank_hands(variant: str, hands: ArrayLike, **house_rules: Any) -> Ranked:
    """What each of `hands` ranks as in `variant`, `poker-dice` or `texas-holdem-dice`.

    `hands` is an array of whole numbers of shape (hands, dice): numbers from 1 to 6, or for suited
    dice, five to seven of them, codes `6 * suit + number - 1` with the suits in the order red,
    black, white, yellow (H28). Raises `InvalidInput` naming up to 100 rows that can't be, or all
    house rules that can't, and `ValueError` for another variant.
    """
    outcomes = _outcomes(variant, house_rules, boxes=False)
    found = _found(outcomes, hands)
    rank, strength = outcomes.columns
    return Ranked(rank.words, rank.of(found), strength.of(found))


def score_rolls(variant: str, rolls: ArrayLike, **house_rules: Any) -> dict[str, NDArray[np.int16]]:
    """What each of `rolls` is worth in every box of `variant`, `dice-poker` or `yahtzee-deluxe`.

    `rolls` is an array of whole numbers from 1 to 6 of shape (rolls, dice); the answer holds an
    int16 array for each box, in card order (D3, D4, Y4, Y5). Raises as `rank_hands` does.
    """
    outcomes = _outcomes(variant, house_rules, boxes=True)
    found = _found(outcomes, rolls)
    return {column.name: column.of(found) for column in outcomes.columns}


def _outcomes(variant: str, house_rules: dict[str, Any], *, boxes: bool) -> Outcomes:
    offered = {
        name: found
        for name, found in variants().items()
        if (kind := BATCH_KINDS.of(found)) and boxes == kind.BOXES
    }
    if variant not in offered:
        raise ValueError(f"{variant!r} is not one of {', '.join(offered)}")
    return outcomes_of(offered[variant], read_rules(offered[variant].house_rules, house_rules))


def _found(outcomes: Outcomes, hands: ArrayLike) -> NDArray[np.intp]:
    """The outcome of each of `hands`."""
    given = np.asarray(hands)
    if given.dtype.kind == "U" and outcomes.dice.names:
        given = _numbers(given, outcomes.dice)
    sizes = outcomes.sizes
    if given.ndim != 2 or given.shape[1] not in sizes or given.dtype.kind not in "iu":
        raise ValueError(
            f"hands must be whole numbers of shape (hands, {' or '.join(map(str, sizes))}), "
            f"not {given.dtype} of {given.shape}"
        )
    rows: Hands = np.where((given < 0) | (given > 255), 255, given).astype(np.uint8)
    found = outcomes.of(rows)
    refusals = outcomes.refusals(rows, found)
    if refusals:
        raise InvalidInput(
            *(Violation((row, *violation.path), violation.detail) for row, violation in refusals)
        )
    return found.astype(np.intp)


def _numbers(written: NDArray[np.str_], dice: Dice) -> NDArray[np.int16]:
    """The numbers of faces by their names, 0 where there is no such name."""
    numbers = np.zeros(written.shape, np.int16)
    for number, name in enumerate(dice.names, start=1):
        numbers[written == name] = number
    return numbers
