"""`advise` of variants played by laying out dice: the worth of a turn, and the risk die."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from service.advice import Forecast
from service.advice.choosing import Chosen, Strength
from service.advice.layout.turn import MOST_TURNS, turns_left
from service.api.operations import advising
from service.api.operations.advising import (
    CHANCE,
    DECIMALS,
    LOSS,
    MOST_OPTIONS,
    NO_LESS_THAN_0,
    limit,
    options_of,
    rounded,
)
from service.api.operations.operation import Operation, Question, State
from service.api.schemas import shapes
from service.api.schemas.fields import whole
from service.api.schemas.layout import laid_hand, own_layout, rolls
from service.api.schemas.reasons import missing, with_reasons
from service.api.schemas.serializers import Fields, parts
from service.kinds.layout.state import hands_json
from service.kinds.layout.variant import Layout
from service.rules.breaches import Breach
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation, gathering, refuse

if TYPE_CHECKING:
    from service.advice.layout.turn import LayoutAdvice, RiskOption

MOST_NEEDED = 10_000_000
"""The most points that can be needed: more than a target score can be."""


def advise(variant: Layout) -> Operation:
    """The operation `advise` of a layout."""
    needed = "The score of this turn to reach."
    return Operation(
        variant,
        "advise",
        title="what a turn is worth",
        description="What to expect: before the last roll with the chance of each hand, "
        "after it of banking and of risking the points of the best layout. A "
        "turn that can end in too many ways is simulated, always with the same "
        "dice.",
        request_fields={
            "rolls": rolls(variant, least=0, required=True),
            "layout": own_layout(variant, "Your own."),
            "need": whole(1, MOST_NEEDED, description=needed),
            "limit": limit(),
        },
        response_fields=_advice(variant),
        compute=lambda given: _advise(variant, given),
        check=lambda given: _check(variant, given),
        steps=lambda found: found.steps,
    )


def choose(advise: Operation) -> Operation:
    """The operation `choose` of a layout with this `advise`."""
    variant: Any = advise.variant

    def take(given: Mapping[str, Any], strength: Strength, source: Random) -> Chosen:
        from service.advice.layout.choosing import bank_or_risk, lay, roll  # NumPy takes long
        from service.advice.layout.rolls import rolls_to_come

        turn, rules = given["rolls"], given["house_rules"]
        over = turn and (turn.super_royal or variant.lacks(turn, rules))
        if "layout" in given and not over:
            options = _advise(variant, {**given, "limit": MOST_OPTIONS}).options
            return bank_or_risk(options, strength, source)
        _check(variant, given)
        if over:
            raise InvalidInput(Violation(("rolls",), Breach.NOTHING_TO_DECIDE(), ON_HOUSE_RULES))
        if turn is None or rolls_to_come(variant, turn, rules).places:
            return roll()
        return lay(variant, rules, turn, strength, source)

    return advising.choose(advise, take)


def forecast(variant: Layout) -> Operation:
    """The operation `forecast` of a layout."""

    def look(given: Mapping[str, Any]) -> Forecast:
        from service.advice.layout.forecast import Standing, forecast  # NumPy takes long to import

        players = [
            Standing(
                each["total"],
                each.get("turns_left", MOST_TURNS),
                each.get("rolls"),
                each.get("points"),
            )
            for each in given["players"]
        ]
        return forecast(variant, given["house_rules"], players)

    def check(given: Mapping[str, Any]) -> None:
        rules, violations = given["house_rules"], list[Violation]()
        in_turn = [each["id"] for each in given["players"] if each.get("rolls") or "points" in each]
        for place, player in enumerate(given["players"]):
            path = ("players", place)
            if "turns_left" not in player and rules.target_score is None:
                violations.append(
                    Violation((*path, "turns_left"), Breach.MISSING(), ON_HOUSE_RULES)
                )
            if player["id"] in in_turn[1:]:
                name = "rolls" if player.get("rolls") else "points"
                detail = Breach.NOT_TO_ACT(allowed=in_turn[:1])
                violations.append(Violation((*path, name), detail))
            elif player.get("rolls") is not None:
                with gathering(violations):
                    variant.check(player["rolls"], rules, (*path, "rolls"))
        refuse(violations)

    return advising.forecast(
        variant,
        {
            "total": whole(0, MOST_NEEDED, required=True),
            "turns_left": whole(
                0, MOST_TURNS, description="With the present one. Null: until `target_score`."
            ),
            "rolls": rolls(variant, least=0, description="Of the present turn."),
            "points": whole(0, MOST_NEEDED, description="Laid in the present turn."),
        },
        look,
        check,
        {
            "players": [
                {"id": "ann", "total": 1200, "turns_left": 1},
                {"id": "ben", "total": 900, "turns_left": 1},
            ]
        },
    )


def _advice(variant: Layout) -> Fields[LayoutAdvice]:
    names = [*(hand.id for hand in variant.all_hands), "super_royal"]
    chances = shapes.record(shapes.component(variant, "HandChances"), dict.fromkeys(names, CHANCE))
    value: Fields[RiskOption] = {
        "expected": rounded(shapes.NUMBER, "expected"),
        "loss": rounded(LOSS, "loss"),
        "reach": rounded(CHANCE.optional("The chance to score `need`."), "reach"),
    }
    option = options_of(
        variant, {"bank": value, "risk": value}, lambda found: "risk" if found.risk else "bank"
    )

    def laid(found: LayoutAdvice) -> object:
        played = found.played
        if played is None or not played.opened:
            return None
        return with_reasons(hands_json(variant, played.turn, played.hands))

    return {
        "expected": rounded(
            shapes.NUMBER("The mean score, if the risk die is rolled where that raises it."),
            "expected",
        ),
        "reach": rounded(
            CHANCE.optional(
                "The chance to score `need`, if you play for that. A super royal always does."
            ),
            "reach",
        ),
        "points": rounded(shapes.NUMBER("The mean, without the risk die."), "points"),
        **missing(lambda found: found.played and found.played.lacks, "What it lacks to open."),
        "hands": chances("The chance of each.").of(
            lambda found: {hand: round(chance, DECIMALS) for hand, chance in found.hands.items()}
        ),
        "options": parts(option, "options"),
        "layout": shapes.list_of(laid_hand(variant))
        .optional("The best, or your own; after the last roll.")
        .of(laid),
        "exact": shapes.FLAG("Whether no value is an estimate."),
        "standard_error": rounded(NO_LESS_THAN_0("Of `expected`."), "standard_error"),
        "simulated": shapes.COUNT("How many turns were simulated."),
        "proven": shapes.FLAG("If not, the values may be too low."),
    }


def question(_variant: Layout, state: State, _viewer: str | None) -> Question:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    turn = state["turn"]
    if state["over"] or turn is None:
        return None
    laid = turn["laid"]
    if laid is None:
        return {"rolls": turn["rolls"], "limit": MOST_OPTIONS}
    places = ("dice", "direction", "row", "column")
    layout = [{name: hand[name] for name in places} for hand in laid["hands"]]
    return {"rolls": turn["rolls"], "layout": layout, "limit": MOST_OPTIONS}


def forecast_question(_variant: Layout, state: State, _viewer: str | None) -> Question:
    """The request to `forecast` in the state of a session; nothing is hidden from anyone."""
    if state["over"]:
        return None
    players, turn, left = [], state["turn"], turns_left(state)
    for player in state.get("order", state["totals"]):  # while players throw, as they sit
        total = state["totals"][player]
        players.append({"id": player, "total": total, "turns_left": left[player]})
        if turn and turn["player"] == player:
            laid = turn["laid"]
            players[-1] |= {"points": laid["points"]} if laid else {"rolls": turn["rolls"]}
    return {"players": players}


def _check(variant: Layout, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for repeated cards, and for a layout that breaks the rules."""
    turn, rules, laid = given["rolls"], given["house_rules"], given.get("layout")
    if turn is None:
        if laid is not None:
            raise InvalidInput(Violation(("layout",), Breach.BEFORE_FIRST_ROLL()))
    elif laid is None:
        variant.check(turn, rules)
    else:
        variant.check_layout(turn, laid, rules)


def _advise(variant: Layout, given: Mapping[str, Any]) -> LayoutAdvice:
    from service.advice.layout.turn import advise  # most requests don't need it

    turn, rules = given["rolls"], given["house_rules"]
    if turn is None:  # later, `advise` checks it
        _check(variant, given)
    found = advise(variant, turn, rules, given.get("need"), given.get("layout"))
    return replace(found, options=found.options[: given["limit"]])
