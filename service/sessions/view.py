"""A session as a token may see it, and what keeps it from being read or acted in."""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from service.rules.violations import InvalidInput
from service.sessions.session import Snapshot, Terms

TAG_DIGITS = 8
"""How many hexadecimal digits an entity tag has after its version."""

_TAG = re.compile(rf"[1-9]\d{{0,17}}(-[0-9a-f]{{{TAG_DIGITS}}})?", re.ASCII).fullmatch


class Unknown(LookupError):
    """There is no such session."""


class Forbidden(ValueError):
    """The token doesn't allow that; the message says why not."""


class Stale(ValueError):
    """The session is `view` now, which is none of what `tags` name.

    `to_come`: they name no versions but such as haven't come yet. `replaced`: they name this
    version, but as it was before the store lost it and another one was made.
    """

    def __init__(self, view: SessionView, tags: Collection[str]) -> None:
        version = view.snapshot.version
        super().__init__(f"the session is at version {version}")
        named = [int(tag.partition("-")[0]) for tag in tags if _TAG(tag)]
        self.view, self.tags = view, tags
        self.to_come = min(named, default=0) > version
        self.replaced = version in named


class Crowded(Exception):
    """Others were faster, time and again, so that nothing was done."""


class KeyReused(ValueError):
    """An idempotency key was used before, for another action."""


class Illegal(InvalidInput):
    """What was asked for isn't legal in the version `view`; nothing has changed."""

    def __init__(self, refused: InvalidInput, view: SessionView) -> None:
        super().__init__(*refused.violations, omitted=refused.omitted)
        self.view = view


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session in one of its versions, as the player `viewer` may see it (None: the table).

    `mark` is the hash of the snapshot as it is stored.
    """

    terms: Terms
    snapshot: Snapshot
    viewer: str | None
    digest: str

    def for_token(self, token_hash: str) -> SessionView:
        """The session as the owner of a token sees it. Raises `Forbidden` for an unknown token."""
        try:
            viewer = self.terms.viewer(token_hash)
        except LookupError:
            raise Forbidden("the token is none of this session's") from None
        return replace(self, viewer=viewer)

    @property
    def expires_at(self) -> int:
        """When the session is forgotten if nobody acts, in milliseconds since 1970."""
        return self.snapshot.acted_at + self.terms.seconds * 1000

    @property
    def tag(self) -> str:
        """Its entity tag, without quotes: another one for whatever may be seen otherwise."""
        return self._tag_for(self.viewer)

    def is_one_of(self, tags: Collection[str]) -> bool:
        """Whether one of `tags` names this version: by its number, or by the tag that anyone got.

        A player may forward a tag that the table got: an action is for a state, whoever saw it.
        """
        if str(self.snapshot.version) in tags or self.tag in tags:
            return True
        return self._hides and any(
            self._tag_for(viewer) in tags for viewer in (None, *self.terms.players)
        )

    def is_had_by(self, tags: Collection[str]) -> bool:
        """Whether who has `tags` has just what this viewer sees.

        A bare number says that only where a game hides nothing: the client may have changed its
        token since.
        """
        number = str(self.snapshot.version)
        return self.tag in tags or (number in tags and not self._hides)

    @property
    def _hides(self) -> bool:
        """Whether the game shows some players what it hides from others."""
        return bool(self.terms.game.hidden)

    def _tag_for(self, viewer: str | None) -> str:
        who = f":{viewer}" if self._hides and viewer is not None else ""
        digest = hmac.digest(self.terms.tag_key, f"{self.digest}{who}".encode(), "sha256")
        return f"{self.snapshot.version}-{digest.hex()[:TAG_DIGITS]}"


@dataclass(frozen=True, slots=True)
class CreatedSession:
    """A new session with its tokens: the table's, and each player's."""

    view: SessionView
    table_token: str
    player_tokens: Mapping[str, str]
