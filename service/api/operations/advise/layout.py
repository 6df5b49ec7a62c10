"""`advise` of variants played by laying out dice: the worth of a turn, and the risk die."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from service.api.operations.advise.fields import (
    CHANCE,
    DECIMALS,
    LOSS,
    MOST_OPTIONS,
    NO_LESS_THAN_0,
    limit,
    options_of,
)
from service.api.operations.operation import Operation
from service.api.schemas.fields import whole
from service.api.schemas.layout import laid_hand, own_layout, own_lines, rolls
from service.api.schemas.requests import request_schema
from service.api.schemas.serializers import (
    ABSENT,
    AnswerOf,
    Fields,
    field,
    field_if_any,
    parts,
)
from service.api.schemas.shapes import COUNT, FLAG, NUMBER, TEXT, component, list_of, record
from service.kinds.layout.own_layout import OwnLine
from service.kinds.layout.variant import Layout
from service.kinds.layout.view import hands_json
from service.rules.violations import InvalidInput, Violation

if TYPE_CHECKING:
    from service.advice.layout.risk import RiskOption
    from service.advice.layout.tally import LayoutAdvice

MOST_NEEDED = 10_000_000
"""The most points that can be needed: more than a target score can be."""


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
        response=_advice(variant),
        compute=lambda given: _advised(variant, given),
        check=lambda given: _check(variant, given),
        steps=lambda found: found.advice.steps,
    )


class _Advised(NamedTuple):
    """Advice, and its best options."""

    advice: LayoutAdvice
    options: Sequence[RiskOption]


def _rounded(value: float | None) -> object:
    return ABSENT if value is None else round(value, DECIMALS)


def _advice(variant: Layout) -> AnswerOf[_Advised]:
    names = [*(hand.id for hand in variant.all_hands), "super_royal"]
    chances = record(component(variant, "HandChances"), dict.fromkeys(names, CHANCE))
    value: Fields[RiskOption] = {
        "expected": field(NUMBER, lambda option: round(option.expected, DECIMALS)),
        "loss": field(LOSS, lambda option: round(option.loss, DECIMALS)),
        "reach": field_if_any(
            CHANCE,
            lambda option: _rounded(option.reach),
            "The chance to score `need`; present if that was given.",
        ),
    }
    option = options_of(
        variant,
        {"bank": value, "risk": value},
        lambda option: "risk" if option.risk else "bank",
    )

    def laid(found: _Advised) -> object:
        played = found.advice.played
        if played is None or not played.opened:
            return ABSENT
        return hands_json(variant, played.turn, played.hands)

    def missing(found: _Advised) -> object:
        played = found.advice.played
        return played.missing if played and played.missing else ABSENT

    return AnswerOf(
        variant,
        "AdviseAnswer",
        {
            "expected": field(
                NUMBER,
                lambda found: round(found.advice.expected, DECIMALS),
                "The mean score of the turn, if the risk die is rolled where that raises it.",
            ),
            "reach": field_if_any(
                CHANCE,
                lambda found: _rounded(found.advice.reach),
                "The chance to score `need`, if you bank or risk to reach that; present if it was "
                "given. A super royal wins, so it always does.",
            ),
            "points": field(
                NUMBER,
                lambda found: round(found.advice.points, DECIMALS),
                "The mean points of the best layout, without the risk die.",
            ),
            "missing": field_if_any(
                TEXT,
                missing,
                "What the first roll lacks to open; present if the turn scores zero for that.",
            ),
            "hands": field(
                chances,
                lambda found: {
                    hand: round(chance, DECIMALS) for hand, chance in found.advice.hands.items()
                },
                "The chance of each hand to be in the best layout.",
            ),
            "options": parts(option, lambda found: found.options, "The best option first."),
            "layout": field_if_any(
                list_of(laid_hand(variant)),
                laid,
                "The best layout, or your own; present after the last roll.",
            ),
            "exact": field(
                FLAG, lambda found: found.advice.exact, "Whether no value is an estimate."
            ),
            "standard_error": field(
                NO_LESS_THAN_0,
                lambda found: round(found.advice.standard_error, DECIMALS),
                "The standard error of `expected`; 0 if no turns were simulated.",
            ),
            "simulated": field(
                COUNT,
                lambda found: found.advice.simulated,
                "How many turns were simulated; 0 if all ways in which the turn can end were "
                "counted.",
            ),
            "proven": field(
                FLAG,
                lambda found: found.advice.proven,
                "Whether all layouts are proven to be the best; otherwise the values may be too "
                "low.",
            ),
        },
    )


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


def _advised(variant: Layout, given: Mapping[str, Any]) -> _Advised:
    from service.advice.layout.turn import advise  # most requests don't need it

    _check(variant, given)
    found = advise(variant, given["rolls"], given["house_rules"], given.get("need"), _laid(given))
    return _Advised(found, found.options[: given["limit"]])
