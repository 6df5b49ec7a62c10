"""The catalogue: what a client needs to draw a variant's screens without reading its rules."""

from __future__ import annotations

from collections.abc import Iterable

from service.api.batch.batch import Batch
from service.api.operations.entries import Described, summary_fields
from service.api.operations.operation import Answer, Operation
from service.api.operations.registry import API_KINDS
from service.api.schemas import shapes
from service.api.schemas.serializers import Serializer, parts
from service.rules.sentences import any_of
from service.rules.variant import Variant

PATH = "/v1/variants"

Offered = Operation | Batch
"""The operations of a variant."""

_KIND = shapes.named_enum("Kind", API_KINDS)(
    f"How a hand counts: {any_of(kind.HAND_COUNTS for kind in API_KINDS.values())}."
)

LISTING = Serializer[Iterable[Described]](
    "Catalogue",
    {
        "variants": parts(
            Serializer("CatalogueSummary", summary_fields(_KIND)), lambda entries: entries
        )
    },
)
"""The response of `GET /v1/variants`."""


def listing(variants: Iterable[Variant], offered: Iterable[Offered]) -> Answer:
    """The list of all variants."""
    offered = list(offered)
    return LISTING.write([_described(variant, offered) for variant in variants])


def entry(variant: Variant, offered: Iterable[Offered]) -> Answer:
    """The entry of one variant."""
    return API_KINDS.of(variant).entry(variant).write(_described(variant, offered))


def _described(variant: Variant, offered: Iterable[Offered]) -> Described:
    own = {each.name: each.path for each in offered if each.variant is variant}
    return Described(variant, {"self": f"{PATH}/{variant.id}", **own})
