"""The groups of operations, in the order that a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable

from service.rules.variant import Variant

CATALOGUE = "catalogue"
SESSIONS = "sessions"
BATCHES = "batches"
SERVICE = "service"


def tags(variants: Iterable[Variant]) -> list[dict[str, str]]:
    """Every tag with its description; the tag with the id of a game is for its operations."""
    meanings = {
        CATALOGUE: "The games: everything that a client needs to draw their screens.",
        **{variant.id: f"{variant.name}. {variant.summary}" for variant in variants},
        SESSIONS: "Whole games, turn by turn. The service keeps the state, and rolls the dice "
        "unless the players do.",
        BATCHES: "Many hands in one request.",
        SERVICE: "Health, metrics, and this contract.",
    }
    return [{"name": name, "description": meaning} for name, meaning in meanings.items()]
