"""Operations of variants that rank rolls of plain dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

from service.advice import Forecast
from service.advice.choosing import Choice, Chosen, Strength
from service.advice.ranking.position import (
    RankingPosition,
    check_hands,
    has_advice,
    most_players_after,
)
from service.api.operations import advising
from service.api.operations.advising import (
    CHANCE,
    LOSS,
    MOST_OPTIONS,
    choose,
    kept_fields,
    limit,
    options_of,
    rolls_left,
)
from service.api.operations.cached_lines import RollLines
from service.api.operations.operation import BatchColumns, Operation, Question, State, always
from service.api.schemas import shapes
from service.api.schemas.fields import MAX_AMOUNT, StrictField, flag, plain_dice, whole
from service.api.schemas.requests import players
from service.api.schemas.serializers import (
    Fields,
    Serializer,
    inlined,
    part,
    parts,
    place_fields,
    places_fields,
)
from service.api.schemas.shapes import Field, Shape
from service.kinds.ranking.hand_table import Hand
from service.kinds.ranking.state import IN, TO_DECIDE
from service.kinds.ranking.variant import AnyRanking, Contender, RankedPlayer, Ranking
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.places import Place
from service.rules.violations import Violation, gathering, refuse
from service.settings import Settings

if TYPE_CHECKING:
    from service.advice.ranking.chances import Option

HAND_COUNTS = "as a ranked roll"
"""How a hand counts, for the catalogue."""

MOST_BRIEF_ROLLS = 1000
"""The most rolls in the table of a brief `evaluate`; the first request makes it, in some ms."""

STEPS = 40
"""The steps of advice: it takes about as long as 40 steps of a search for layouts."""

STRENGTH = "Greater is stronger."


def operations(variant: Ranking, _: Settings) -> list[Operation]:
    """`evaluate` and `rank` of a variant where a hand is a roll, and its advice."""
    dice = variant.dice
    is_brief = comb(dice.count + dice.faces - 1, dice.count) <= MOST_BRIEF_ROLLS
    roll = plain_dice(variant, required=True)
    found = [
        Operation(
            variant,
            "evaluate",
            title="rank a roll",
            description="Ranks a roll.",
            request_fields={"dice": roll},
            response_fields=_hand_fields(variant),
            compute=lambda given: variant.evaluate(given["dice"], given["house_rules"]),
            brief=always if is_brief else None,
            cached_lines=RollLines,
        ),
        Operation(
            variant,
            "rank",
            title="compare rolls",
            description="By their rolls.",
            request_fields={"players": players(variant, {"dice": roll}, Contender)},
            response_fields=places_fields(_place(variant)),
            compute=lambda given: variant.rank(given["players"], given["house_rules"]),
            check=lambda given: variant.check_rolls(given["players"], given["house_rules"]),
        ),
    ]
    if has_advice(variant):
        advised = _advise(variant)
        found += [advised, choose(advised, partial(_take, variant)), _forecast(variant)]
    return found


def compared(variant: AnyRanking) -> Shape:
    """The faces that decide between hands of the same rank."""
    return shapes.list_of(
        shapes.face(variant, variant.dice), "What hands of the same rank compare."
    )


def _hand_fields(variant: Ranking) -> dict[str, Field[Hand] | Shape]:
    """The fields of a hand in responses."""
    dice = variant.dice
    tie_break = Serializer[Hand](
        shapes.component(variant, "TieBreak"),
        {"numbers": compared(variant).of("numbers", dice.named)},
    )
    return {
        "rank": shapes.rank(variant).of("rank.id"),
        "clause": shapes.TEXT.of("rank.clause"),
        "strength": shapes.ORDINAL(STRENGTH),
        "best": shapes.dice(variant, [dice.count], "In any order.").of("best", dice.named),
        "tie_break": part(tie_break, lambda hand: hand),
    }


def _place(variant: Ranking) -> Serializer[Place[RankedPlayer]]:
    hand = _hand_fields(variant)
    del hand["strength"]  # all places have it
    return Serializer[Place[RankedPlayer]](
        shapes.component(variant, "Place"),
        {
            **place_fields(lambda place: place.entries[0].hand.strength),
            **inlined(lambda place: place.entries[0].hand, hand),
        },
    )


def _advise(variant: Ranking) -> Operation:
    """The operation `advise` of a variant where a hand is a roll."""
    value: Fields[Option] = {"chance": CHANCE, "loss": LOSS}
    kept: Fields[Option] = kept_fields(variant, "keep", "dice")
    option = options_of(
        variant,
        {"stop": value, "roll": {**kept, **value}},
        lambda option: "stop" if option.keep is None else "roll",
    )
    best: Field[Sequence[Option]] = CHANCE("With the best option.").of(
        lambda found: found[0].chance
    )
    return Operation(
        variant,
        "advise",
        title="find the best play",
        description="The exact chance to win the round for stopping and each way to roll "
        "on. Later players play for their own.",
        request_fields={
            "dice": plain_dice(variant, required=True),
            "rolls_left": rolls_left(variant, load_default=variant.rolls - 1),
            "to_beat": plain_dice(variant, "Null: any hand is good enough."),
            "players_after": whole(
                0,
                most_players_after(variant),
                load_default=0,
                description="How many are still to roll. Default: `0`.",
            ),
            "limit": limit(),
        },
        response_fields={"chance": best, "options": parts(option, lambda found: found)},
        compute=lambda given: _advised(variant, given),
        check=lambda given: check_hands(
            variant, given["house_rules"], dice=given["dice"], to_beat=given.get("to_beat")
        ),
        steps=lambda _: STEPS,
    )


def _position(given: Mapping[str, Any]) -> RankingPosition:
    """The position of a request."""
    return RankingPosition(
        given["dice"], given["rolls_left"], given.get("to_beat"), given["players_after"]
    )


def _advised(variant: Ranking, given: Mapping[str, Any]) -> Sequence[Option]:
    from service.advice.ranking.chances import options  # NumPy takes long to import

    return options(variant, given["house_rules"], _position(given))[: given["limit"]]


def _take(variant: Ranking, given: Mapping[str, Any], strength: Strength, source: Random) -> Chosen:
    """What a player does in the position of a request."""
    from service.advice.ranking.choosing import choose_option  # NumPy takes long to import

    return choose_option(variant, given["house_rules"], _position(given), strength, source)


def _forecast(variant: Ranking) -> Operation:
    """The operation `forecast` of a variant where a hand is a roll."""

    def look(given: Mapping[str, Any]) -> Forecast:
        from service.advice.ranking.chances import Seat, forecast  # NumPy takes long to import

        most = variant.rolls - 1
        seats = [
            Seat(player.get("dice"), player["rolled"], player.get("rolls_left", most))
            for player in given["players"]
        ]
        return forecast(variant, given["house_rules"], seats)

    def check(given: Mapping[str, Any]) -> None:
        violations: list[Violation] = []
        waiting = [player for player in given["players"] if not player["rolled"]]
        for place, player in enumerate(given["players"]):
            path = ("players", place)
            with gathering(violations, *path):
                check_hands(variant, given["house_rules"], dice=player.get("dice"))
            if "dice" in player and player in waiting[1:]:
                allowed = [waiting[0]["id"]]
                violations.append(Violation((*path, "dice"), Breach.NOT_TO_ACT(allowed=allowed)))
            if "rolls_left" in player and ("dice" not in player or player["rolled"]):
                violations.append(Violation((*path, "rolls_left"), Breach.ONLY_WITH_DICE()))
        refuse(violations)

    return advising.forecast(
        variant,
        {
            "dice": plain_dice(variant, "Null: not rolled yet, or out of the round."),
            "rolled": flag(load_default=False, description="The turn is over. Default: `false`."),
            "rolls_left": rolls_left(variant),
        },
        look,
        check,
        {"players": [{"id": "ann"}, {"id": "ben"}]},
        most=most_players_after(variant) + 1,
    )


def question(_variant: Ranking, state: State, _viewer: str | None) -> Question:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    turn, best = state["turn"], state["best"]
    if not turn or not turn["dice"]:
        return None
    standings = [player["standing"] for player in state["players"]]
    holds = best is not None
    return {
        "dice": turn["dice"],
        "rolls_left": turn["rolls_left"],
        "to_beat": best["dice"] if holds else None,
        "players_after": standings.count(IN) - 1 - holds,
        "limit": MOST_OPTIONS,
    }


def forecast_question(_variant: Ranking, state: State, _viewer: str | None) -> Question:
    """The request to `forecast` in the state of a session; nothing is hidden from anyone. Who has
    yet to meet the ante or a raise is taken to meet it.
    """
    if state["over"]:
        return None
    seats, turn, best = state["players"], state["turn"], state["best"]
    first = [seat["id"] for seat in seats].index(state["starter"])
    players = []
    for seat in (*seats[first:], *seats[:first]):
        player, playing = {"id": seat["id"]}, seat["standing"] in (IN, TO_DECIDE)
        if best and best["player"] == seat["id"]:
            player |= {"dice": best["dice"], "rolled": True}
        elif turn and turn["dice"] and turn["player"] == seat["id"]:
            player |= {"dice": turn["dice"], "rolls_left": turn["rolls_left"]}
        players.append(player if playing else {"id": seat["id"], "rolled": True})
    return {"players": players}


def on_paper(_: Ranking) -> StrictField:
    """The chips of a player in a game from paper; 0: out of the game."""
    return whole(0, MAX_AMOUNT)


def columns(variant: Ranking) -> BatchColumns:
    """The columns of a batch of `variant`."""
    return BatchColumns(variant, roll_schema(variant), rank_columns(variant))


def roll_schema(variant: Ranking | ScoreCard) -> dict[str, Any]:
    """A roll of all the dice, which have no suits, as JSON Schema."""
    dice = variant.dice
    listed = shapes.dice(variant, [dice.count])
    if not dice.names:
        return listed
    pattern = f"^[{''.join(dice.names)}]{{{dice.count}}}$"
    return {
        "title": shapes.component(variant, "Hand"),
        "description": "A list, or one string of all.",
        "oneOf": [listed, {"type": "string", "pattern": pattern}],
    }


def rank_columns(variant: AnyRanking) -> Mapping[str, Shape]:
    """The columns `rank` and `strength` as JSON Schema."""
    return {
        "rank": shapes.list_of(shapes.rank(variant)),
        "strength": shapes.list_of(shapes.ORDINAL, STRENGTH),
    }


def can_play(_: Settings, variant: Ranking, *_game: Any) -> bool:
    """Whether `variant` has advice."""
    return has_advice(variant)


def play(_: Settings, choice: Choice) -> Chosen:
    """What the service does for the player at turn."""
    from service.advice.ranking.choosing import choose  # NumPy takes long to import

    return choose(choice)
