"""A session as a token may see it, and what keeps it from being seen or acted in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from service.dice.refusal import Refused
from service.sessions.session import Position, Terms


class Unknown(LookupError):
    """There is no such session."""


class Forbidden(ValueError):
    """The token doesn't allow that; the message says why not."""


class Stale(ValueError):
    """The session isn't at the version that was asked for; it is at `version`.

    `to_come`: no version was asked for but such as haven't come yet.
    """

    def __init__(self, version: int, *, to_come: bool = False) -> None:
        super().__init__(f"the session is at version {version}")
        self.version, self.to_come = version, to_come


class KeyReused(ValueError):
    """An idempotency key was used before, for another action."""


class Illegal(Refused):
    """What was asked for isn't legal in the version `seen`; nothing has changed."""

    def __init__(self, refused: Refused, seen: Seen) -> None:
        super().__init__(*refused.faults, untold=refused.untold)
        self.seen = seen


@dataclass(frozen=True, slots=True)
class Seen:
    """A session in one of its versions, as the player `viewer` may see it (None: the table).

    `expires_at` is in milliseconds since 1970.
    """

    terms: Terms
    position: Position
    viewer: str | None
    expires_at: int


@dataclass(frozen=True, slots=True)
class Made:
    """A new session with its tokens: the table's, and each player's."""

    seen: Seen
    table_token: str
    player_tokens: Mapping[str, str]
