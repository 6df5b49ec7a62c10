"""`advise` of score cards: the expected final total of everything that a player can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from service.api.operations.advise.fields import (
    DECIMALS,
    LOSS,
    MOST_OPTIONS,
    NUMBER,
    Shape,
    kept,
    limit,
    options,
    rolls_left,
)
from service.api.operations.advise.reach import REACH, reached, target
from service.api.operations.advise.tables import has_table, table_for
from service.api.operations.operation import Answer, Operation
from service.api.schemas.enums import box
from service.api.schemas.fields import plain_dice, whole
from service.api.schemas.numbers import among
from service.api.schemas.scorecard import card
from service.api.schemas.shared import (
    AnswerField,
    Fields,
    answer_schema,
    changed_rules,
    request_schema,
)
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings

if TYPE_CHECKING:
    from service.advice.scorecard.options import Option

_UNITS = 10.0**DECIMALS

STEPS = 20
"""The steps of one answer from a table."""


def advise(variant: ScoreCard[Any], settings: Settings) -> Operation:
    """The operation `advise` of a score card."""
    request: Fields = {
        "card": card(variant, required=True),
        **_repeats(variant),
        "dice": plain_dice(variant, "Null: nothing has been rolled yet in this turn."),
        "rolls_left": rolls_left(variant),
        "target": target(),
        "limit": limit(),
    }
    response = {
        "expected_total": AnswerField(
            NUMBER,
            "The expected total of the final card, bonuses included, under the best play.",
        ),
        "deviation": AnswerField(NUMBER, "The standard deviation of this total."),
        "options": options(variant, by_action(variant)),
        "reach": REACH,
    }
    return Operation(
        variant=variant,
        name="advise",
        summary=f"{variant.name}: find the best play",
        description="Returns the expected final total under the best play, and that of every other "
        "thing to do: rolling, with some dice kept, scoring a box, and crossing one out. With "
        "`target`, also returns the chance to reach that total.",
        request=request_schema(variant, "AdviseRequest", request),
        response=answer_schema(variant, "AdviseAnswer", response),
        answer=lambda given: _advise(settings, variant, given)[0],
        check=lambda given: _checked(variant, given),
        measured=lambda given: _advise(settings, variant, given),
        brief=lambda given: (
            "target" not in given and has_table(settings, variant, given["house_rules"])
        ),
        waits=True,
    )


def by_action(variant: ScoreCard[Any]) -> Mapping[str, Mapping[str, Shape]]:
    """The fields of an option, by its action."""
    total = {"expected_total": NUMBER, "loss": LOSS}
    scores = among({score for possible in variant.possible.values() for score in possible})
    return {
        "roll": {**kept(variant), **total},
        "score": {"box": box(variant), "score": scores, **total},
        "cross_out": {"box": box(variant), **total},
    }


def question(
    variant: ScoreCard[Any], state: Mapping[str, Any], viewer: str | None
) -> dict[str, Any] | None:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    del viewer
    turn = state.get("turn")
    if not turn:
        return None
    card = state["cards"][turn["player"]]
    repeats = variant.repeats
    counted = (
        {repeats.counter: card[repeats.counter]} if repeats and repeats.counter in card else {}
    )
    rolled = {"dice": turn["dice"], "rolls_left": turn["rolls_left"]} if turn["dice"] else {}
    return {"card": {**card["scores"], **counted}, **rolled, "limit": MOST_OPTIONS}


def _repeats(variant: ScoreCard[Any]) -> Fields:
    """The field with the number of repeats, for cards that don't count them."""
    repeats = variant.repeats
    if repeats is None:
        return {}
    description = f"The number of rolls that earned {repeats.bonus}, as in `card`. Default: `0`."
    most = len(variant.boxes) - 1
    return {repeats.counter: whole(0, most, metadata={"description": description})}


def _checked(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Card:
    """The card of a request, with its repeats.

    Raises `InvalidInput` for a full card, repeats that it can't have, and rolls without dice.
    """
    card: Card = given["card"]
    violations: list[Violation] = []
    counter = variant.repeats.counter if variant.repeats else ""
    counted_at: tuple[str, ...] = ("card", counter)
    if counter in given:
        if card.repeated not in (0, given[counter]):
            detail = f"must be {card.repeated}, as in the card"
            violations.append(Violation((counter,), detail))
        if not card.repeated:
            counted_at = (counter,)
        card = Card(card.scores, given[counter])
    if "rolls_left" in given and "dice" not in given:
        violations.append(Violation(("rolls_left",), "is allowed only with dice", ("dice",)))
    try:
        check_open(variant, card, given["house_rules"])
    except InvalidInput as refused:
        violations += [
            replace(each, path=counted_at) if each.path == ("card", counter) else each
            for each in refused.violations
        ]
    if violations:
        raise InvalidInput(*violations)
    return card


def check_open(variant: ScoreCard[Any], card: Card, rules: Any) -> None:
    """Raises `InvalidInput` for a full card, and for repeats that it can't have."""
    violations: list[Violation] = []
    if not card.open_boxes:
        violations.append(Violation(("card",), "must have an open box: the card is full"))
    try:
        variant.check_card(card, rules)
    except InvalidInput as refused:
        violations += refused.violations
    if violations:
        raise InvalidInput(*violations)


def _advise(
    settings: Settings, variant: ScoreCard[Any], given: Mapping[str, Any]
) -> tuple[Answer, int]:
    """The response, and the number of steps that it took."""
    from service.advice.scorecard.options import advise  # NumPy takes long to import

    rules = given["house_rules"]
    card = _checked(variant, given)
    table, steps = table_for(settings, variant, rules, card)
    found = advise(table, card, given.get("dice"), given.get("rolls_left"), given["limit"])
    best = points(found.expected_total)
    answer: Answer = {
        "variant": variant.id,
        "expected_total": best,
        "deviation": points(found.deviation),
        "options": [option_json(variant, option, best) for option in found.options],
    }
    if "target" in given:
        answer["reach"], more = reached(table, card, given)
        steps += more
    return {**answer, **changed_rules(variant, rules)}, STEPS + steps


def points(value: float) -> float:
    """Expected points as responses have them, with `DECIMALS`.

    `round` with decimals takes three times as long: it formats the number and parses it again.
    """
    return round(value * _UNITS) / _UNITS


def option_json(variant: ScoreCard[Any], option: Option, best: float) -> Answer:
    """An option as JSON, with the fields of its action; `best` is the total of the best option."""
    total = points(option.expected_total)
    value = {"expected_total": total, "loss": points(best - total)}
    if option.action == "roll":
        dice = variant.dice.named(option.dice)
        return {"action": option.action, "keep": option.keep, "dice": dice, **value}
    if option.action == "score":
        return {"action": option.action, "box": option.box, "score": option.score, **value}
    return {"action": option.action, "box": option.box, **value}
