"""What a token may see of a session, and the errors of reading it and acting in it."""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from service.rules.violations import InvalidInput
from service.sessions.session import Snapshot, Terms

TAG_DIGITS = 8
"""How many hexadecimal digits an entity tag has after its version."""

_TAG = re.compile(rf"[1-9]\d{{0,17}}(-[0-9a-f]{{{TAG_DIGITS}}})?", re.ASCII).fullmatch


class Unknown(LookupError):
    """There is no such session."""


class Forbidden(ValueError):
    """The token doesn't allow the request."""


class OtherSession(Forbidden):
    """The token doesn't belong to the session."""


class NotTheTable(Forbidden):
    """The token is a player's, and only the table's will do."""


class OtherPlayer(Forbidden):
    """The token belongs to `owner`, but the action is for `player`."""

    def __init__(self, owner: str, player: str) -> None:
        super().__init__(owner, player)
        self.owner, self.player = owner, player


class NotYourTurn(Forbidden):
    """The token belongs to `owner`, but only the players `able` can act now."""

    def __init__(self, owner: str, able: Sequence[str]) -> None:
        super().__init__(owner, able)
        self.owner, self.able = owner, able


class Stale(ValueError):
    """None of `tags` names the current version of the session, `view`; or, if it is `unwanted`, one
    of those does that must not.

    `to_come` is true if `tags` name only later versions, `malformed` if they name no version at
    all. `replaced` is true if they name this version, but another state: the store lost that state,
    and the number was used again.
    """

    def __init__(self, view: SessionView, tags: Collection[str], *, unwanted: bool = False) -> None:
        version = view.snapshot.version
        super().__init__(f"the session is at version {version}")
        named = [int(tag.partition("-")[0]) for tag in tags if _TAG(tag)]
        self.view, self.unwanted, self.malformed = view, unwanted, not named
        self.to_come = min(named, default=0) > version
        self.replaced = version in named


class Ended(Exception):
    """The session has as many events as it may have; nothing was done."""


class Crowded(Exception):
    """Other changes came first in every attempt; nothing was done."""


class KeyReused(ValueError):
    """An idempotency key was used before, for another action."""


class OtherBody(ValueError):
    """An idempotency key can't create this session: it was used with another body."""


class SessionGone(ValueError):
    """The session that an idempotency key created was deleted or has expired."""


class Illegal(InvalidInput):
    """The action isn't legal in the version `view`; nothing has changed."""

    def __init__(self, refused: InvalidInput, view: SessionView) -> None:
        super().__init__(*refused.violations, omitted=refused.omitted)
        self.view = view


@dataclass(frozen=True, slots=True)
class SessionView:
    """One version of a session as `viewer` may see it: a player, or the table (None).

    `digest` is the hash of the stored snapshot (`codec.digest`), "" for what isn't stored.
    """

    terms: Terms
    snapshot: Snapshot
    viewer: str | None
    digest: str

    def for_token(self, token_hash: str) -> SessionView:
        """The session as the owner of a token sees it. Raises `OtherSession` for an unknown one."""
        try:
            viewer = self.terms.viewer(token_hash)
        except LookupError:
            raise OtherSession from None
        return SessionView(self.terms, self.snapshot, viewer, self.digest)

    @property
    def expires_at(self) -> int:
        """When the session expires if nobody acts, in milliseconds since 1970."""
        return self.snapshot.acted_at + self.terms.seconds * 1000

    @property
    def tag(self) -> str:
        """The entity tag, without quotes: a different one for each content that a token can see."""
        return self._tag_for(self.viewer)

    def tag_of(self, part: str) -> str:
        """The entity tag, without quotes, of something else that depends on the session alone,
        such as its history. It isn't that of the session: a client that has one of them doesn't
        have the other.
        """
        return self._tag_for(self.viewer, part)

    def is_one_of(self, tags: Collection[str]) -> bool:
        """Whether one of `tags` names this version: its number, or its tag for any token.

        A player may send the tag that the table received: it names the same state.
        """
        if str(self.snapshot.version) in tags or self.tag in tags:
            return True
        return self._hides and any(
            self._tag_for(viewer) in tags for viewer in (None, *self.terms.players)
        )

    def is_known_by(self, tags: Collection[str]) -> bool:
        """Whether a client that has `tags` has exactly what this viewer sees.

        The number alone proves that only in games that hide nothing: the client may have received
        it with another token.
        """
        number = str(self.snapshot.version)
        return self.tag in tags or (number in tags and not self._hides)

    @property
    def _hides(self) -> bool:
        """Whether the game hides anything from some players."""
        return bool(self.terms.game.hidden)

    def _tag_for(self, viewer: str | None, part: str = "") -> str:
        who = f":{viewer}" if self._hides and viewer is not None else ""
        digest = hmac.digest(self.terms.tag_key, f"{part}{self.digest}{who}".encode(), "sha256")
        return f"{self.snapshot.version}-{digest.hex()[:TAG_DIGITS]}"


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a session that a change may apply to, by tags as in `SessionView.is_one_of`:
    those that `match` (None: any), but none of those that `none_match` (None: none at all).
    """

    match: frozenset[str] | None = None
    none_match: frozenset[str] | None = frozenset()

    def check(self, session: SessionView) -> None:
        """Raises `Stale` unless `session` is at one of these versions."""
        if self.match is not None and not session.is_one_of(self.match):
            raise Stale(session, self.match)
        if self.none_match is None or (self.none_match and session.is_one_of(self.none_match)):
            raise Stale(session, (), unwanted=True)


ANY_VERSION = Versions()


@dataclass(frozen=True, slots=True)
class CreatedSession:
    """A new session with the table token and each player's token."""

    view: SessionView
    table_token: str
    player_tokens: Mapping[str, str]
