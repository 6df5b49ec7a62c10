"""A score card that fails when a box is written in."""

from __future__ import annotations

from dataclasses import fields
from typing import NoReturn

from service.kinds.scorecard.variant import ScoreCard
from tests.trial_games import two_boxes


class Broken(ScoreCard):
    """A score card that nobody can write on."""

    def written(self, *_: object) -> NoReturn:
        """Fails."""
        raise RuntimeError("broken")


_FIELDS = {each.name: getattr(two_boxes.VARIANT, each.name) for each in fields(ScoreCard)}

VARIANT = Broken(**{**_FIELDS, "id": "broken-card", "examples": two_boxes.VARIANT.examples[:1]})
