"""Plays for computers by the same means as `choose` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.advice.choosing import Choice, Chosen
from service.api.operations.registry import API_KINDS
from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings


class Chooser:
    """Chooses for the players of every kind of game; `settings` say where tables are."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def check(self, variant: Variant, rules: HouseRules, view: Mapping[str, Any]) -> None:
        """Raises `InvalidInput` if they can't play a game that begins as the table sees it, and
        `NotReady` while they can't yet.
        """
        if not API_KINDS.of(variant).can_play(self._settings, variant, rules, view):
            raise InvalidInput(Violation(("computers",), Breach.NO_COMPUTERS()))

    def choose(self, choice: Choice) -> Chosen:
        """What a player does."""
        return API_KINDS.of(choice.variant).play(self._settings, choice)
