"""Why something is so: the codes of all reasons, with their texts.

Inside the service and in what is stored, a reason is a JSON object: `decided_by` is its code, and
beside it are the values in its text, often the `clause` of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import unique
from typing import Any

from service.rules.sentences import ENGLISH, Wording, Words, fill_in


@unique
class Reason(Wording):
    """The codes of reasons."""

    RANK = "{better:Name} beats {worse:name}{clause:cited}."

    def because(self, **values: Any) -> dict[str, Any]:
        """The reason as JSON; values that are None are left out."""
        return {"decided_by": self.code, **self(**values).values}


def spoken(because: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """The text of a reason that `Reason.because` made, in the language of `words`."""
    return fill_in(Reason[because["decided_by"].upper()].value, because, words)
