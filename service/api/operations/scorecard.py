"""Operations of variants played on a score card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.operations.advise.review import review
from service.api.operations.advise.scorecard import advise
from service.api.operations.advise.scorecard import question as question
from service.api.operations.columns import BatchColumns
from service.api.operations.operation import Answer, Operation, always
from service.api.operations.quick_rolls import quick_rolls
from service.api.operations.ranking import roll_schema
from service.api.schemas.bounds import Bounds, keep_schema, one_of_schema
from service.api.schemas.component import component
from service.api.schemas.enums import box
from service.api.schemas.fields import (
    Object,
    Players,
    StrictField,
    plain_dice,
    player_id,
    word,
)
from service.api.schemas.numbers import among
from service.api.schemas.scorecard import box_names, card
from service.api.schemas.scorecard_responses import evaluate_response, rank_response, score_response
from service.api.schemas.shared import (
    Fields,
    RequestSchema,
    changed_rules,
    place_answer,
    request_schema,
    title,
)
from service.engine.parameters import Keep, OneOf
from service.kinds.scorecard.boxes import Box, UpperBox
from service.kinds.scorecard.card import BoxEntry, Card, Entrant, Totals
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import whole_number
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings

BOUNDS: Bounds = {Keep: keep_schema, OneOf: one_of_schema}
"""The JSON Schema of the bounds of the values of actions, by class."""


def operations(variant: ScoreCard[Any], settings: Settings) -> list[Operation]:
    """`evaluate`, `rank`, `score`, `advise` and `review` of a score card."""
    dice = plain_dice(variant, required=True)
    open_boxes = box_names(
        variant,
        metadata={"description": "The boxes to score; by default all of them."},
    )
    turn = Object(
        RequestSchema.from_dict(
            {"dice": dice, "box": word(box(variant), required=True)},
            name=component(variant, "Turn"),
        ),
        metadata={"description": "A turn to score in an open box before adding up."},
    )
    player = RequestSchema.from_dict(
        {"id": player_id(required=True), "card": card(variant, required=True)},
        name=component(variant, "RankPlayer"),
    )()
    return [
        Operation(
            variant=variant,
            name="evaluate",
            summary=f"{variant.name}: score a roll in each box",
            description="Returns the score of a roll in each open box, and the box where it "
            "scores most.",
            request=request_schema(
                variant,
                "EvaluateRequest",
                {"dice": dice, "open_boxes": open_boxes, **_repeated_box(variant)},
            ),
            response=evaluate_response(variant),
            answer=lambda given: _evaluate(variant, given),
            brief=always,
            check=lambda given: _check_repeat(variant, given),
            quick_lines=quick_rolls,
        ),
        Operation(
            variant=variant,
            name="rank",
            summary=f"{variant.name}: rank players by their totals",
            description="Ranks players by the totals of their cards, finished or not. Equal "
            "totals share a place.",
            request=request_schema(
                variant, "RankRequest", {"players": Players(player, *variant.players)}
            ),
            response=rank_response(variant),
            answer=lambda given: _rank(variant, given),
            check=lambda given: variant.check_cards(_entrants(given), given["house_rules"]),
        ),
        Operation(
            variant=variant,
            name="score",
            summary=f"{variant.name}: add up a card",
            description="Adds up a card, after scoring a turn in it if the request has one. "
            "Omitted boxes are open. A crossed-out box holds 0.",
            request=request_schema(
                variant,
                "ScoreRequest",
                {"card": card(variant, required=True), "turn": turn},
            ),
            response=score_response(variant),
            answer=lambda given: _score(variant, given),
            brief=always,
            check=lambda given: _check_score(variant, given),
        ),
        advise(variant, settings),
        review(variant, settings),
    ]


def _repeated_box(variant: ScoreCard[Any]) -> Fields:
    """The request field with the score in the box that can be rolled again, if there is one."""
    repeats = variant.repeats
    if repeats is None:
        return {}
    possible = variant.possible[repeats.box.id]

    def read(value: object) -> int:
        score = whole_number(value)
        if score not in possible:
            raise InvalidInput(Violation((), f"must be {any_of(reversed(possible))}"))
        return score

    description = (
        f"The score in {repeats.box.id}, 0 if it was crossed out. Allowed only with an "
        f"`open_boxes` that excludes that box. It decides whether the roll earns {repeats.bonus} "
        f"({repeats.used})."
    )
    return {
        repeats.box.id: StrictField(read, among(possible), metadata={"description": description})
    }


def _evaluate(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Answer:
    scores = variant.scores(given["dice"], given["house_rules"], given.get("open_boxes"))
    box = variant.best_box(scores)
    return {
        "variant": variant.id,
        "scores": scores,
        "best": {"box": box, "score": scores[box]},
        **_earned(variant, given),
        **changed_rules(variant, given["house_rules"]),
    }


def _earned(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Answer:
    """The bonus that a roll earns in addition to its box, if the request has the score in the
    repeated box (D15).
    """
    repeats = variant.repeats
    if repeats is None or repeats.box.id not in given:
        return {}
    _check_repeat(variant, given)
    rules = given["house_rules"]
    if not repeats.points(rules):
        return {}
    return {repeats.points_field: repeats.earned(given["dice"], rules, given[repeats.box.id])}


def _check_repeat(variant: ScoreCard[Any], given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` if the box that repeats has points but is listed as open."""
    repeats = variant.repeats
    if repeats and repeats.box.id in given:
        repeats.check_used(given.get("open_boxes"))


def _totals(variant: ScoreCard[Any], totals: Totals, rules: Any) -> Answer:
    answer = {
        "upper": totals.upper,
        "bonus": totals.bonus,
        "lower": totals.lower,
        "total": totals.total,
    }
    if variant.repeats and getattr(rules, variant.repeats.bonus):
        answer[variant.repeats.points_field] = totals.repeats
    return answer


def _entrants(given: Mapping[str, Any]) -> list[Entrant]:
    return [Entrant(player["id"], player["card"]) for player in given["players"]]


def _rank(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Answer:
    places = []
    for place in variant.rank(_entrants(given), given["house_rules"]):
        total = place.entries[0].totals.total
        places.append({**place_answer(place, total), "total": total})
    return {
        "variant": variant.id,
        "places": places,
        "winners": places[0]["players"],
        **changed_rules(variant, given["house_rules"]),
    }


def _check_score(variant: ScoreCard[Any], given: Mapping[str, Any]) -> None:
    """Raises the errors of `_score`."""
    card, rules = given["card"], given["house_rules"]
    if "turn" in given:
        variant.check_entry(card, BoxEntry(**given["turn"]), rules)
    else:
        variant.check_card(card, rules)


def _score(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Answer:
    rules = given["house_rules"]
    written: Card = given["card"]
    if "turn" in given:
        written = variant.play(written, BoxEntry(**given["turn"]), rules)
    totals = variant.total(written, rules)
    scores: dict[str, int | None] = {**written.scores}
    if variant.repeats and getattr(rules, variant.repeats.bonus):
        scores[variant.repeats.counter] = written.repeated
    return {
        "variant": variant.id,
        "card": scores,
        **_totals(variant, totals, rules),
        "open_boxes": written.open_boxes,
        "complete": not written.open_boxes,
        **changed_rules(variant, rules),
    }


def entry(variant: ScoreCard[Any]) -> Answer:
    """The fields of the catalogue entry that only this kind has."""
    return {
        "boxes": [_box(variant, box) for box in variant.boxes],
        "repeats": _repeats(variant),
        "upper_bonus": _upper_bonus(variant),
        "clock": variant.clock,
        "tie_breaks": [
            {"id": "total", "text": variant.clauses[variant.order], "clause": variant.order}
        ],
    }


def _box(variant: ScoreCard[Any], box: Box) -> Answer:
    if isinstance(box, UpperBox):
        section, points, scores = "upper", None, f"the sum of the {box.id}"
    else:
        section, points, scores = "lower", box.points.fixed, box.points.words
    return {
        "id": box.id,
        "name": title(box.id),
        "section": section,
        "needs": variant.needs(box),
        "points": points,
        "scores": scores,
        "possible": variant.possible[box.id],
        "clause": box.clause,
    }


def _upper_bonus(variant: ScoreCard[Any]) -> Answer | None:
    """The upper bonus as JSON, the lowest tier and all tiers; None if there is none."""
    bonus = variant.upper_bonus
    if bonus is None:
        return None
    tiers = [{"threshold": least, "points": points} for least, points in bonus.tiers.items()]
    return {**tiers[0], "tiers": tiers, "clause": bonus.clause}


def _repeats(variant: ScoreCard[Any]) -> Answer | None:
    """The bonus for repeats as JSON; None if there is none."""
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


def columns(variant: ScoreCard[Any]) -> BatchColumns:
    """The columns of a batch of `variant`."""
    answer = {
        box: {"type": "array", "items": among(possible)}
        for box, possible in variant.possible.items()
    }
    hand = roll_schema(variant)
    return BatchColumns(variant, variant.dice, variant.hand_sizes, hand, answer, boxes=True)
