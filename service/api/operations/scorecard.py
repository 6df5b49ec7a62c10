"""Operations of variants played on a score card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.api.operations.cached_lines import RollLines
from service.api.operations.operation import BatchColumns, Operation, always
from service.api.operations.ranking import roll_schema
from service.api.operations.scorecard_advice import advise, card, check_open, choose
from service.api.operations.scorecard_advice import can_play as can_play
from service.api.operations.scorecard_advice import play as play
from service.api.operations.scorecard_advice import question as question
from service.api.operations.scorecard_forecast import forecast
from service.api.operations.scorecard_forecast import forecast_question as forecast_question
from service.api.operations.scorecard_review import review
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, plain_dice, word
from service.api.schemas.requests import Fields as RequestFields
from service.api.schemas.requests import Object, object_schema, players
from service.api.schemas.serializers import Fields, Serializer, part, place_fields, places_fields
from service.api.schemas.shapes import Field, Shape
from service.kinds.scorecard.card import BoxEntry, Card, Entrant, ScoredPlayer, Totals
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.house_rules import read_word
from service.rules.places import Place
from service.rules.violations import InvalidInput, Violation, gathering, read_each, refuse
from service.settings import Settings

HAND_COUNTS = "in a box of a score card"
"""How a hand counts, for the catalogue."""


def operations(variant: ScoreCard, settings: Settings) -> list[Operation]:
    """`evaluate`, `rank`, `score`, `advise`, `choose`, `forecast` and `review` of a score card."""
    advised = advise(variant, settings)
    dice = plain_dice(variant, required=True)
    written = card(variant, required=True)
    turn = object_schema(
        variant, "Turn", {"dice": dice, "box": word(shapes.box(variant), required=True)}, BoxEntry
    )
    return [
        Operation(
            variant,
            "evaluate",
            title="score a roll in each box",
            description="Scores a roll in each open box.",
            request_fields={
                "dice": dice,
                "card": card(variant, description="Its open boxes are scored."),
                "open_boxes": _box_names(variant, "Without `card`. Default: all."),
                **_repeated_box(variant),
            },
            response_fields=_evaluation(variant),
            compute=lambda given: _evaluate(variant, given),
            brief=always,
            check=lambda given: _check_open(variant, given),
            cached_lines=RollLines,
        ),
        Operation(
            variant,
            "rank",
            title="rank players by their totals",
            description="By the totals of their cards, finished or not.",
            request_fields={"players": players(variant, {"card": written}, Entrant)},
            response_fields=_ranking(),
            compute=lambda given: variant.rank(given["players"], given["house_rules"]),
            check=lambda given: variant.check_cards(given["players"], given["house_rules"]),
        ),
        Operation(
            variant,
            "score",
            title="add up a card",
            description="Omitted boxes are open. A crossed-out box holds 0.",
            request_fields={"card": written, "turn": Object(turn, "To score before adding up.")},
            response_fields=_score_fields(variant),
            compute=lambda given: _score(variant, given),
            brief=always,
            check=lambda given: _check_score(variant, given),
        ),
        advised,
        choose(advised, settings),
        forecast(variant, settings),
        review(variant, settings),
    ]


def _box_names(variant: ScoreCard, description: str) -> StrictField:
    """The names of at least one box, all different, parsed into a frozen set."""
    boxes = [*variant.possible]

    def read(value: object) -> frozenset[str]:
        if not isinstance(value, list) or not 1 <= len(value) <= len(boxes):
            raise InvalidInput(
                Violation((), Breach.NOT_A_LIST_BETWEEN(minimum=1, maximum=len(boxes), of="boxes"))
            )
        names: set[str] = set()

        def read_name(item: object) -> str:
            name = read_word(item, boxes)
            if name in names:
                raise InvalidInput(Violation((), Breach.REPEATED(value=name)))
            names.add(name)
            return name

        return frozenset(read_each(value, read_name))

    shape = shapes.list_of(shapes.box(variant), minItems=1, uniqueItems=True)
    return StrictField(read, shape, description)


def _repeated_box(variant: ScoreCard) -> RequestFields:
    """The request field with the score in the box that can be rolled again, if there is one."""
    repeats = variant.repeats
    if repeats is None:
        return {}
    possible = variant.possible[repeats.box.id]

    def read(value: object) -> int:
        score = whole_number(value)
        if score not in possible:
            raise InvalidInput(Violation((), Breach.NOT_ALLOWED(numbers=[*reversed(possible)])))
        return score

    description = (
        "The score in that box; 0: crossed out. Only with `open_boxes` without it. It decides "
        f"whether the roll earns {repeats.bonus} ({repeats.used})."
    )
    return {repeats.box.id: StrictField(read, shapes.among(possible), description)}


class _Evaluated(NamedTuple):
    """The scores of a roll in the open boxes, the best of them, and what the roll earns besides."""

    scores: Mapping[str, int]
    best: str
    earned: int | None


def _evaluate(variant: ScoreCard, given: Mapping[str, Any]) -> _Evaluated:
    """Scores a roll, and what it earns besides if the request has the repeated box (D15)."""
    _check_open(variant, given)
    dice, rules, repeats = given["dice"], given["house_rules"], variant.repeats
    open_boxes, used = given.get("open_boxes"), given
    if "card" in given:
        open_boxes, used = given["card"].open_boxes, given["card"].scores
    scores = variant.scores(dice, rules, open_boxes)
    earned = None
    if repeats and repeats.box.id in used and repeats.points(rules):
        earned = repeats.earned(dice, rules, used[repeats.box.id])
    return _Evaluated(scores, variant.best_box(scores), earned)


def _check_open(variant: ScoreCard, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for a card that is full or can't have its repeats, for fields that say
    what the card says, and if the box that repeats has points but is listed as open.
    """
    repeats = variant.repeats
    if "card" in given:
        says = ["open_boxes", *([repeats.box.id] if repeats else [])]
        violations = [
            Violation((name,), Breach.ONLY_WITHOUT_CARD()) for name in says if name in given
        ]
        with gathering(violations):
            check_open(variant, given["card"], given["house_rules"])
        refuse(violations)
    elif repeats and repeats.box.id in given:
        repeats.check_used(given.get("open_boxes"))


def _check_score(variant: ScoreCard, given: Mapping[str, Any]) -> None:
    """Raises the errors of `_score`."""
    card, rules = given["card"], given["house_rules"]
    if "turn" in given:
        variant.check_entry(card, given["turn"], rules)
    else:
        variant.check_card(card, rules)


def best_box(variant: ScoreCard) -> Serializer[tuple[str, int]]:
    """The box where a roll scores the most, and its score there."""
    return Serializer(
        shapes.component(variant, "BestBox"),
        {
            "box": shapes.box(variant).of(lambda best: best[0]),
            "score": shapes.COUNT.of(lambda best: best[1]),
        },
    )


def _evaluation(variant: ScoreCard) -> Fields[_Evaluated]:
    scores = {box: shapes.among(possible).optional() for box, possible in variant.possible.items()}
    own: dict[str, Field[_Evaluated] | Shape] = {
        "scores": shapes.record(shapes.component(variant, "Scores"), scores),
        "best": part(
            best_box(variant),
            lambda found: (found.best, found.scores[found.best]),
            "The first of the open boxes with the highest score.",
        ),
    }
    if variant.repeats:
        own[variant.repeats.points_field] = shapes.COUNT.optional(
            f"With `card` or `{variant.repeats.box.id}`, if {variant.repeats.bonus} is in force."
        ).of("earned")
    return own


def _ranking() -> Fields[Sequence[Place[ScoredPlayer]]]:
    place = Serializer[Place[ScoredPlayer]](
        "ScorecardPlace",
        {
            **place_fields(lambda place: place.entries[0].totals.total),
            "total": shapes.COUNT.of(lambda place: place.entries[0].totals.total),
        },
    )
    return places_fields(place)


class _Scored(NamedTuple):
    """A card added up, and whether its repeats earn anything."""

    totals: Totals
    earns: bool


def _score(variant: ScoreCard, given: Mapping[str, Any]) -> _Scored:
    rules = given["house_rules"]
    written: Card = given["card"]
    if "turn" in given:
        written = variant.play(written, given["turn"], rules)
    repeats = variant.repeats
    return _Scored(variant.total(written, rules), bool(repeats and repeats.points(rules)))


def _score_fields(variant: ScoreCard) -> Fields[_Scored]:
    repeats = variant.repeats
    boxes: dict[str, Shape] = {
        box: shapes.among(possible).or_null() for box, possible in variant.possible.items()
    }
    if repeats:
        boxes[repeats.counter] = shapes.COUNT.optional(
            f"Rolls that earned {repeats.bonus}, if it is in force."
        )
    bonuses = variant.upper_bonus.tiers.values() if variant.upper_bonus else []

    def card(scored: _Scored) -> Mapping[str, int | None]:
        card = scored.totals.card
        if repeats and scored.earns:
            return {**card.scores, repeats.counter: card.repeated}
        return card.scores

    own: dict[str, Field[_Scored] | Shape] = {
        "card": shapes.record(shapes.component(variant, "Card"), boxes)("Null: open.").of(card),
        "upper": shapes.COUNT("Without its bonus.").of("totals.upper"),
        "bonus": shapes.among([0, *bonuses]).of("totals.bonus"),
        "lower": shapes.COUNT.of("totals.lower"),
        "total": shapes.COUNT.of("totals.total"),
    }
    if repeats:
        own[repeats.points_field] = shapes.COUNT.optional(f"If {repeats.bonus} is in force.").of(
            lambda scored: scored.totals.repeats if scored.earns else None
        )
    own["open_boxes"] = shapes.list_of(shapes.box(variant)).of("totals.card.open_boxes")
    own["complete"] = shapes.FLAG.of(lambda scored: not scored.totals.card.open_boxes)
    return own


def on_paper(variant: ScoreCard) -> StrictField:
    """The card of a player in a game from paper."""
    own = card(variant)

    def read(value: object) -> dict[str, int]:
        found: Card = own.read(value)
        counted = {variant.repeats.counter: found.repeated or None} if variant.repeats else {}
        return {
            name: score for name, score in {**found.scores, **counted}.items() if score is not None
        }

    return StrictField(read, own.json_schema)


def columns(variant: ScoreCard) -> BatchColumns:
    """The columns of a batch of `variant`."""
    answer = {
        box: shapes.list_of(shapes.among(possible)) for box, possible in variant.possible.items()
    }
    return BatchColumns(variant, roll_schema(variant), answer)
