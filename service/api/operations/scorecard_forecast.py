"""`forecast` of score cards: the chance to win with each of several cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.api.operations.advising import forecast as operation
from service.api.operations.advising import rolls_left
from service.api.operations.operation import Operation, Question, State
from service.api.operations.scorecard_advice import card, hand_in
from service.api.schemas.fields import plain_dice, player_id
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.violations import Violation, gathering, refuse
from service.settings import Settings
from service.tables.serving import tables_for

if TYPE_CHECKING:
    from service.advice import Forecast


def forecast(variant: ScoreCard, settings: Settings) -> Operation:
    """The operation `forecast` of a score card."""

    def look(given: Mapping[str, Any]) -> Forecast:
        from service.advice.scorecard.forecast import Hand, forecast  # NumPy takes long to import

        hands = [
            Hand(player["card"], player.get("dice"), player.get("rolls_left"))
            for player in given["players"]
        ]
        rules = given["house_rules"]
        cards = [(("players", place, "card"), hand.card) for place, hand in enumerate(hands)]
        tables, _ = tables_for(settings, variant, rules, cards)
        return forecast(tables, hands)

    *used, last = variant.possible
    full = dict.fromkeys(used, 0)
    return operation(
        variant,
        {
            "card": card(variant, required=True),
            "dice": plain_dice(variant, "Of the player to act; null: not rolled yet."),
            "rolls_left": rolls_left(variant),
        },
        look,
        lambda given: _check(variant, given),
        {"players": [{"id": "ann", "card": {**full, last: 0}}, {"id": "ben", "card": full}]},
        waits=True,
        further={"to_act": player_id(description="Whose dice count, if any are given.")},
    )


def forecast_question(variant: ScoreCard, state: State, _viewer: str | None) -> Question:
    """The request to `forecast` in the state of a session; nothing is hidden from anyone."""
    if state["over"]:
        return None
    order = state.get("order", state["cards"])  # while players throw to begin, as they sit
    return {"players": [{"id": each, **hand_in(variant, state, each)} for each in order]}


def _check(variant: ScoreCard, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for cards that there can't be, dice of a player who can't have any, and
    a player to act who isn't one of the players.
    """
    violations: list[Violation] = []
    ids = [player["id"] for player in given["players"]]
    to_act = given.get("to_act")
    if to_act is not None and to_act not in ids:
        violations.append(Violation(("to_act",), Breach.NOT_ONE_OF(allowed=ids), ("players",)))
    for place, player in enumerate(given["players"]):
        own: Card = player["card"]
        path = ("players", place)
        with gathering(violations, *path):
            variant.check_card(own, given["house_rules"])
        if "dice" in player and not own.open_boxes:
            violations.append(Violation((*path, "dice"), Breach.NO_OPEN_BOX()))
        elif "dice" in player and to_act not in (None, player["id"]):
            violations.append(Violation((*path, "dice"), Breach.NOT_TO_ACT(allowed=[to_act])))
        if "rolls_left" in player and "dice" not in player:
            violations.append(Violation((*path, "rolls_left"), Breach.ONLY_WITH_DICE()))
    refuse(violations)
