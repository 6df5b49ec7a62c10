"""The contract of games, by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from service.api.schemas import shapes
from service.api.schemas.bounds import OWN_LAYOUT
from service.api.schemas.shapes import Shape
from service.contract import states
from service.contract.states import Properties
from service.kinds.layout.game import RISK, THROW
from service.kinds.registry import ByKind


class KindInContract(NamedTuple):
    """What the contract says of the games of a kind."""

    phases: tuple[str, ...]
    """The names of the phases of a game."""

    values: Callable[[Any], Mapping[str, Shape]]
    """The JSON Schema of each value that an action in a game of the variant takes, by its name."""

    state: Callable[[Any], Properties]
    """The fields of a state that only this kind has."""

    news: Callable[[Any], Properties]
    """The fields of an entry in the news."""

    arrow_answer: str | None
    """Describes the columns that answer an Arrow stream; None if there are none."""

    die: Callable[[Any, str], Shape] = lambda variant, _: shapes.die(variant)
    """The JSON Schema of a die that the action of this name rolls."""


_KEPT_DICE = shapes.list_of(shapes.COUNT, uniqueItems=True)
"""The dice that a roll keeps, by their indexes."""

_RANKS = "`rank`, a dictionary of utf8, and `strength`, an int32"

CONTRACT_KINDS = ByKind[KindInContract](
    __name__,
    ranking=KindInContract(
        ("ante", "antes", "rolling", "betting", "raises", "over"),
        lambda _: {"amount": shapes.ORDINAL, "keep": _KEPT_DICE},
        states.ranking_state,
        states.ranking_news,
        _RANKS,
    ),
    community=KindInContract(
        ("rolling", "betting", "over"),
        lambda _: {"amount": shapes.ORDINAL},
        states.community_state,
        states.community_news,
        _RANKS,
    ),
    scorecard=KindInContract(
        ("throwing", "playing", "over"),
        lambda variant: {"keep": _KEPT_DICE, "box": shapes.box(variant), "points": shapes.COUNT},
        states.scorecard_state,
        states.scorecard_news,
        "an int16 column for each box",
    ),
    layout=KindInContract(
        ("throwing", "rolling", "laid", "over"),
        lambda _: {"layout": OWN_LAYOUT},
        states.layout_state,
        states.layout_news,
        None,
        lambda variant, action: (
            shapes.COUNT if action in (THROW.name, RISK.name) else shapes.card(variant)
        ),
    ),
)
