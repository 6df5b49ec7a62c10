"""`choose`: what a player of some strength does in a position as `advise` takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from service.advice.choosing import Chosen, Strength
from service.api.operations.operation import CHOOSE, Operation
from service.api.schemas import shapes
from service.api.schemas.fields import whole, word
from service.api.schemas.reasons import BECAUSE, text

Take = Callable[[Mapping[str, Any], Strength, Random], Chosen]
"""Returns what a player of a strength does in the position of a request, with a source of chance.
"""

MAX_SEED = 2**53 - 1
"""The greatest seed: JavaScript has no greater whole numbers that are exact."""

STRENGTH = shapes.named_enum("PlayerStrength", [each.value for each in Strength])


class _Taken(NamedTuple):
    """The choice of a player, with their strength."""

    strength: str
    chosen: Chosen


def choose(advise: Operation, take: Take) -> Operation:
    """The operation `choose` of a variant with this operation `advise`."""

    def compute(given: Mapping[str, Any]) -> _Taken:
        strength, source = given["strength"], Random(given.get("seed"))
        return _Taken(strength, take(given, Strength(strength), source))

    return Operation(
        advise.variant,
        CHOOSE,
        title="take a player's turn",
        description="What a player of this strength does here, and why.",
        request_fields={
            **advise.request_fields,
            "strength": word(STRENGTH, required=True),
            "seed": whole(0, MAX_SEED, description="Repeats the choice. Default: chance."),
        },
        response_fields={
            "strength": STRENGTH,
            "action": shapes.reference("Action").of("chosen.action"),
            "reason": shapes.TEXT.of("chosen.because", text),
            "because": BECAUSE.of("chosen.because"),
        },
        compute=compute,
        check=advise.check,
        waits=advise.waits,
        made_examples=[
            replace(each, operation=CHOOSE, request={**each.request, "strength": "best", "seed": 1})
            for each in advise.examples
        ],
    )
