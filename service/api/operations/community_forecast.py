"""`forecast` of variants with pocket and community dice: who wins the hand at the showdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.api.operations import forecasting
from service.api.operations.operation import Operation
from service.api.schemas.fields import MAX_AMOUNT, flag, suited_dice, whole
from service.kinds.community.game import FLOP, STAGES
from service.kinds.community.variant import CommunityRanking, Seat
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation, refuse

if TYPE_CHECKING:
    from service.advice.forecast import Forecast


def forecast(variant: CommunityRanking) -> Operation:
    """The operation `forecast` of a variant with pocket and community dice."""

    def look(given: Mapping[str, Any]) -> Forecast:
        from service.advice.community.forecast import forecast  # NumPy takes long to import

        seats = [
            Seat(each["id"], each.get("pocket"), each.get("stack"), each["folded"])
            for each in given["players"]
        ]
        return forecast(variant, given["house_rules"], given["community"], seats)

    dice, least = variant.dice.notation, variant.stages[0]
    community: dict[str, Any] = {"required": True} if least else {"load_default": ()}
    return forecasting.forecast(
        variant,
        {
            "pocket": suited_dice(variant, (variant.pocket,), "Null: unknown."),
            "stack": whole(
                0,
                MAX_AMOUNT,
                step=variant.chip,
                description="What the player has put in at the showdown. Give it for every player "
                "or for none.",
            ),
            "folded": flag(load_default=False, description="Default: `false`."),
        },
        look,
        lambda given: _check(variant, given),
        {
            "community": dice[:least],
            "players": [{"id": "ann", "pocket": dice[-variant.pocket :]}, {"id": "ben"}],
        },
        description="The chances at the showdown of all who have not folded, in the order of their "
        "turns. The result is the part of the pot, or with `stack` the chips from all pots.",
        further={"community": suited_dice(variant, variant.stages, **community)},
    )


def _check(variant: CommunityRanking, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` for dice that can't be on one table (H24), if everybody has folded, and
    if only some players have a stack.
    """
    players = given["players"]
    seats = [Seat(each["id"], each.get("pocket", ()), folded=each["folded"]) for each in players]
    violations: list[Violation] = []
    if any("stack" in each for each in players):
        violations = [
            Violation(("players", place, "stack"), Breach.PAID_BY_SOME())
            for place, each in enumerate(players)
            if "stack" not in each
        ]
    try:
        variant.check_table(given.get("community", ()), seats)
    except InvalidInput as refused:
        violations += refused.violations
    refuse(violations)


def forecast_question(
    variant: CommunityRanking, state: Mapping[str, Any], viewer: str | None
) -> dict[str, Any] | None:
    """The request to `forecast`, except house rules, in the state of a session.

    It is about this hand. Only the pocket of the viewer is known, and none of those who have folded
    or are out. A flop that is to be rolled again (H13) doesn't count. None once the game is over.
    """
    if state["over"]:
        return None
    community, players = state["community"], []
    if state["phase"] == "rolling" and state["stage"] == STAGES[FLOP]:
        community = community[: variant.stages[FLOP - 1]]
    for player in state["players"]:
        folded = player["folded"] or player["out"]
        players.append({"id": player["id"], "folded": folded})
        if player["id"] == viewer and not folded:
            players[-1]["pocket"] = state["pocket"]
    return {"community": community, "players": players}
