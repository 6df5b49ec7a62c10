"""The table that advice for a score card needs, or the problem that it isn't made yet."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from service.api.http.causes import Cause
from service.api.http.problems import Problem
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings
from service.tables import NotReady, serving

if TYPE_CHECKING:
    from service.advice.scorecard.scoring import Position, Scoring
    from service.advice.scorecard.table import Table

FEW_BOXES = 5
"""The most open boxes of a card that is solved at once, without asking for a table. With a few
more, it is solved at once, too, while the table is being made."""

SOLVED_STEPS = 250
"""The steps of solving a full card, about 10 microseconds each; each open box doubles them."""


def not_ready(why: NotReady) -> Problem:
    """The problem of a request that needs a table which isn't there."""
    seconds = "1 second" if why.retry_after == 1 else f"{why.retry_after} seconds"
    headers = {"Retry-After": str(why.retry_after)}
    return Cause.NOT_READY.problem(headers, why=why.reason, wait=seconds)


def table_for(settings: Settings, variant: ScoreCard, rules: Any, card: Card) -> tuple[Table, int]:
    """A table that covers `card`, and the number of steps to get it.

    It is that of the game, or one of the few states that follow the card. Raises `Problem` 503
    while there is none, and `InvalidInput` if there can't be one.
    """
    from service.advice.scorecard.scoring import TooLarge, scoring  # NumPy takes long to import

    try:
        made = _made(settings, variant, rules)
        if made is not None:
            return made, 0
        known = scoring(variant, rules)
        few = len(card.open_boxes)
        if few > FEW_BOXES:
            try:
                return serving.shared_tables(settings).get(variant, rules), 0
            except NotReady as why:
                with suppress(TooLarge):
                    return _small_table(known, known.position(card)), SOLVED_STEPS << few
                raise not_ready(why) from None
        return _small_table(known, known.position(card)), SOLVED_STEPS << few
    except TooLarge as why:
        detail = f"has too many open boxes to advise on: {why}"
        raise InvalidInput(Violation(("card",), detail)) from None


def _made(settings: Settings, variant: ScoreCard, rules: Any) -> Table | None:
    """The table of the whole game, if there is one; nothing is made."""
    from service.advice.scorecard.scoring import TooLarge

    tables = serving.running(settings)
    if tables is not None:
        with suppress(TooLarge):
            return tables.made(variant, rules)
    return None


def has_table(settings: Settings, variant: ScoreCard, rules: Any) -> bool:
    """Whether `table_for` returns the table of the whole game from memory."""
    tables = serving.running(settings)
    return tables is not None and tables.mapped(variant, rules)


@lru_cache(maxsize=256)
def _small_table(scoring: Scoring, position: Position) -> Table:
    """What can follow `position`; the last few are remembered, a few KB each."""
    from service.advice.scorecard.table import small_table

    return small_table(scoring, position)
