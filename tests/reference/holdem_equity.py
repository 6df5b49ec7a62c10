"""Chances in `texas-holdem-dice` (H1-H3, H8, H24), counted or simulated one showdown at a time.

A die is its notation: "6r".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from random import Random

from tests.reference.holdem import Key, best_of

Pocket = tuple[str, ...]


class Tally:
    """In how many of `total` ways a player wins alone, shares the pot, and has each rank.

    `equity` is the sum of the player's shares of the pot.
    """

    def __init__(self) -> None:
        self.win = self.tie = self.total = 0
        self.equity = Fraction(0)
        self.ranks: Counter[str] = Counter()

    def add(self, hands: Sequence[tuple[str, Key]], ways: int) -> None:
        """Adds a showdown of the player's hand, the first, against the others."""
        rank, own = hands[0]
        self.total += ways
        self.ranks[rank] += ways
        if any(other > own for _, other in hands[1:]):
            return
        equal = sum(other == own for _, other in hands[1:])
        if equal:
            self.tie += ways
        else:
            self.win += ways
        self.equity += Fraction(ways, 1 + equal) if equal else ways


def counted(
    pocket: Pocket, community: Pocket, known: Sequence[Pocket] = (), unknown: int = 1, **rules: bool
) -> Tally:
    """Every community and every pocket of `unknown` opponents, die by die."""
    tally = Tally()
    best = partial(_best, **rules)
    bag = _bag([*pocket, *community, *(die for other in known for die in other)])
    for coming, left, ways in _drawn(bag, 5 - len(community)):
        board = (*community, *coming)
        fixed = [best(tuple(sorted((*dice, *board)))) for dice in (pocket, *known)]
        _add_pockets(tally, best, board, fixed, left, ways, unknown)
    return tally


def _add_pockets(
    tally: Tally,
    best: Callable[[Pocket], tuple[str, Key]],
    board: Pocket,
    hands: list[tuple[str, Key]],
    bag: Counter[str],
    ways: int,
    count: int,
) -> None:
    if count == 0:
        tally.add(hands, ways)
        return
    for other, left, more in _drawn(bag, 2):
        hand = best(tuple(sorted((*other, *board))))
        _add_pockets(tally, best, board, [*hands, hand], left, ways * more, count - 1)


def deals(
    pockets: Sequence[Pocket | None], community: Pocket, **rules: bool
) -> Iterator[tuple[list[Key], int]]:
    """Every deal of the dice to come: the hands of all players, those of unknown pockets (None)
    drawn after the community, and in how many ways it comes.
    """
    seen = [*community, *(die for pocket in pockets for die in pocket or ())]
    for coming, bag, ways in _drawn(_bag(seen), 5 - len(community)):
        for chosen, more in _filled(pockets, bag):
            hands = [tuple(sorted((*pocket, *community, *coming))) for pocket in chosen]
            yield [_best(hand, **rules)[1] for hand in hands], ways * more


def _filled(
    pockets: Sequence[Pocket | None], bag: Counter[str]
) -> Iterator[tuple[list[Pocket], int]]:
    if not pockets:
        yield [], 1
        return
    first, *others = pockets
    for pocket, left, ways in [(first, bag, 1)] if first else _drawn(bag, 2):
        for rest, more in _filled(others, left):
            yield [pocket, *rest], ways * more


def _bag(seen: Sequence[str]) -> Counter[str]:
    """How many dice of each suit are left in the bag of five a suit (H1)."""
    left = Counter(dict.fromkeys("rbwy", 5))
    left.subtract(die[1] for die in seen)
    return left


@cache
def _best(dice: tuple[str, ...], **rules: bool) -> tuple[str, Key]:
    return best_of(dice, **rules)


def _drawn(bag: Counter[str], count: int) -> Iterator[tuple[Pocket, Counter[str], int]]:
    """Every `count` dice from the `bag`, rolled: the dice in any order, what is left, and in how
    many ways they come, out of equally likely ones.
    """
    found: Counter[Pocket] = Counter()
    for dice, ways in _one_by_one(bag, count):
        found[tuple(sorted(dice))] += ways
    for dice, ways in found.items():
        left = bag.copy()
        left.subtract(die[1] for die in dice)
        yield dice, left, ways


def _one_by_one(bag: Counter[str], count: int) -> Iterator[tuple[Pocket, int]]:
    if count == 0:
        yield (), 1
        return
    for suit, left in bag.items():
        for number in "123456" if left > 0 else "":
            for others, ways in _one_by_one(bag - Counter(suit), count - 1):
                yield (number + suit, *others), left * ways


def simulated(
    pocket: Pocket,
    community: Pocket,
    known: Sequence[Pocket],
    unknown: int,
    source: Random,
    showdowns: int,
) -> Tally:
    """So many showdowns with dice drawn from the bag at random."""
    tally = Tally()
    bag = [*_bag([*pocket, *community, *(die for other in known for die in other)]).elements()]
    for _ in range(showdowns):
        suits = source.sample(bag, 5 - len(community) + 2 * unknown)
        dice = [source.choice("123456") + suit for suit in suits]
        board = (*community, *dice[2 * unknown :])
        others = [tuple(dice[2 * player : 2 * player + 2]) for player in range(unknown)]
        tally.add([best_of((*own, *board)) for own in (pocket, *known, *others)], 1)
    return tally
