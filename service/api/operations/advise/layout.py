"""`advise` of variants played by laying out dice: the worth of a turn, and the risk die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.api.operations.advise.fields import (
    CHANCE,
    DECIMALS,
    LOSS,
    MOST_OPTIONS,
    NUMBER,
    limit,
    options,
)
from service.api.operations.operation import Answer, Operation
from service.api.schemas.component import component
from service.api.schemas.fields import whole
from service.api.schemas.layout import own_layout, own_lines, rolls
from service.api.schemas.layout_responses import laid_hand
from service.api.schemas.shared import (
    AnswerField,
    Fields,
    answer_part,
    answer_schema,
    changed_rules,
    listed,
    nested,
    request_schema,
)
from service.kinds.layout.own_layout import OwnLine
from service.kinds.layout.state import hands_json
from service.kinds.layout.variant import Layout
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    from service.advice.layout.risk import RiskOption

MOST_NEEDED = 10_000_000
"""The most points that can be needed: more than a target score can be."""

FLAG = {"type": "boolean"}


def advise(variant: Layout) -> Operation:
    """The operation `advise` of a layout."""
    needed = "The score of this turn that wins, or that you want to reach."
    return Operation(
        variant=variant,
        name="advise",
        summary=f"{variant.name}: what a turn is worth",
        description="Before the last roll, returns the score to expect and the chance of each "
        "hand. After it, returns the best layout, and what to expect if its points are banked or "
        "risked. With `need`, also returns the chance to score that. A turn that can end in more "
        "ways than a request may search is simulated, always with the same dice.",
        request=request_schema(
            variant,
            "AdviseRequest",
            {
                "rolls": rolls(variant, least=0, required=True),
                "layout": own_layout(variant, "Your own layout, if you have laid the dice out."),
                "need": whole(1, MOST_NEEDED, metadata={"description": needed}),
                "limit": limit(),
            },
        ),
        response=answer_schema(variant, "AdviseAnswer", _response(variant)),
        answer=lambda given: _advise(variant, given)[0],
        check=lambda given: _check(variant, given),
        measured=lambda given: _advise(variant, given),
    )


def _response(variant: Layout) -> Fields:
    """The fields of a response."""
    reach = {**CHANCE, "description": "The chance to score `need`; present if that was given."}
    value = {"expected": NUMBER, "loss": LOSS, "reach": reach}
    names = [*(hand.id for hand in variant.all_hands), "super_royal"]
    chances = answer_part(
        component(variant, "HandChances"), {name: AnswerField(CHANCE) for name in names}
    )
    laid = listed(
        nested(laid_hand(variant)),
        "The best layout, or your own; present after the last roll.",
    )
    laid.required = False
    return {
        "expected": AnswerField(
            NUMBER,
            "The mean score of the turn, if the risk die is rolled where that raises it.",
        ),
        "reach": AnswerField(
            CHANCE,
            "The chance to score `need`, if you bank or risk to reach that; present if it was "
            "given. A super royal wins, so it always does.",
            required=False,
        ),
        "points": AnswerField(NUMBER, "The mean points of the best layout, without the risk die."),
        "missing": AnswerField(
            {"type": "string"},
            "What the first roll lacks to open; present if the turn scores zero for that.",
            required=False,
        ),
        "hands": nested(chances, "The chance of each hand to be in the best layout."),
        "options": options(variant, {"bank": value, "risk": value}, optional=("reach",)),
        "layout": laid,
        "exact": AnswerField(FLAG, "Whether no value is an estimate."),
        "standard_error": AnswerField(
            {"type": "number", "minimum": 0},
            "The standard error of `expected`; 0 if no turns were simulated.",
        ),
        "simulated": AnswerField(
            {"type": "integer", "minimum": 0},
            "How many turns were simulated; 0 if all ways in which the turn can end were counted.",
        ),
        "proven": AnswerField(
            FLAG,
            "Whether all layouts are proven to be the best; otherwise the values may be too low.",
        ),
    }


def question(
    variant: Layout, state: Mapping[str, Any], viewer: str | None
) -> dict[str, Any] | None:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    del variant, viewer
    turn = state["turn"]
    if state["over"] or turn is None:
        return None
    laid = turn["laid"]
    if laid is None:
        return {"rolls": turn["rolls"], "limit": MOST_OPTIONS}
    places = ("dice", "direction", "row", "column")
    layout = [{name: hand[name] for name in places} for hand in laid["hands"]]
    return {"rolls": turn["rolls"], "layout": layout, "limit": MOST_OPTIONS}


def _check(variant: Layout, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for repeated cards, and for a layout that breaks the rules."""
    turn, rules, laid = given["rolls"], given["house_rules"], _laid(given)
    if turn is None:
        if laid is not None:
            raise InvalidInput(Violation(("layout",), "is allowed only after the first roll"))
    elif laid is None:
        variant.check(turn, rules)
    else:
        variant.check_layout(turn, laid, rules)


def _laid(given: Mapping[str, Any]) -> list[OwnLine] | None:
    return own_lines(given["layout"]) if "layout" in given else None


def _advise(variant: Layout, given: Mapping[str, Any]) -> tuple[Answer, int]:
    """The response, and the number of steps of its searches."""
    from service.advice.layout.turn import advise  # most requests don't need it

    rules, turn = given["house_rules"], given["rolls"]
    _check(variant, given)
    found = advise(variant, turn, rules, given.get("need"), _laid(given))
    played = found.played
    answer: Answer = {
        "variant": variant.id,
        "expected": round(found.expected, DECIMALS),
        **_reach(found.reach),
        "points": round(found.points, DECIMALS),
        **({"missing": played.missing} if played and played.missing else {}),
        "hands": {hand: round(chance, DECIMALS) for hand, chance in found.hands.items()},
        "options": [_option(option) for option in found.options[: given["limit"]]],
        **({"layout": hands_json(variant, turn, played.hands)} if played and played.opened else {}),
        "exact": found.exact,
        "standard_error": round(found.standard_error, DECIMALS),
        "simulated": found.simulated,
        "proven": found.proven,
        **changed_rules(variant, rules),
    }
    return answer, found.steps


def _option(option: RiskOption) -> Answer:
    return {
        "action": "risk" if option.risk else "bank",
        "expected": round(option.expected, DECIMALS),
        "loss": round(option.loss, DECIMALS),
        **_reach(option.reach),
    }


def _reach(chance: float | None) -> Answer:
    return {} if chance is None else {"reach": round(chance, DECIMALS)}
