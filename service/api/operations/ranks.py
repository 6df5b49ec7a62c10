"""What the operations and the catalogue entries of all games with ranks share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from service.api.operations.entries import CLAUSE, Described, TieBreak
from service.api.schemas import shapes
from service.api.schemas.serializers import (
    Fields,
    Serializer,
    part,
    parts,
    title,
)
from service.api.schemas.shapes import Shape
from service.kinds.ranking.hand_table import Hand, Rank
from service.kinds.ranking.variant import AnyRanking

STRENGTH = "A greater number is a stronger hand; equal numbers tie."


def compared(variant: AnyRanking) -> Shape:
    """The faces that decide between hands of the same rank."""
    return shapes.list_of(
        shapes.face(variant, variant.dice),
        "The faces that hands of the same rank compare, in order.",
    )


class RankInEntry(NamedTuple):
    """A rank, and the hands that have it under its house rule if it has one."""

    rank: Rank
    hands: Sequence[Hand]

    @classmethod
    def of(cls, variant: AnyRanking, rank: Rank) -> RankInEntry:
        """The `rank` of `variant`, its hands from the weakest to the strongest."""
        rules = variant.house_rules(**({rank.only_with: True} if rank.only_with else {}))
        hands = [hand for hand in variant.table(rules) if hand.rank is rank]
        return cls(rank, sorted(hands, key=lambda hand: hand.strength))


def entry_fields(variant: AnyRanking) -> Fields[Described]:
    """The fields of a catalogue entry with ranks."""
    ranks = [RankInEntry.of(variant, rank) for rank in variant.ranks]
    return {
        "hand_size": shapes.COUNT("The number of dice in a hand.").of(lambda _: variant.hand_size),
        "ranks": parts(_rank_in_entry(variant), lambda _: ranks, "Highest first."),
    }


def tie_breaks(variant: AnyRanking) -> list[TieBreak]:
    """The steps that break ties."""
    return [TieBreak(step.id, step.text, step.clause) for step in variant.tie_breaks]


_ABOVE = Serializer[tuple[str, str]](
    "RankAbove",
    {
        "house_rule": shapes.TEXT.of(lambda above: above[0]),
        "rank": shapes.TEXT.of(lambda above: above[1]),
    },
)

_STRENGTHS = Serializer[Sequence[Hand]](
    "StrengthRange",
    {
        "weakest": shapes.COUNT.of(lambda hands: hands[0].strength),
        "strongest": shapes.COUNT.of(lambda hands: hands[-1].strength),
    },
)


def _rank_in_entry(variant: AnyRanking) -> Serializer[RankInEntry]:
    words = variant.dice.textual
    return Serializer[RankInEntry](
        "RankWithWords" if words else "Rank",
        {
            "id": shapes.TEXT.of("rank.id"),
            "name": shapes.TEXT.of("rank.id", title),
            "needs": shapes.TEXT("What the dice must show.").of("rank.needs"),
            "winning": shapes.FLAG("False if a hand of this rank can't win.").of("rank.winning"),
            "counts": shapes.FLAG("False if a roll of this rank is rolled again.").of(
                "rank.counts"
            ),
            "above": part(
                _ABOVE,
                "rank.above",
                "The house rule that moves this rank, and the rank just below it then; null for "
                "none.",
                null=True,
            ),
            "house_rule": shapes.TEXT.or_null(
                "The house rule that the rank needs; null for none."
            ).of("rank.only_with"),
            "strengths": part(
                _STRENGTHS,
                "hands",
                "The strengths of hands of this rank, under its house rule if it has one.",
            ),
            "clause": CLAUSE.of("rank.clause"),
            "example": (shapes.TEXTS if words else shapes.NUMBERS).of(
                lambda each: _example(variant, each.hands)
            ),
        },
    )


def _example(variant: AnyRanking, hands: Sequence[Hand]) -> Sequence[int | str]:
    """The strongest of `hands`, in as many suits as possible."""
    hand = max(hands, key=lambda hand: (hand.numbers, -hand.most_of_one_suit))
    suits = variant.dice.suits
    if not suits:
        return variant.dice.named(hand.best)
    if hand.most_of_one_suit == variant.hand_size:
        suits = suits[:1]
    best = variant.dice.named(hand.best)
    return [f"{face}{suits[index % len(suits)].letter}" for index, face in enumerate(best)]


def rank_columns(variant: AnyRanking) -> Mapping[str, Shape]:
    """The columns `rank` and `strength` as JSON Schema."""
    return {
        "rank": shapes.list_of(shapes.rank(variant)),
        "strength": shapes.list_of(shapes.ORDINAL, STRENGTH),
    }
