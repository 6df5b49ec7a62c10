"""Operations of variants played by laying out dice as crossing hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from service.advice.choosing import Choice, Chosen
from service.api.operations.layout_advice import advise, choose, forecast
from service.api.operations.layout_advice import forecast_question as forecast_question
from service.api.operations.layout_advice import question as question
from service.api.operations.operation import Operation, SearchedColumns
from service.api.schemas import shapes
from service.api.schemas.fields import MAX_AMOUNT, StrictField, number, whole
from service.api.schemas.layout import PROOF, grid_shape, laid_hand, own_layout, rolls
from service.api.schemas.reasons import missing, with_reasons
from service.api.schemas.requests import players
from service.api.schemas.serializers import (
    Fields,
    Serializer,
    inlined,
    part,
    place_fields,
    places_fields,
)
from service.kinds.layout.played import Played, PlayedPlayer, TurnPlayer
from service.kinds.layout.state import grid_json, hands_json
from service.kinds.layout.variant import MAX_LIMITED_PLAYERS, RANK_STEPS, Layout
from service.metrics.declared import SOLVER, UNPROVEN
from service.rules.places import Place
from service.rules.sentences import any_of
from service.settings import Settings

HAND_COUNTS = "as a layout of crossing lines"
"""How a hand counts, for the catalogue."""

WINS_GAME = "A super royal wins the game."

MAX_PLAYERS = 100
"""The most turns in one `rank`: each takes a millisecond to solve, the hardest some 80, and
`RANK_STEPS` bounds them together."""


def operations(variant: Layout, _: Settings) -> list[Operation]:
    """`evaluate`, `rank`, `score`, `advise`, `choose` and `forecast` of a layout."""
    advised = advise(variant)
    faces = any_of(sorted(variant.risk_faces))
    risk = f"If it was rolled: {faces}; 0 is a blank."
    turn = {
        "rolls": rolls(variant, required=True),
        "risk": number(variant.risk_faces, description=risk),
    }
    return [
        Operation(
            variant,
            "evaluate",
            title="find the best layout of a turn",
            description="Finds the layout with the most points. With `repeated_cards`, or "
            "`max_uses` above 2, the search may stop early: then it is the best one"
            " found, with an upper bound.",
            request_fields=turn,
            response_fields=_evaluation(variant),
            compute=lambda given: _evaluate(variant, given),
            check=lambda given: variant.check(given["rolls"], given["house_rules"]),
            steps=lambda found: found.played.steps,
        ),
        Operation(
            variant,
            "rank",
            title="compare turns",
            description="By the scores of their best layouts. A super royal wins. With "
            f"`repeated_cards`, or `max_uses` above 2, at most {MAX_LIMITED_PLAYERS} players are "
            "allowed, and searches stop earlier than those of `evaluate`. All searches may take "
            f"{RANK_STEPS:,} steps, enough for any {MAX_PLAYERS} natural turns or ten of the "
            "hardest; otherwise the problem names the player where they ended.",
            request_fields={"players": players(variant, turn, TurnPlayer, MAX_PLAYERS)},
            response_fields=_ranking(),
            compute=lambda given: _rank(variant, given),
            check=lambda given: variant.check_turns(given["players"], given["house_rules"]),
        ),
        Operation(
            variant,
            "score",
            title="score your own layout",
            description="Checks your layout, and says by how much the best one beats it. The "
            "problem names every rule that it breaks.",
            request_fields={**turn, "layout": own_layout(variant, required=True)},
            response_fields=_score_fields(variant),
            compute=lambda given: _score(variant, given),
            check=lambda given: variant.check_layout(
                given["rolls"], given["layout"], given["house_rules"]
            ),
        ),
        advised,
        choose(advised),
        forecast(variant),
    ]


def _solve(variant: Layout, find: Callable[[], Played]) -> Played:
    """The layout that `find` returns, measured."""
    with SOLVER.of(variant.id).timed():
        played = find()
    UNPROVEN.of(variant.id).add(not played.proven)
    return played


class _Evaluated(NamedTuple):
    """The best layout of a turn, and where its dice lie; None if hands run in any direction."""

    played: Played
    grid: list[dict[str, Any]] | None


def _evaluate(variant: Layout, given: Mapping[str, Any]) -> _Evaluated:
    rules = given["house_rules"]
    played = _solve(variant, partial(variant.evaluate, given["rolls"], rules, given.get("risk")))
    return _Evaluated(played, grid_json(variant, played.turn, played.hands, rules))


def _rank(variant: Layout, given: Mapping[str, Any]) -> Sequence[Place[PlayedPlayer]]:
    with SOLVER.of(variant.id).timed():
        ranked = variant.rank(given["players"], given["house_rules"])
    UNPROVEN.of(variant.id).add(
        sum(not entry.played.proven for place in ranked for entry in place.entries)
    )
    return ranked


def _score(variant: Layout, given: Mapping[str, Any]) -> Played:
    turn, layout, rules = given["rolls"], given["layout"], given["house_rules"]
    return _solve(variant, partial(variant.score, turn, layout, rules, given.get("risk")))


def _turn_fields(variant: Layout) -> Fields[Played]:
    """The fields of a response about any turn."""
    return {
        "opened": shapes.FLAG("If not, the turn scores zero."),
        **missing("lacks", "What it lacks to open."),
        "hands": shapes.list_of(laid_hand(variant)).of(
            lambda played: with_reasons(hands_json(variant, played.turn, played.hands))
        ),
        "all_dice_bonus": shapes.among({0, variant.all_dice_bonus}).of("bonus"),
        "points": shapes.COUNT("With the bonus, before the risk die."),
        "score": shapes.COUNT("After the risk die."),
        "wins_game": shapes.FLAG(WINS_GAME),
    }


_PROOF: Fields[Played] = {
    "proven": PROOF["proven"],
    "upper_bound": PROOF["upper_bound"].of(
        lambda played: None if played.proven else played.upper_bound
    ),
}


def _evaluation(variant: Layout) -> Fields[_Evaluated]:
    return {
        **inlined("played", _turn_fields(variant)),
        "grid": grid_shape(variant),
        **inlined("played", _PROOF),
    }


def _ranking() -> Fields[Sequence[Place[PlayedPlayer]]]:
    def first(place: Place[PlayedPlayer]) -> Played:
        return place.entries[0].played

    def proven(place: Place[PlayedPlayer]) -> bool:
        return all(entry.played.proven for entry in place.entries)

    def bounds(place: Place[PlayedPlayer]) -> object:
        if proven(place):
            return None
        return [entry.played.upper_bound for entry in place.entries]

    place = Serializer[Place[PlayedPlayer]](
        "LayoutPlace",
        {
            **place_fields(lambda place: first(place).strength),
            "points": shapes.list_of(shapes.COUNT)("Of each player, before the risk die.").of(
                lambda place: [entry.played.points for entry in place.entries]
            ),
            "score": shapes.COUNT.of(lambda place: first(place).score),
            "wins_game": shapes.FLAG(WINS_GAME).of(lambda place: first(place).wins_game),
            "proven": shapes.FLAG("No layout of these players has more points.").of(proven),
            "upper_bound": shapes.list_of(shapes.COUNT)
            .optional("For each player: no layout has more points than this.")
            .of(bounds),
        },
    )
    return places_fields(place)


def _score_fields(variant: Layout) -> Fields[Played]:
    best = Serializer[Played](
        "BestLayout",
        {
            "points": shapes.COUNT("With the bonus; 0 if the turn didn't open.").of("best_points"),
            "beats_by": shapes.COUNT("How many more points it has than yours.").of(
                lambda played: played.best_points - played.points
            ),
            **_PROOF,
        },
    )
    return {**_turn_fields(variant), "best": part(best, lambda played: played)}


def on_paper(_: Layout) -> StrictField:
    """The points of a player in a game from paper."""
    return whole(0, MAX_AMOUNT)


def columns(variant: Layout) -> SearchedColumns:
    """The columns of a batch of `variant`; a risk roll is no part of a hand."""
    own = Serializer[Played](
        "Columns",
        {
            "opened": shapes.FLAG,
            "points": shapes.COUNT,
            "all_dice_bonus": shapes.among({0, variant.all_dice_bonus}).of("bonus"),
            "wins_game": shapes.FLAG,
            "proven": shapes.FLAG,
            "hands": shapes.list_of(shapes.hand_name(variant)).of(
                lambda played: [hand.line.hand.id for hand in played.hands]
            ),
        },
    )
    return SearchedColumns(
        variant,
        rolls(variant),
        own,
        variant.check,
        lambda turn, rules: _solve(variant, partial(variant.evaluate, turn, rules)),
    )


def can_play(_: Settings, *_game: Any) -> bool:
    """Nothing is needed to play."""
    return True


def play(_: Settings, choice: Choice) -> Chosen:
    """What the service does for the player at turn."""
    from service.advice.layout.choosing import choose  # NumPy takes long to import

    return choose(choice)
