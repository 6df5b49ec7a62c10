"""The parameters that the query of a request may have."""

from __future__ import annotations

from collections.abc import Set

from flask import request

from service.rules.breaches import Breach
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation


def require_known(known: Set[str]) -> None:
    """Raises `InvalidInput` for each parameter of the current request that isn't in `known`."""
    unknown = [name for name in request.args if name not in known]
    if unknown:
        raise InvalidInput(
            *(unknown_parameter(name, known) for name in unknown[:MAX_CHECKED]),
            omitted=len(unknown[MAX_CHECKED:]),
        )


def unknown_parameter(name: str, known: Set[str]) -> Violation:
    """The violation of a query with the parameter `name`, where the parameters are `known`."""
    if known:
        return Violation((name,), Breach.UNKNOWN_PARAMETER(allowed=sorted(known)))
    return Violation((name,), Breach.NO_PARAMETERS())
