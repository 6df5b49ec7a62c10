"""The catalogue: what a client needs to draw a variant's screens without reading its rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from service.api.batch.batch import Batch
from service.api.operations.operation import Answer, Operation
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.lines import LineHand
from service.kinds.layout.variant import Layout
from service.kinds.ranking.hand_table import Hand, Rank
from service.kinds.ranking.variant import AnyRanking
from service.kinds.scorecard.boxes import Box, UpperBox
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import options
from service.rules.variant import Variant

PATH = "/v1/variants"

Offered = Operation | Batch
"""What can be asked of a variant."""


def listing(variants: Iterable[Variant[Any]], offered: Iterable[Offered]) -> Answer:
    """The list of all variants."""
    offered = list(offered)
    return {"variants": [_summary(variant, offered) for variant in variants]}


def entry(variant: Variant[Any], offered: Iterable[Offered]) -> Answer:
    """All there is to know of one variant."""
    least, most = variant.players
    return {
        **_summary(variant, offered),
        "dice": _dice(variant),
        "rolls": variant.rolls,
        "players": {"min": least, "max": most},
        **_of_its_kind(variant),
        "house_rules": [
            {
                "name": option.name,
                "type": option.type,
                "choices": option.choices,
                "nullable": option.nullable,
                "default": option.default,
                "minimum": option.minimum,
                "maximum": option.maximum,
                "step": option.step,
                "meaning": option.meaning,
                "clause": option.clause,
            }
            for option in options(variant.house_rules)
        ],
        "rules": [{"clause": clause, "text": text} for clause, text in variant.clauses.items()],
    }


def _summary(variant: Variant[Any], offered: Iterable[Offered]) -> Answer:
    return {
        "id": variant.id,
        "name": variant.name,
        "summary": variant.summary,
        "kind": variant.kind,
        "links": {
            "self": f"{PATH}/{variant.id}",
            **{
                operation.name: operation.path
                for operation in offered
                if operation.variant is variant
            },
        },
    }


def _dice(variant: Variant[Any]) -> Answer:
    dice = variant.dice
    return {
        "count": dice.count,
        "faces": dice.faces,
        "suits": [{"letter": suit.letter, "name": suit.name} for suit in dice.suits],
        "notation": dice.how_written,
    }


def _of_its_kind(variant: Variant[Any]) -> Answer:
    if isinstance(variant, ScoreCard):
        return {
            "boxes": [_box(box, variant.possible[box.id]) for box in variant.boxes],
            "repeats": _repeats(variant),
            "upper_bonus": _upper_bonus(variant),
            "tie_breaks": [
                {
                    "id": "total",
                    "text": variant.clauses[variant.order],
                    "clause": variant.order,
                }
            ],
        }
    if isinstance(variant, AnyRanking):
        table: Answer = {}
        if isinstance(variant, CommunityRanking):
            table = {"pocket": variant.pocket, "community": variant.stages}
        return {
            "hand_size": variant.hand_size,
            **table,
            "ranks": [_rank(variant, rank) for rank in variant.ranks],
            "tie_breaks": [
                {"id": step.id, "text": step.text, "clause": step.clause}
                for step in variant.tie_breaks
            ],
        }
    if isinstance(variant, Layout):
        return {
            "hands": [_line_hand(hand) for hand in variant.all_hands],
            "all_dice_bonus": variant.all_dice_bonus,
            "risk_faces": variant.risk_faces,
            "dice_set": variant.dice.dice_set,
            "tie_breaks": [
                {"id": "score", "text": variant.clauses[variant.order], "clause": variant.order}
            ],
        }
    raise TypeError(f"{variant.id} is of no kind that the catalogue knows")


def _line_hand(hand: LineHand) -> Answer:
    return {
        "id": hand.id,
        "name": _title(hand.id),
        "needs": hand.needs,
        "points": hand.points,
        "further": hand.further,
        "doubles": hand.doubles,
        "clause": hand.clause,
    }


def _repeats(variant: ScoreCard[Any]) -> Answer | None:
    """What rolling once more for a used box can earn, if anything."""
    repeats = variant.repeats
    if repeats is None:
        return None
    return {
        "box": repeats.box.id,
        "card_field": repeats.counter,
        "bonus_rule": repeats.bonus,
        "joker_rule": repeats.joker,
        "joker_fills": [box.id for box in repeats.fills],
        "clause": repeats.clause,
    }


def _upper_bonus(variant: ScoreCard[Any]) -> Answer | None:
    """What an upper section earns, if anything: the lowest tier, and all of them."""
    bonus = variant.upper_bonus
    if bonus is None:
        return None
    tiers = [{"threshold": least, "points": points} for least, points in bonus.tiers.items()]
    return {**tiers[0], "tiers": tiers, "clause": bonus.clause}


def _box(box: Box, possible: Sequence[int]) -> Answer:
    if isinstance(box, UpperBox):
        section, points, scores = "upper", None, f"the sum of the {box.id}"
    else:
        section, points, scores = "lower", box.points.fixed, box.points.words
    return {
        "id": box.id,
        "name": _title(box.id),
        "section": section,
        "needs": box.needs,
        "points": points,
        "scores": scores,
        "possible": possible,
        "clause": box.clause,
    }


def _rank(variant: AnyRanking[Any], rank: Rank) -> Answer:
    rules = variant.house_rules(**({rank.only_with: True} if rank.only_with else {}))
    hands = [hand for hand in variant.table(rules) if hand.rank is rank]
    strengths = sorted(hand.strength for hand in hands)
    return {
        "id": rank.id,
        "name": _title(rank.id),
        "needs": rank.needs,
        "winning": rank.winning,
        "counts": rank.counts,
        "above": _above(rank),
        "house_rule": rank.only_with,
        "strengths": {"weakest": strengths[0], "strongest": strengths[-1]},
        "example": _example(variant, hands),
        "clause": rank.clause,
    }


def _above(rank: Rank) -> Answer | None:
    """The house rule that moves `rank`, and the rank that it is then above."""
    if rank.above is None:
        return None
    house_rule, other = rank.above
    return {"house_rule": house_rule, "rank": other}


def _example(variant: AnyRanking[Any], hands: Sequence[Hand]) -> Sequence[int | str]:
    """The highest of `hands`, in as many suits as it can be."""
    hand = max(hands, key=lambda hand: (hand.numbers, -hand.most_of_one_suit))
    suits = variant.dice.suits
    if not suits:
        return hand.best
    if hand.most_of_one_suit == variant.hand_size:
        suits = suits[:1]
    return [f"{number}{suits[index % len(suits)].letter}" for index, number in enumerate(hand.best)]


def _title(name: str) -> str:
    """`four_of_a_kind` as "Four of a kind"."""
    return name.replace("_", " ").capitalize()
