"""The list of all variants, for the contract."""

from __future__ import annotations

from service.api.schemas.enums import named_enum
from service.api.schemas.shared import AnswerField, answer_part, listed
from service.contract.kinds.entry import SUMMARY, part
from service.contract.kinds.registry import CONTRACT_KINDS
from service.rules.sentences import any_of

_KIND = AnswerField(
    named_enum("Kind", CONTRACT_KINDS),
    f"How a hand counts: {any_of(kind.HAND_COUNTS for kind in CONTRACT_KINDS.values())}.",
)

LISTING = answer_part(
    "Catalogue", {"variants": listed(part("CatalogueSummary", {**SUMMARY, "kind": _KIND}))}
)
"""The schema of `GET /v1/variants`."""
