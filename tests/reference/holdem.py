"""`texas-holdem-dice` by its clauses H4, H6, H7, H20, H21, H22 and H38, spelled out.

A die is its notation: "6r".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

STRAIGHTS = ([5, 4, 3, 2, 1], [6, 5, 4, 3, 2])

Key = tuple[int, list[int], int]


def rank_and_key(
    dice: Sequence[str], *, kickers: bool = True, suits_break_ties: bool = True
) -> tuple[str, Key]:
    """The rank of five suited dice, and a key by which all hands compare: greater is stronger."""
    numbers = sorted((int(die[0]) for die in dice), reverse=True)
    suits = [die[1] for die in dice]
    most = max(suits.count(suit) for suit in "rbwy")
    flush = most == 5
    if not suits_break_ties:
        most = 0
    grouped = sorted(set(numbers), key=lambda n: (numbers.count(n), n), reverse=True)
    sizes = [numbers.count(number) for number in grouped]
    if not kickers and sizes in ([4, 1], [3, 1, 1], [2, 2, 1]):
        grouped = [number for number in grouped if numbers.count(number) > 1]
    if sizes == [5]:
        return ("yahtzee_flush", (11, grouped, most)) if flush else ("yahtzee", (9, grouped, most))
    if numbers in STRAIGHTS:
        top = numbers[:1]
        return ("straight_flush", (10, top, most)) if flush else ("straight", (6, top, most))
    if flush:
        return "flush", (8, numbers, most)
    if sizes == [4, 1]:
        return "four_of_a_kind", (7, grouped, most)
    if sizes == [3, 2]:
        return "full_house", (5, grouped, most)
    if sizes == [3, 1, 1]:
        return "three_of_a_kind", (4, grouped, most)
    if sizes == [2, 2, 1]:
        return "two_pair", (3, grouped, most)
    if sizes == [2, 1, 1, 1]:
        return "one_pair", (2, grouped, most)
    return "high_die", (1, grouped, most)


def best_of(dice: Sequence[str], **rules: bool) -> tuple[str, Key]:
    """The best five of up to seven suited dice: every choice of five is tried (H3)."""
    fives = combinations(dice, 5)
    return max((rank_and_key(five, **rules) for five in fives), key=lambda hand: hand[1])
