"""What the clock of a game decides, with the news of all that it decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from service.engine.chance import Below
from service.engine.game import Game
from service.engine.state import State
from service.rules.variant import Variant

VariantT = TypeVar("VariantT", bound=Variant)
StateT = TypeVar("StateT", bound=State)


def timed_out(game: Game[VariantT, StateT], state: StateT, below: Below | None = None) -> StateT:
    """The state after time was up, with the news of all steps."""
    assert state.deadline is not None, "no clock runs"
    after, steps = game.time_up(state, state.deadline, below)
    return replace(after, news=tuple([entry for step in steps for entry in step.news]))
