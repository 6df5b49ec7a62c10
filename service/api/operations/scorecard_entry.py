"""The catalogue entry of games on score cards."""

from __future__ import annotations

from service.api.operations.advise.scorecard import question as question
from service.api.operations.entries import CLAUSE, Described, TieBreak, entry_of
from service.api.schemas import shapes
from service.api.schemas.serializers import (
    Fields,
    Serializer,
    inlined,
    part,
    parts,
    title,
)
from service.kinds.scorecard.boxes import Box, UpperBonus, UpperBox
from service.kinds.scorecard.card import Repeats
from service.kinds.scorecard.variant import ScoreCard

_REPEATS = Serializer[Repeats](
    "Repeats",
    {
        "box": shapes.TEXT("The box that must already be used.").of("box.id"),
        "card_field": shapes.TEXT("The field of a card that counts the rolls with a bonus.").of(
            "counter"
        ),
        "bonus_rule": shapes.TEXT("The house rule that sets the points of the bonus.").of("bonus"),
        "joker_rule": shapes.TEXT("The house rule that lets the dice fill other boxes.").of(
            "joker"
        ),
        "joker_fills": shapes.TEXTS.of(lambda of: [box.id for box in of.fills]),
        "clause": CLAUSE,
    },
)

_TIER: Fields[tuple[int, int]] = {
    "threshold": shapes.COUNT("The minimum upper total.").of(lambda tier: tier[0]),
    "points": shapes.COUNT.of(lambda tier: tier[1]),
}

_UPPER_BONUS = Serializer[UpperBonus](
    "UpperBonus",
    {
        **inlined(lambda bonus: next(iter(bonus.tiers.items())), _TIER),
        "tiers": parts(
            Serializer("UpperBonusTier", _TIER),
            lambda bonus: bonus.tiers.items(),
            "Lowest threshold first. The highest tier that is reached counts.",
        ),
        "clause": CLAUSE,
    },
)


def _box_in_entry(variant: ScoreCard) -> Serializer[Box]:
    return Serializer(
        "Box",
        {
            "id": shapes.TEXT,
            "name": shapes.TEXT.of("id", title),
            "section": shapes.named_enum("BoxSection", ["upper", "lower"]).of(
                lambda box: "upper" if isinstance(box, UpperBox) else "lower"
            ),
            "needs": shapes.TEXT("What the dice must show.").of(variant.needs),
            "points": shapes.INTEGER.or_null("Null if it depends on the dice.").of(
                lambda box: None if isinstance(box, UpperBox) else box.points.fixed
            ),
            "scores": shapes.TEXT("How the box scores, in words.").of(
                lambda box: (
                    f"the sum of the {box.id}" if isinstance(box, UpperBox) else box.points.words
                )
            ),
            "possible": shapes.NUMBERS("Every score that a roll can have in this box.").of(
                lambda box: variant.possible[box.id]
            ),
            "clause": CLAUSE,
        },
    )


def entry(variant: ScoreCard) -> Serializer[Described]:
    """The catalogue entry of `variant`."""
    own: Fields[Described] = {
        "boxes": parts(_box_in_entry(variant), lambda _: variant.boxes, "In card order."),
        "upper_bonus": part(
            _UPPER_BONUS,
            lambda _: variant.upper_bonus,
            "The bonus for the upper section; null for none. `threshold` and `points` are those of "
            "the lowest tier.",
            null=True,
        ),
        "repeats": part(
            _REPEATS,
            lambda _: variant.repeats,
            "The bonus for rolling a used box again; null for none.",
            null=True,
        ),
        "clock": shapes.TEXT.or_null(
            "The house rule that sets how many seconds a turn of a session lasts; null for no "
            "clock."
        ).of(lambda _: variant.clock),
    }
    total = TieBreak("total", variant.clauses[variant.order], variant.order)
    return entry_of(variant, "ScorecardEntry", own, [total])
