"""`poker-dice` by its clauses P3, P10, P11 and P12, spelled out."""

from __future__ import annotations

from collections.abc import Sequence


def rank_and_key(dice: Sequence[int], *, pairs_rank: bool = False) -> tuple[str, tuple[int, ...]]:
    """The rank of five dice, and a key by which all hands compare: greater is stronger."""
    falling = sorted(dice, reverse=True)
    times = [falling.count(number) for number in range(7)]

    def others(*numbers: int) -> list[int]:
        rest = list(falling)
        for number in numbers:
            rest.remove(number)
        return rest

    if 5 in times:
        return "five_of_a_kind", (9, times.index(5))
    if 4 in times:
        four = times.index(4)
        return "four_of_a_kind", (8, four, *others(four, four, four, four))
    if 3 in times and 2 in times:
        return "full_house", (7, times.index(3), times.index(2))
    for top in (6, 5):
        if set(falling) == {top, top - 1, top - 2, top - 3, top - 4}:
            return "straight", (6, top)
    for top in (6, 5, 4):
        run = (top, top - 1, top - 2, top - 3)
        if all(number in falling for number in run):
            return "small_straight", (5, top, *others(*run))
    if 3 in times:
        three = times.index(3)
        return "three_of_a_kind", (4, three, *others(three, three, three))
    if pairs_rank and times.count(2) == 2:
        low = times.index(2)
        high = times.index(2, low + 1)
        return "two_pair", (3, high, low, *others(high, high, low, low))
    if pairs_rank and 2 in times:
        pair = times.index(2)
        return "one_pair", (2, pair, *others(pair, pair))
    return "no_combination", (1, *falling)
