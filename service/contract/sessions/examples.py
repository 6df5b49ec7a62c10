"""Worked requests of sessions with their answers, as they are if all secrets are zeros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from service.api.http.problems import unprocessable
from service.api.sessions.answers import PATH, Answer, history, legal, made, seen
from service.api.sessions.requests import CLIENT, NewSession
from service.engine.game import Action
from service.engine.parameters import Shape
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.fair import SEED_BYTES, FairDice
from service.sessions.session import Event, Position, Terms, Wish, acted, begun
from service.sessions.tokens import hashed
from service.sessions.view import Made, Seen

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
class Worked:
    """A session of `variant`, and its first action, with the dice of its seed typed in."""

    variant: Variant[Any]

    @property
    def players(self) -> list[str]:
        """Two players, or as few as the variant takes above that."""
        least, most = self.variant.players
        return [f"player {place}" for place in range(1, 1 + max(least, min(2, most or 2)))]

    @cached_property
    def _typed(self) -> Terms:
        """What is agreed where the dice are typed in."""
        return Terms(
            id=ID,
            variant=self.variant,
            players=tuple(self.players),
            rules=self.variant.default_rules,
            seed=None,
            client_seed=CLIENT_SEED,
            tokens=tuple([hashed(TOKEN) for _ in range(len(self.players) + 1)]),
            created_at=MADE_AT,
            seconds=SECONDS,
        )

    @cached_property
    def _begun(self) -> tuple[Position, Event]:
        return begun(self._typed)

    def creation(self) -> tuple[Answer, Answer]:
        """A request for a session, and its answer.

        The service rolls, unless it would do so at once: what dice show is different each time.
        """
        request: Answer = {"variant": self.variant.id, "players": self.players}
        terms = replace(self._typed, seed=bytes(SEED_BYTES))
        position, _ = begun(terms)
        if position.drawn:
            terms, position = self._typed, self._begun[0]
            request["dice"] = CLIENT
        tokens = dict.fromkeys(self.players, TOKEN)
        return {**request, "seed": CLIENT_SEED}, made(Made(_seen(terms, position), TOKEN, tokens))

    def read(self) -> Answer:
        """The session as it begins."""
        return seen(_seen(self._typed, self._begun[0]))

    def action(self) -> Answer:
        """The first of the actions that are legal, with the first of the values it may have."""
        game, position = self._typed.game, self._begun[0]
        move = game.legal(position.state)[0]
        values = {name: _first(bound.shape) for name, bound in move.values.items()}
        request: Answer = {"action": move.action, "player": move.player, **values}
        wanted = Action(move.action, move.player, MADE_AT, values)
        chance = game.prepare(position.state, wanted).chance
        if chance is not None:
            request["dice"] = chance.draw(FairDice(bytes(SEED_BYTES), CLIENT_SEED).below)
        return request

    @cached_property
    def _acted(self) -> tuple[Position, Event]:
        request = self.action()
        own = ("action", "player", "dice")
        values = {name: value for name, value in request.items() if name not in own}
        wish = Wish(request["action"], request["player"], values, request.get("dice"))
        return acted(self._typed, self._begun[0], wish, MADE_AT)

    def done(self) -> Answer:
        """The session after that action."""
        return seen(_seen(self._typed, self._acted[0]))

    def events(self) -> Answer:
        """The history after that action."""
        return history(_seen(self._typed, self._acted[0]), [self._begun[1], self._acted[1]])

    def refused(self) -> Answer:
        """What `NO_ACTION` is answered when the session begins."""
        viewed = _seen(self._typed, self._begun[0])
        first = self._typed.players[0]
        try:
            acted(viewed.terms, viewed.position, Wish(NO_ACTION["action"], first, {}), MADE_AT)
        except InvalidInput as refused:
            instance = f"{PATH}/{ID}/actions"
            return {**unprocessable(refused, instance), "actions": legal(viewed)}
        raise ValueError(f"{self.variant.id} has the action {NO_ACTION['action']}")


def no_variant(new: NewSession) -> Answer:
    """What `NO_VARIANT` is answered."""
    try:
        new.read(NO_VARIANT)
    except InvalidInput as refused:
        return unprocessable(refused, PATH)
    raise ValueError(f"there is a variant {NO_VARIANT['variant']}")


def _seen(terms: Terms, position: Position) -> Seen:
    return Seen(terms, position, None, mark="")


def _first(shape: Shape) -> Any:
    """The first value that `shape`, as the moves tell their bounds, allows."""
    if "enum" in shape:
        return shape["enum"][0]
    return shape["minimum"] if "minimum" in shape else shape["default"]


def examples(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` by their names, as the contract has examples."""
    return {name: {"value": value} for name, value in values.items()}
