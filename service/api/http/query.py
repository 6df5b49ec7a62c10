"""The parameters that the query of a request may have."""

from __future__ import annotations

from collections.abc import Set

from flask import request

from service.rules.breaches import Breach
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation


def require_known(known: Set[str]) -> None:
    """Raises `InvalidInput` for each parameter of the current request that isn't in `known`, or
    that is given several times.
    """
    wrong = [
        unknown_parameter(name, known)
        if name not in known
        else Violation((name,), Breach.GIVEN_TWICE())
        for name, values in request.args.lists()
        if name not in known or len(values) > 1
    ]
    if wrong:
        shown = wrong[:MAX_CHECKED]
        raise InvalidInput(*shown, omitted=len(wrong) - len(shown))


def unknown_parameter(name: str, known: Set[str]) -> Violation:
    """The violation of a query with the parameter `name`, where the parameters are `known`."""
    if known:
        return Violation((name,), Breach.UNKNOWN_PARAMETER(allowed=sorted(known)))
    return Violation((name,), Breach.NO_PARAMETERS())
