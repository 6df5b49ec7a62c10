"""Example requests for sessions and their responses, with all secrets set to zeros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from service.api.http.problems import unprocessable
from service.api.schemas.shapes import JsonSchema
from service.api.sessions.answers import (
    PATH,
    Answer,
    actions_json,
    created_json,
    history_json,
    session_json,
)
from service.api.sessions.moves import bound_schema
from service.api.sessions.requests import CLIENT, NewSession
from service.engine.game import Action
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.fair import SEED_BYTES, FairDice
from service.sessions.requests import NOT_VALUES, hash_token
from service.sessions.session import Event, Snapshot, Terms, apply_action, start
from service.sessions.view import CreatedSession, SessionView

ID = "0" * 22
TOKEN = "0" * 43
CLIENT_SEED = "luck"
MADE_AT = 1_767_225_600_000
SECONDS = 86_400

NO_ACTION = {"action": "bluff"}
"""An action that no game has."""

NO_VARIANT = {"variant": "chess", "players": ["white", "black"]}
"""A session of a game that isn't played here."""


@dataclass(frozen=True)
class ExampleSession:
    """A session of `variant` and its first action; the dice of its seed are typed in."""

    variant: Variant

    @property
    def players(self) -> list[str]:
        """Two players, or the fewest that the variant takes if that is more."""
        least, most = self.variant.players
        return [f"player {place}" for place in range(1, 1 + max(least, min(2, most or 2)))]

    @cached_property
    def _typed(self) -> Terms:
        """The terms for typed dice."""
        return Terms(
            id=ID,
            variant=self.variant,
            players=tuple(self.players),
            rules=self.variant.default_rules,
            seed=None,
            client_seed=CLIENT_SEED,
            tokens=tuple([hash_token(TOKEN) for _ in range(len(self.players) + 1)]),
            created_at=MADE_AT,
            seconds=SECONDS,
        )

    @cached_property
    def _started(self) -> tuple[Snapshot, Event]:
        return start(self._typed)

    def creation(self) -> tuple[Answer, Answer]:
        """A request for a session, and its response.

        The service rolls the dice, unless it would roll at once: the dice would be different each
        time.
        """
        request: Answer = {"variant": self.variant.id, "players": self.players}
        terms = replace(self._typed, seed=bytes(SEED_BYTES))
        snapshot, _ = start(terms)
        if snapshot.drawn:
            terms, snapshot = self._typed, self._started[0]
            request["dice"] = CLIENT
        else:
            request["seed"] = CLIENT_SEED
        tokens = dict.fromkeys(self.players, TOKEN)
        return request, created_json(CreatedSession(_view(terms, snapshot), TOKEN, tokens))

    def read(self) -> Answer:
        """The session at the beginning."""
        return session_json(_view(self._typed, self._started[0]))

    def action(self) -> Answer:
        """The first legal action, with the first allowed value of each of its fields."""
        game, snapshot = self._typed.game, self._started[0]
        move = game.legal_moves(snapshot.state)[0]
        values = {name: _first(bound_schema(bound)) for name, bound in move.values.items()}
        request: Answer = {"action": move.action, "player": move.player, **values}
        wanted = Action(move.action, move.player, MADE_AT, values)
        below = FairDice(bytes(SEED_BYTES), CLIENT_SEED).below
        _, dice = game.play(snapshot.state, wanted, below)
        if dice:
            request["dice"] = dice
        return request

    @cached_property
    def _applied(self) -> tuple[Snapshot, Event]:
        request = self.action()
        values = {name: value for name, value in request.items() if name not in NOT_VALUES}
        dice = request.get("dice")
        action = Action(request["action"], request["player"], MADE_AT, values, dice)
        return apply_action(self._typed, self._started[0], action)

    def done(self) -> Answer:
        """The session after that action."""
        return session_json(_view(self._typed, self._applied[0]))

    def events(self) -> Answer:
        """The history after that action."""
        return history_json(
            _view(self._typed, self._applied[0]), [self._started[1], self._applied[1]]
        )

    def refused(self) -> Answer:
        """The problem for `NO_ACTION` at the beginning of the session."""
        viewed = _view(self._typed, self._started[0])
        first = self._typed.players[0]
        try:
            apply_action(
                viewed.terms,
                viewed.snapshot,
                Action(NO_ACTION["action"], first, MADE_AT),
            )
        except InvalidInput as refused:
            instance = f"{PATH}/{ID}/actions"
            return {**unprocessable(refused, instance), "actions": actions_json(viewed)}
        raise ValueError(f"{self.variant.id} has the action {NO_ACTION['action']}")


def no_variant(new: NewSession) -> Answer:
    """The problem for `NO_VARIANT`."""
    try:
        new.read(NO_VARIANT)
    except InvalidInput as refused:
        return unprocessable(refused, PATH)
    raise ValueError(f"there is a variant {NO_VARIANT['variant']}")


def _view(terms: Terms, snapshot: Snapshot) -> SessionView:
    return SessionView(terms, snapshot, None, digest="")


def _first(shape: JsonSchema) -> Any:
    """The first value that `shape`, the bounds in a legal move, allows."""
    if "enum" in shape:
        return shape["enum"][0]
    return shape["minimum"] if "minimum" in shape else shape["default"]


def examples(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` by name, in the form that the contract has for examples."""
    return {name: {"value": value} for name, value in values.items()}
