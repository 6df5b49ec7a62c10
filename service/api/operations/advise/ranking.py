"""`advise` of variants that rank rolls: the chance to win a round of beat it or bust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.advice.ranking.position import (
    RankingPosition,
    check_hands,
    most_players_after,
)
from service.api.operations.advise.fields import (
    CHANCE,
    LOSS,
    MOST_OPTIONS,
    kept,
    limit,
    options,
    rolls_left,
)
from service.api.operations.operation import Answer, Operation
from service.api.schemas.fields import plain_dice, whole
from service.api.schemas.shared import AnswerField, answer_schema, changed_rules, request_schema
from service.kinds.ranking.state import TO_DECIDE
from service.kinds.ranking.variant import Ranking

if TYPE_CHECKING:
    from service.advice.ranking.chances import Option

STEPS = 40
"""The steps of one answer: it takes about as long as 40 steps of a search for layouts."""


def advise(variant: Ranking[Any]) -> Operation:
    """The operation `advise` of a variant where a hand is a roll."""
    beat = "The best hand so far. Null: there is none, so any hand is good enough."
    request = {
        "dice": plain_dice(variant, required=True),
        "rolls_left": rolls_left(variant, load_default=variant.rolls - 1),
        "to_beat": plain_dice(variant, beat),
        "players_after": whole(
            0,
            most_players_after(variant),
            load_default=0,
            metadata={"description": "How many players are still to roll. Default: `0`."},
        ),
        "limit": limit(),
    }
    chance = AnswerField(CHANCE, "The chance to win the round with the best option.")
    by_action = {
        "stop": {"chance": CHANCE, "loss": LOSS},
        "roll": {**kept(variant), "chance": CHANCE, "loss": LOSS},
    }
    response = {"chance": chance, "options": options(variant, by_action)}
    return Operation(
        variant=variant,
        name="advise",
        summary=f"{variant.name}: find the best play",
        description="Returns the exact chance to win the round for stopping and for each way to "
        "roll on. Later players play for their own best chance to win.",
        request=request_schema(variant, "AdviseRequest", request),
        response=answer_schema(variant, "AdviseAnswer", response),
        answer=lambda given: _advise(variant, given),
        check=lambda given: check_hands(
            variant, given["house_rules"], dice=given["dice"], to_beat=given.get("to_beat")
        ),
        measured=lambda given: (_advise(variant, given), STEPS),
    )


def question(
    variant: Ranking[Any], state: Mapping[str, Any], viewer: str | None
) -> dict[str, Any] | None:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    del variant, viewer
    turn, best = state["turn"], state["best"]
    if not turn or not turn["dice"]:
        return None
    standings = [player["standing"] for player in state["players"]]
    return {
        "dice": turn["dice"],
        "rolls_left": turn["rolls_left"],
        "to_beat": best["dice"] if best else None,
        "players_after": standings.count(TO_DECIDE),
        "limit": MOST_OPTIONS,
    }


def _advise(variant: Ranking[Any], given: Mapping[str, Any]) -> Answer:
    from service.advice.ranking.chances import options  # NumPy takes long to import

    rules = given["house_rules"]
    asked = RankingPosition(
        given["dice"], given["rolls_left"], given.get("to_beat"), given["players_after"]
    )
    found = options(variant, rules, asked)
    return {
        "variant": variant.id,
        "chance": found[0].chance,
        "options": [_option(variant, option) for option in found[: given["limit"]]],
        **changed_rules(variant, rules),
    }


def _option(variant: Ranking[Any], option: Option) -> Answer:
    value = {"chance": option.chance, "loss": option.loss}
    if option.keep is None:
        return {"action": "stop", **value}
    return {
        "action": "roll",
        "keep": option.keep,
        "dice": variant.dice.named(option.dice),
        **value,
    }
