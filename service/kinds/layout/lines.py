"""The value of a line of cards, and all lines that the dice of a turn can make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import combinations, pairwise, product
from typing import Annotated, NamedTuple

from service.kinds.layout.cards import PLURALS, RANKS, Turn
from service.rules.field_types import Clause, OneLine, PartId, at_least, require
from service.rules.reasons import Because, Reason
from service.rules.sentences import Sentence

SEQUENCE = 5
"""The fewest cards of a straight or a flush."""

ACE = len(RANKS) - 1
JACK = RANKS.index("J")
ROYAL = frozenset(range(ACE - SEQUENCE + 1, ACE + 1))
"""The ranks of a royal flush, as indices."""


@dataclass(frozen=True)
class LineHand:
    """A hand that a line can be: its `points`, and `further` for each card beyond its base.

    `doubles` is the clause by which the points of a base from the first roll count twice; without
    it they count once.
    """

    id: PartId
    points: Annotated[int, at_least(1)]
    needs: OneLine
    clause: Clause
    further: Annotated[int, at_least(0)] = 0
    doubles: Clause | None = None

    @property
    def name(self) -> str:
        """The hand in words: "four of a kind"."""
        return self.id.replace("_", " ")


@dataclass(frozen=True)
class LineHands:
    """The hands that a line can be, from the most points down."""

    royal_flush: LineHand
    straight_flush: LineHand
    four_of_a_kind: LineHand
    full_house: LineHand
    flush: LineHand
    straight: LineHand
    three_of_a_kind: LineHand
    pair: LineHand

    @property
    def by_name(self) -> dict[str, LineHand]:
        """The hands by the names of these fields, from the most points down."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def check(self) -> None:
        """Raises `Mistake` for hands out of order, and for what `Line` would ignore."""
        hands = self.by_name
        for higher, hand in pairwise(hands.values()):
            above = f"hands: {hand.id} must not have more points than the hand before it"
            require(hand.points <= higher.points, above)
        for name, hand in hands.items():
            require(
                not hand.further or name in WITH_FURTHER,
                f"hands: {hand.id} must have no further points: it can't have further cards",
            )
            require(
                not hand.doubles or name in DOUBLING,
                f"hands: {hand.id} must have no doubles: only {', '.join(DOUBLING)} can double",
            )
        require(
            len({hand.id for hand in hands.values()}) == len(hands),
            "hands: must have different ids",
        )

    def most_points(self, lots: int) -> int:
        """A bound on the points of hands with `lots` dice together; a shared die counts in each.

        No hand has more points per die than its base has, or than a further card.
        """
        return lots * max(
            max(-(-hand.points * (2 if hand.doubles else 1) // BASES[name]), hand.further)
            for name, hand in self.by_name.items()
        )


BASES = {
    "royal_flush": SEQUENCE,
    "straight_flush": SEQUENCE,
    "four_of_a_kind": 4,
    "full_house": 5,
    "flush": SEQUENCE,
    "straight": SEQUENCE,
    "three_of_a_kind": 3,
    "pair": 2,
}
"""The number of cards in the base of each of `LineHands`."""

WITH_FURTHER = ("royal_flush", "straight_flush", "flush", "straight")
"""Those of `LineHands` that can have further cards."""

DOUBLING = ("royal_flush", "straight_flush", "four_of_a_kind")
"""Those of `LineHands` whose base can count twice."""


class Line(NamedTuple):
    """Dice as a line: the hand, its number of further cards, and whether its base is doubled."""

    points: int
    hand: LineHand
    further: int
    first_roll: bool

    @classmethod
    def of(cls, hand: LineHand, further: int = 0, first_roll: bool = False) -> Line:
        """A `hand` with `further` cards; `first_roll` says that its base came on the first roll."""
        doubled = first_roll and hand.doubles is not None
        points = hand.points * (2 if doubled else 1) + hand.further * further
        return cls(points, hand, further, doubled)

    @property
    def because(self) -> Because:
        """How the points add up."""
        reasons = (Reason.LINE, Reason.LINE_FURTHER)
        if self.first_roll:
            reasons = (Reason.LINE_DOUBLED, Reason.LINE_DOUBLED_FURTHER)
        return reasons[self.further > 0].because(
            hand=self.hand.id,
            points=self.hand.points,
            further=self.hand.further * self.further if self.further else None,
            cards=self.further or None,
            clause=self.hand.clause,
            doubles=self.hand.doubles if self.first_roll else None,
        )


_SEQUENCES = [
    tuple(rank % len(RANKS) for rank in range(start, start + length))
    for length in range(SEQUENCE, len(RANKS) + 1)
    for start in range(-1, len(RANKS) - length + (length < len(RANKS)))
]
"""Every sequence of ranks with the ace low or high, once for each set of ranks (R22)."""

_HELD = tuple(sum(1 << rank for rank in ranks) for ranks in _SEQUENCES)
_FIVES = tuple(frozenset(ranks) for ranks in _SEQUENCES if len(ranks) == SEQUENCE)


def lines_of(turn: Turn, hands: LineHands) -> dict[int, Line]:
    """Every line that the dice of `turn` can make, by the mask of its dice.

    A line that makes several hands is the one with the most points (R23).
    """
    by_rank: list[list[int]] = [[] for _ in RANKS]
    by_suit: dict[int, list[int]] = {}
    for die, card in enumerate(turn.cards):
        if card is not None:
            suit, rank = divmod(card, len(RANKS))
            by_rank[rank].append(1 << die)
            by_suit.setdefault(suit, []).append(1 << die)
    lines = _alike(by_rank, turn.first_roll, hands)
    for dice in by_suit.values():
        for length in range(SEQUENCE, len(dice) + 1):
            flush = Line.of(hands.flush, length - SEQUENCE)
            for chosen in combinations(dice, length):
                _keep(lines, sum(chosen), flush)
    suits = [sum(dice) for dice in by_suit.values()]
    for mask, straight in _straights(by_rank, suits, turn.first_roll, hands):
        _keep(lines, mask, straight)
    return lines


def _keep(lines: dict[int, Line], mask: int, line: Line) -> None:
    """Stores `line` for the dice `mask`, unless they make a better hand."""
    known = lines.get(mask)
    if known is None or known.points < line.points:
        lines[mask] = line


def _alike(by_rank: list[list[int]], first_roll: int, hands: LineHands) -> dict[int, Line]:
    """Pairs, threes, fours and full houses."""
    lines: dict[int, Line] = {}
    pairs: list[tuple[int, int]] = []
    threes: list[tuple[int, int]] = []
    pair, three, full_house = (
        Line.of(hand) for hand in (hands.pair, hands.three_of_a_kind, hands.full_house)
    )
    for rank, dice in enumerate(by_rank):
        if len(dice) < 2:
            continue
        for a, b in combinations(dice, 2):
            lines[a | b] = pair
            pairs.append((rank, a | b))
        for a, b, c in combinations(dice, 3):
            lines[a | b | c] = three
            threes.append((rank, a | b | c))
        for a, b, c, d in combinations(dice, 4):
            mask = a | b | c | d
            lines[mask] = Line.of(hands.four_of_a_kind, 0, not mask & ~first_roll)
    for rank, of_three in threes:
        for other, of_two in pairs:
            if rank != other:
                lines[of_three | of_two] = full_house
    return lines


def _straights(
    by_rank: list[list[int]], suits: list[int], first_roll: int, hands: LineHands
) -> Iterator[tuple[int, Line]]:
    """Straights, straight flushes and royal flushes."""
    showing = sum([1 << rank for rank, dice in enumerate(by_rank) if dice])
    for ranks, held in zip(_SEQUENCES, _HELD, strict=True):
        if held & ~showing:
            continue
        further = len(ranks) - SEQUENCE
        straight = Line.of(hands.straight, further)
        for dice in product(*[by_rank[rank] for rank in ranks]):
            mask = sum(dice)
            for suit in suits:
                if not mask & ~suit:
                    break
            else:
                yield mask, straight
                continue
            first = {rank for rank, die in zip(ranks, dice, strict=True) if die & first_roll}
            doubled = any(five <= first for five in _FIVES if five <= set(ranks))
            yield mask, Line.of(hands.straight_flush, further, doubled)
            if ROYAL.issubset(ranks):
                yield mask, Line.of(hands.royal_flush, further, first >= ROYAL)


def lacking(turn: Turn, lines: Mapping[int, Line], hands: LineHands) -> Sentence | None:
    """Why the first roll doesn't hold jacks or better (R25), None if it does."""
    high = -1
    for mask, line in lines.items():
        if mask & ~turn.first_roll:
            continue
        rank = turn.rank(mask.bit_length() - 1)
        if line.hand is not hands.pair or rank >= JACK:
            return None
        high = max(high, rank)
    return Reason.LOW_PAIR(pair=PLURALS[high]) if high >= 0 else Reason.NO_PAIR()
