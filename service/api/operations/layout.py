"""Operations of variants played by laying out dice as crossing hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.api.operations.advise.layout import advise
from service.api.operations.advise.layout import question as question
from service.api.operations.columns import Path, SearchedColumns
from service.api.operations.operation import Answer, Operation
from service.api.schemas.bounds import Bounds
from service.api.schemas.component import component
from service.api.schemas.fields import Players, number, player_id
from service.api.schemas.layout import own_layout, own_lines, own_lines_schema, rolls
from service.api.schemas.layout_responses import (
    batch_columns,
    evaluate_response,
    rank_response,
    score_response,
)
from service.api.schemas.shared import (
    RequestSchema,
    changed_rules,
    place_answer,
    request_schema,
    title,
)
from service.kinds.layout.card_roll import OwnLines
from service.kinds.layout.cards import Turn
from service.kinds.layout.lines import LineHand
from service.kinds.layout.played import Played, PlayedPlayer, TurnPlayer
from service.kinds.layout.state import grid_json, hands_json
from service.kinds.layout.variant import MAX_LIMITED_PLAYERS, RANK_STEPS, Layout, LayoutRules
from service.metrics.declared import SOLVER, UNPROVEN
from service.rules.places import Place
from service.rules.sentences import any_of
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings

MAX_PLAYERS = 100
"""The most turns in one `rank`: each takes a millisecond to solve, the hardest some 80, and
`RANK_STEPS` bounds them together."""

BOUNDS: Bounds = {OwnLines: own_lines_schema}
"""The JSON Schema of the bounds of the values of actions, by class."""


def operations(variant: Layout, _: Settings) -> list[Operation]:
    """`evaluate`, `rank`, `score` and `advise` of a layout."""
    turn = {"rolls": rolls(variant, required=True), "risk": _risk(variant)}
    player = RequestSchema.from_dict(
        {"id": player_id(required=True), **turn}, name=component(variant, "RankPlayer")
    )()
    least, most = variant.players
    layout = own_layout(variant, "The hands of your layout.", required=True)
    return [
        Operation(
            variant=variant,
            name="evaluate",
            summary=f"{variant.name}: find the best layout of a turn",
            description="Returns the layout with the most points, and the position of each die. "
            "The layout is proven to be the best, except that with `repeated_cards`, or `max_uses` "
            "above 2, the search may stop early: the response then has the best layout found, and "
            "an upper bound.",
            request=request_schema(variant, "EvaluateRequest", turn),
            response=evaluate_response(variant),
            answer=lambda given: _evaluate(variant, given)[0],
            check=lambda given: variant.check(given["rolls"], given["house_rules"]),
            measured=lambda given: _evaluate(variant, given),
        ),
        Operation(
            variant=variant,
            name="rank",
            summary=f"{variant.name}: compare turns",
            description="Ranks players by the scores of their best layouts. Equal scores share a "
            "place. A super royal wins; if there are several, the one with the highest score wins. "
            f"With `repeated_cards`, or `max_uses` above 2, at most {MAX_LIMITED_PLAYERS} players "
            "are allowed, and the search for each turn stops earlier than that of `evaluate`. The "
            f"searches for all turns may take {RANK_STEPS:,} steps together, about 10 microseconds "
            f"each: enough for any {MAX_PLAYERS} natural turns, or for ten of the hardest. A "
            "request that takes more is refused; the problem names the player whose turn exceeded "
            "the limit.",
            request=request_schema(
                variant, "RankRequest", {"players": Players(player, least, most or MAX_PLAYERS)}
            ),
            response=rank_response(variant),
            answer=lambda given: _rank(variant, given),
            check=lambda given: variant.check_turns(_turns(given), given["house_rules"]),
        ),
        Operation(
            variant=variant,
            name="score",
            summary=f"{variant.name}: score your own layout",
            description="Checks your layout and scores it, and says by how much the best one "
            "beats it. The problem of an invalid layout names every rule that it breaks, with "
            "the dice concerned.",
            request=request_schema(variant, "ScoreRequest", {**turn, "layout": layout}),
            response=score_response(variant),
            answer=lambda given: _score(variant, given),
            check=lambda given: variant.check_layout(
                given["rolls"], own_lines(given["layout"]), given["house_rules"]
            ),
        ),
        advise(variant),
    ]


def _risk(variant: Layout) -> Any:
    faces = any_of(sorted(variant.risk_faces))
    description = f"The result of the risk die, if it was rolled: {faces}; 0 is a blank."
    return number(variant.risk_faces, metadata={"description": description})


def _turn(variant: Layout, played: Played) -> Answer:
    missing = {"missing": played.missing} if played.missing else {}
    return {
        "variant": variant.id,
        "opened": played.opened,
        **missing,
        "hands": hands_json(variant, played.turn, played.hands),
        "all_dice_bonus": played.bonus,
        "points": played.points,
        "score": played.score,
        "wins_game": played.wins_game,
    }


def _proof(variant: Layout, played: Played) -> Answer:
    if played.proven:
        return {"proven": True}
    UNPROVEN.of(variant.id).add()
    return {"proven": False, "upper_bound": played.upper_bound}


def _evaluate(variant: Layout, given: Mapping[str, Any]) -> tuple[Answer, int]:
    """The response, and the number of steps of its search."""
    rules = given["house_rules"]
    with SOLVER.of(variant.id).timed():
        played = variant.evaluate(given["rolls"], rules, given.get("risk"))
    answer = {
        **_turn(variant, played),
        "grid": grid_json(variant, played.turn, played.hands, rules),
        **_proof(variant, played),
        **changed_rules(variant, rules),
    }
    return answer, played.steps


def _turns(given: Mapping[str, Any]) -> list[TurnPlayer]:
    return [
        TurnPlayer(player["id"], player["rolls"], player.get("risk")) for player in given["players"]
    ]


def _rank(variant: Layout, given: Mapping[str, Any]) -> Answer:
    with SOLVER.of(variant.id).timed():
        ranked = variant.rank(_turns(given), given["house_rules"])
    UNPROVEN.of(variant.id).add(
        sum(not entry.played.proven for place in ranked for entry in place.entries)
    )
    places = [_place_answer(place) for place in ranked]
    return {
        "variant": variant.id,
        "places": places,
        "winners": places[0]["players"],
        **changed_rules(variant, given["house_rules"]),
    }


def _place_answer(place: Place[PlayedPlayer]) -> Answer:
    turns = [entry.played for entry in place.entries]
    proven = all(played.proven for played in turns)
    bounds = {} if proven else {"upper_bound": [played.upper_bound for played in turns]}
    return {
        **place_answer(place, turns[0].strength),
        "points": [played.points for played in turns],
        "score": turns[0].score,
        "wins_game": turns[0].wins_game,
        "proven": proven,
        **bounds,
    }


def _score(variant: Layout, given: Mapping[str, Any]) -> Answer:
    rules = given["house_rules"]
    with SOLVER.of(variant.id).timed():
        played = variant.score(given["rolls"], own_lines(given["layout"]), rules, given.get("risk"))
    best = {
        "points": played.best_points,
        "beats_by": played.best_points - played.points,
        **_proof(variant, played),
    }
    return {
        **_turn(variant, played),
        "best": best,
        **changed_rules(variant, given["house_rules"]),
    }


def entry(variant: Layout) -> Answer:
    """The fields of the catalogue entry that only this kind has."""
    return {
        "hands": [_line_hand(hand) for hand in variant.all_hands],
        "all_dice_bonus": variant.all_dice_bonus,
        "risk_faces": variant.risk_faces,
        "dice_set": variant.dice.dice_set,
        "tie_breaks": [
            {"id": "score", "text": variant.clauses[variant.order], "clause": variant.order}
        ],
    }


def _line_hand(hand: LineHand) -> Answer:
    return {
        "id": hand.id,
        "name": title(hand.id),
        "needs": hand.needs,
        "points": hand.points,
        "further": hand.further,
        "doubles": hand.doubles is not None,
        "clause": hand.clause,
    }


def columns(variant: Layout) -> SearchedColumns:
    """The columns of a batch of `variant`; a risk roll is no part of a hand."""

    def read(value: object, path: Path) -> Turn:
        try:
            return variant.read_rolls(value)
        except InvalidInput as refused:
            raise InvalidInput(
                *(Violation((*path, *wrong.path), wrong.detail) for wrong in refused.violations)
            ) from None

    def evaluate(turn: Turn, rules: LayoutRules) -> tuple[Answer, int]:
        with SOLVER.of(variant.id).timed():
            played = variant.evaluate(turn, rules)
        UNPROVEN.of(variant.id).add(not played.proven)
        return {
            "opened": played.opened,
            "points": played.points,
            "all_dice_bonus": played.bonus,
            "wins_game": played.wins_game,
            "proven": played.proven,
            "hands": [hand.line.hand.id for hand in played.hands],
        }, played.steps

    return SearchedColumns(
        variant, rolls(variant).json_schema, batch_columns(variant), read, variant.check, evaluate
    )
