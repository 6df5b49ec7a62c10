"""What the catalogue entries of each kind of game have besides the fields of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import unique
from typing import Any, NamedTuple

from service.api.http.languages import translated, words
from service.api.schemas import shapes
from service.api.schemas.serializers import Fields, Serializer, inlined, part, parts, title
from service.api.schemas.shapes import Shape
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.lines import LineHand
from service.kinds.layout.variant import Layout
from service.kinds.ranking.hand_table import Hand, Rank, TieBreak
from service.kinds.ranking.variant import AnyRanking
from service.kinds.registry import ByKind
from service.kinds.scorecard.boxes import Box, UpperBonus, UpperBox
from service.kinds.scorecard.card import Repeats
from service.kinds.scorecard.variant import ScoreCard
from service.rules.sentences import Wording

CLAUSE = shapes.TEXT


@unique
class Described(Wording):
    """What upper boxes need, and how they score."""

    FACE = "dice that show {face}"
    SUM = "the sum of the {box:name}"


class KindEntry(NamedTuple):
    """What an entry of the component `name` has besides the fields of all kinds."""

    name: str
    fields: Fields[Any]
    """The fields, whose values are made of the variant."""
    tie_breaks: Sequence[TieBreak]


_ABOVE = Serializer[tuple[str, str]](
    "RankAbove",
    {
        "house_rule": shapes.TEXT.of(lambda above: above[0]),
        "rank": shapes.TEXT.of(lambda above: above[1]),
    },
)

_EXAMPLE_DICE = Shape(title="ExampleDice", oneOf=[shapes.NUMBERS, shapes.TEXTS])
"""Some dice as each game writes them: one schema, so that all games of a kind have one entry."""

_STRENGTHS = Serializer[Sequence[Hand]](
    "StrengthRange",
    {
        "weakest": shapes.COUNT.of(lambda hands: hands[0].strength),
        "strongest": shapes.COUNT.of(lambda hands: hands[-1].strength),
    },
)


def _rank(variant: AnyRanking) -> Serializer[Sequence[Hand]]:
    """A rank, made of all its hands from the weakest to the strongest."""
    rank: Fields[Rank] = {
        "id": shapes.TEXT,
        "name": shapes.TEXT.of("id", title),
        "needs": shapes.TEXT.of("needs", translated),
        "winning": shapes.FLAG("Whether a hand of it can win."),
        "counts": shapes.FLAG("False: it is rolled again."),
        "above": part(_ABOVE, "above", "The house rule that moves it above a rank.", null=True),
        "house_rule": shapes.TEXT.or_null("The house rule that it needs.").of("only_with"),
    }
    return Serializer[Sequence[Hand]](
        "Rank",
        {
            **inlined(lambda hands: hands[0].rank, rank),
            "strengths": part(
                _STRENGTHS, lambda hands: hands, "Under its house rule if it has one."
            ),
            "clause": CLAUSE.of(lambda hands: hands[0].rank.clause),
            "example": _EXAMPLE_DICE.of(lambda hands: _example(variant, hands)),
        },
    )


def _hands(variant: AnyRanking, rank: Rank) -> list[Hand]:
    """The hands of `rank` under its house rule if it has one, from the weakest to the strongest."""
    rules = variant.house_rules(**({rank.only_with: True} if rank.only_with else {}))
    hands = [hand for hand in variant.table(rules) if hand.rank.id == rank.id]
    return sorted(hands, key=lambda hand: hand.strength)


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


def _ranked(variant: AnyRanking, name: str, own: Fields[CommunityRanking]) -> KindEntry:
    """The entry of a game with ranks, with its `own` fields."""
    ranks = [_hands(variant, rank) for rank in variant.ranks]
    fields: Fields[Any] = {
        "hand_size": shapes.COUNT,
        "ranks": parts(_rank(variant), lambda _: ranks),
        **own,
    }
    return KindEntry(name, fields, variant.tie_breaks)


def _community(variant: CommunityRanking) -> KindEntry:
    own: Fields[CommunityRanking] = {
        "pocket": shapes.COUNT("How many hidden dice each player has."),
        "community": shapes.list_of(shapes.COUNT)("Their possible numbers.").of("stages"),
    }
    return _ranked(variant, "CommunityRankingEntry", own)


_REPEATS = Serializer[Repeats](
    "Repeats",
    {
        "box": shapes.TEXT("It must be used already.").of("box.id"),
        "card_field": shapes.TEXT("It counts the rolls with a bonus.").of("counter"),
        "bonus_rule": shapes.TEXT("It sets the points.").of("bonus"),
        "joker_rule": shapes.TEXT("It lets the dice fill other boxes.").of("joker"),
        "joker_fills": shapes.TEXTS.of(lambda of: [box.id for box in of.fills]),
        "clause": CLAUSE,
    },
)

_TIER: Fields[tuple[int, int]] = {
    "threshold": shapes.COUNT("The least upper total.").of(lambda tier: tier[0]),
    "points": shapes.COUNT.of(lambda tier: tier[1]),
}

_UPPER_BONUS = Serializer[UpperBonus](
    "UpperBonus",
    {
        **inlined(lambda bonus: next(iter(bonus.tiers.items())), _TIER),
        "tiers": parts(
            Serializer("UpperBonusTier", _TIER),
            lambda bonus: bonus.tiers.items(),
            "Lowest first. The highest that is reached counts.",
        ),
        "clause": CLAUSE,
    },
)


_STRENGTH = Serializer[tuple[str, tuple[float, float]]](
    "StrengthTotals",
    {
        "strength": shapes.TEXT.of(lambda measured: measured[0]),
        "mean": shapes.NUMBER.of(lambda measured: measured[1][0]),
        "deviation": shapes.NUMBER.of(lambda measured: measured[1][1]),
    },
)


def _box(variant: ScoreCard) -> Serializer[Box]:
    return Serializer(
        "Box",
        {
            "id": shapes.TEXT,
            "name": shapes.TEXT.of("id", title),
            "section": shapes.named_enum("BoxSection", ["upper", "lower"]).of(
                lambda box: "upper" if isinstance(box, UpperBox) else "lower"
            ),
            "needs": shapes.TEXT.of(lambda box: _needs(variant, box)),
            "points": shapes.INTEGER.or_null("Null: it depends on the dice.").of(
                lambda box: None if isinstance(box, UpperBox) else box.points.fixed
            ),
            "scores": shapes.TEXT("How, in words.").of(_scores),
            "possible": shapes.NUMBERS("All scores.").of(lambda box: variant.possible[box.id]),
            "clause": CLAUSE,
        },
    )


def _needs(variant: ScoreCard, box: Box) -> str:
    """What a roll must show to fill `box`."""
    if isinstance(box, UpperBox):
        return Described.FACE(face=variant.dice.written_faces[box.number - 1]).text(words())
    return translated(box.needs)


def _scores(box: Box) -> str:
    """How `box` scores."""
    if isinstance(box, UpperBox):
        return Described.SUM(box=box.id).text(words())
    return box.points.words if box.points.fixed else translated(box.points.words)


def _score_card(variant: ScoreCard) -> KindEntry:
    own: Fields[ScoreCard] = {
        "boxes": parts(_box(variant), "boxes"),
        "upper_bonus": part(
            _UPPER_BONUS,
            "upper_bonus",
            "`threshold` and `points` are those of the lowest tier.",
            null=True,
        ),
        "repeats": part(_REPEATS, "repeats", "The bonus for rolling a used box again.", null=True),
        "strengths": parts(
            _STRENGTH,
            lambda variant: variant.strengths.items(),
            "Final totals in games played by `choose`, under default rules.",
        ),
    }
    total = TieBreak("total", variant.clauses[variant.order], variant.order)
    return KindEntry("ScorecardEntry", own, [total])


_LINE_HAND = Serializer[LineHand](
    "LineHand",
    {
        "id": shapes.TEXT,
        "name": shapes.TEXT.of("id", title),
        "needs": shapes.TEXT.of("needs", translated),
        "points": shapes.COUNT,
        "further": shapes.COUNT("For each card beyond the base hand."),
        "doubles": shapes.FLAG("It counts twice on the first roll.").of(
            lambda hand: hand.doubles is not None
        ),
        "clause": CLAUSE,
    },
)


def _layout(variant: Layout) -> KindEntry:
    own: Fields[Layout] = {
        "hands": parts(_LINE_HAND, "all_hands"),
        "all_dice_bonus": shapes.COUNT("For all dice in one connected group."),
        "risk_faces": shapes.list_of(shapes.COUNT)("0 is a blank."),
        "dice_set": shapes.list_of(shapes.TEXTS)("The faces of each published die.").of(
            "dice.dice_set"
        ),
    }
    score = TieBreak("score", variant.clauses[variant.order], variant.order)
    return KindEntry("LayoutEntry", own, [score])


ENTRIES = ByKind[Callable[[Any], KindEntry]](
    __name__,
    ranking=lambda variant: _ranked(variant, "RankingEntry", {}),
    community=_community,
    scorecard=_score_card,
    layout=_layout,
)
"""What an entry of a variant has, by its kind."""
