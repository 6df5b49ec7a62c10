"""Plays for computers by the same means as `choose` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from service.advice.choosing import Chosen, Strength
from service.api.operations.registry import API_KINDS
from service.engine.actions import Move
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.settings import Settings


class Chooser:
    """Chooses for the players of every kind of game; `settings` say where tables are."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def check(self, variant: Variant, rules: HouseRules, view: Mapping[str, Any]) -> None:
        """Raises `Problem` 503 while they can't play a game that begins as the table sees it."""
        API_KINDS.of(variant).check_player(self._settings, variant, rules, view)

    def choose(
        self,
        variant: Variant,
        rules: HouseRules,
        view: Mapping[str, Any],
        moves: Sequence[Move],
        strength: Strength,
        source: Random,
    ) -> Chosen:
        """What a player does in the `view` of a session, with these legal `moves`."""
        play = API_KINDS.of(variant).play
        return play(self._settings, variant, rules, view, moves, strength, source)
