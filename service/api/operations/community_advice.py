"""`advise` of variants with pocket and community dice: the chances until the showdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from service.advice import Forecast, Outlook
from service.advice.community.position import (
    CommunityPosition,
    break_even,
    check_position,
    most_opponents,
)
from service.api.operations import advising
from service.api.operations.advising import CHANCE, NO_LESS_THAN_0
from service.api.operations.operation import Operation, Question, State
from service.api.schemas import shapes
from service.api.schemas.fields import MAX_AMOUNT, StrictField, flag, suited_dice, whole
from service.api.schemas.serializers import Fields, inlined
from service.kinds.community.game import FLOP, STAGES
from service.kinds.community.variant import CommunityRanking, Seat
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation, gathering, read_each, refuse

if TYPE_CHECKING:
    from service.advice.community.adding import Chances

SECONDS = 1e-5
"""How long a step of the work of a batch takes."""


def chips(variant: CommunityRanking, description: str = "", least: int = 0) -> StrictField:
    """So many chips, at least `least`."""
    return whole(least, MAX_AMOUNT, step=variant.chip, description=description)


def advise(variant: CommunityRanking) -> Operation:
    """The operation `advise` of a variant with pocket and community dice."""
    most = most_opponents(variant)
    community: dict[str, Any] = {"load_default": ()} if 0 in variant.stages else {"required": True}
    both = "Give `pot` and `to_call` together, or neither."
    return Operation(
        variant,
        "advise",
        title="find the chances to win",
        description="All players stay until the showdown.",
        request_fields={
            "pocket": suited_dice(variant, (variant.pocket,), required=True),
            "community": suited_dice(variant, variant.stages, **community),
            "opponents": whole(
                1,
                most,
                description="How many have not folded. Default: as many as `known`, but at least "
                "`1`.",
            ),
            "known": _pockets(variant, most, "Pockets of opponents. Default: none."),
            "pot": chips(variant, f"The chips in the pot, bets included. {both}", variant.chip),
            "to_call": chips(variant, f"The chips that it costs to stay in. {both}"),
        },
        response_fields=_advice(variant),
        compute=lambda given: _advise(variant, given),
        check=lambda given: _check(variant, given),
        steps=lambda found: round(found.chances.seconds / SECONDS),
    )


def _pockets(variant: CommunityRanking, most: int, description: str) -> StrictField:
    """A list of up to `most` pockets, parsed into codes, none by default."""

    def read(value: object) -> Sequence[Sequence[int]]:
        if not isinstance(value, list) or len(value) > most:
            raise InvalidInput(Violation((), Breach.NOT_A_LIST_UP_TO(maximum=most, of="pockets")))
        return read_each(value, lambda pocket: variant.dice.read_codes(pocket, (variant.pocket,)))

    shape = shapes.list_of(shapes.dice(variant, [variant.pocket]), maxItems=most)
    return StrictField(read, shape, description, load_default=())


class _Advised(NamedTuple):
    """The chances, and the share of the pot from which on it pays to call, if that was asked."""

    chances: Chances
    break_even: float | None


def _advice(variant: CommunityRanking) -> Fields[_Advised]:
    ranks = {
        rank.id: CHANCE if rank.only_with is None else CHANCE.optional() for rank in variant.ranks
    }
    chances: Fields[Chances] = {
        "win": CHANCE("To win alone."),
        "tie": CHANCE("To win with others."),
        "equity": CHANCE("The expected share of the pot, whatever the house rules on bets."),
        "ranks": shapes.record(shapes.component(variant, "RankChances"), ranks)(
            "Of your hand at the end."
        ),
    }
    accuracy: Fields[Chances] = {
        "exact": shapes.FLAG("False: simulated."),
        "standard_error": NO_LESS_THAN_0("The greatest of any chance."),
    }
    price = CHANCE.optional(
        "The equity from which on it pays to call: `to_call / (pot + to_call)`."
    )
    return {**inlined("chances", chances), "break_even": price, **inlined("chances", accuracy)}


def question(_variant: CommunityRanking, state: State, viewer: str | None) -> Question:
    """The request for a player who is still in, in a round of betting of a session.

    Only the player who has to act next gets `break_even`. The pot is without the chips that others
    have put in beyond what the player can match (H14).
    """
    players = {player["id"]: player for player in state["players"]}
    own = players.get(viewer)
    if state["phase"] != "betting" or own is None or own["folded"] or not state["pocket"]:
        return None
    still_in = [player for player in players.values() if not (player["folded"] or player["out"])]
    asked = {
        "pocket": state["pocket"],
        "community": state["community"],
        "opponents": len(still_in) - 1,
    }
    to_call = min(state["to_call"], own["chips"])
    pot = sum(min(player["paid"], own["paid"] + to_call) for player in players.values())
    price = {"pot": pot, "to_call": to_call} if pot and viewer in state["to_act"] else {}
    return {**asked, **price}


def forecast(variant: CommunityRanking) -> Operation:
    """The operation `forecast` of a variant with pocket and community dice."""

    def seats(given: Mapping[str, Any]) -> list[Seat]:
        return [
            Seat(player["id"], player.get("pocket"), folded=player["folded"])
            for player in given["players"]
        ]

    def look(given: Mapping[str, Any]) -> Forecast:
        from service.advice.community import chances as found  # NumPy takes long to import

        players = given["players"]
        staked = any("stack" in player for player in players)
        pot = given.get("pot", 0 if staked else 1)
        hands = [found.Seat(each.get("pocket"), each.get("stack", 0)) for each in players]
        left = [hand for hand, each in zip(hands, players, strict=True) if not each["folded"]]
        won = found.forecast(variant, given["house_rules"], given["community"], left, pot)
        outlooks = iter(won.players)
        return won._replace(
            players=tuple(
                Outlook(0.0, 0.0, float(hand.stack), 0.0) if each["folded"] else next(outlooks)
                for hand, each in zip(hands, players, strict=True)
            )
        )

    pocket = [*variant.dice.notation[: variant.pocket]]
    example = [{"id": "ann", "pocket": pocket}, {"id": "ben"}]
    return advising.forecast(
        variant,
        {
            "pocket": suited_dice(
                variant, (variant.pocket,), "Null: unknown. It doesn't count with `folded`."
            ),
            "stack": chips(variant, "The chips not in the pot."),
            "folded": flag(load_default=False, description="Default: `false`."),
        },
        look,
        lambda given: variant.check_table(given.get("community", ()), seats(given), hidden=True),
        {"players": example},
        further={
            "community": suited_dice(variant, variant.stages, load_default=()),
            "pot": chips(variant, "The chips to win. Default: `1`, or `0` with a `stack`."),
        },
    )


def forecast_question(variant: CommunityRanking, state: State, viewer: str | None) -> Question:
    """The request to `forecast` in a hand of a session, for the part of the pot that each gets.

    Only the viewer's pocket is known. A flop that is to be rolled again (H13) doesn't count.
    """
    if state["over"]:
        return None
    community, players = state["community"], []
    if state["phase"] == "rolling" and state["stage"] == STAGES[FLOP]:
        community = community[: variant.stages[FLOP - 1]]
    for player in state["players"]:
        pocket = state["pocket"] if player["id"] == viewer else None
        known = {"pocket": pocket} if pocket else {}
        players.append({"id": player["id"], "folded": player["folded"] or player["out"], **known})
    return {"players": players, "community": community}


def _check(variant: CommunityRanking, given: Mapping[str, Any]) -> None:
    violations = [
        Violation((name,), Breach.GIVEN_TOGETHER(other=f"/{other}"), (name,))
        for name, other in (("pot", "to_call"), ("to_call", "pot"))
        if name not in given and other in given
    ]
    with gathering(violations):
        check_position(
            variant,
            given["pocket"],
            given.get("community", ()),
            given.get("known", ()),
            given.get("opponents"),
        )
    refuse(violations)


def _advise(variant: CommunityRanking, given: Mapping[str, Any]) -> _Advised:
    _check(variant, given)
    from service.advice.community.chances import chances  # NumPy takes long to import

    known = given["known"]
    unknown = given.get("opponents", max(1, len(known))) - len(known)
    position = CommunityPosition(given["pocket"], given["community"], known, unknown)
    found = chances(variant, given["house_rules"], position)
    price = break_even(given["pot"], given["to_call"]) if "pot" in given else None
    return _Advised(found, price)
