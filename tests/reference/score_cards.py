"""The boxes of `dice-poker` (D3, D4, D10, D11) and `yahtzee-deluxe` (Y4-Y6), spelled out."""

from __future__ import annotations

from collections.abc import Sequence

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


def dice_poker(dice: Sequence[int], *, five_alike_is_full_house: bool = False) -> dict[str, int]:
    """What five dice score in each box."""
    scores = {box: sum(die for die in dice if die == n) for n, box in enumerate(UPPER, start=1)}
    shown = "".join(str(number) for number in sorted(set(dice)))
    alike = sorted(list(dice).count(number) for number in set(dice))
    scores["three_of_a_kind"] = sum(dice) if alike[-1] >= 3 else 0
    scores["four_of_a_kind"] = sum(dice) if alike[-1] >= 4 else 0
    house = alike == [2, 3] or (five_alike_is_full_house and alike == [5])
    scores["full_house"] = 25 if house else 0
    small = any(run in shown for run in ("1234", "2345", "3456"))
    scores["small_straight"] = 30 if small else 0
    scores["large_straight"] = 40 if shown in ("12345", "23456") else 0
    scores["five_of_a_kind"] = 50 if alike == [5] else 0
    scores["chance"] = sum(dice)
    return scores


def yahtzee_deluxe(dice: Sequence[int]) -> dict[str, int]:
    """What six dice score in each box."""
    scores = {box: sum(die for die in dice if die == n) for n, box in enumerate(UPPER, start=1)}
    shown = "".join(str(number) for number in sorted(set(dice)))
    alike = sorted(list(dice).count(number) for number in set(dice))
    yahtzee = alike == [6]
    house = yahtzee or alike == [2, 4]
    scores["three_pairs"] = 20 if house or alike == [2, 2, 2] else 0
    scores["two_triplets"] = 30 if yahtzee or alike == [3, 3] else 0
    scores["full_house"] = 40 if house else 0
    scores["straight"] = 50 if shown == "123456" else 0
    scores["yahtzee"] = 60 if yahtzee else 0
    scores["small_straight"] = sum(dice) if "12345" in shown or "23456" in shown else 0
    scores["small_yahtzee"] = sum(dice) if alike[-1] >= 5 else 0
    scores["chance"] = sum(dice)
    return scores
