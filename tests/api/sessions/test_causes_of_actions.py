"""Problems of actions, conditions and keys: their bodies in both languages."""

from __future__ import annotations

import pytest

from tests.api.causes import Causes, Said
from tests.api.sessions.causing import (
    ACTIONS,
    CHANCE,
    ROLL,
    acts,
    creates,
    of_a_deleted_session,
    used_otherwise,
)
from tests.api.sessions.playing import TABLE
from tests.live import Service

CASES: list[tuple[Said, Causes]] = [
    (Said("illegal-action", 422,
          "/action must be roll or leave now.",
          errors=[("/action", "must be roll or leave now")], more={"actions": ACTIONS}),
     acts({"action": "fold"})),
    (Said("illegal-action", 422,
          "/player can't roll now; only ann can.",
          errors=[("/player", "can't roll now; only ann can")], more={"actions": ACTIONS}),
     acts({**ROLL, "player": "ben"}, TABLE)),
    (Said("not-your-turn", 403, "The token belongs to ben, but only ann can act now."),
     acts(ROLL, "ben")),
    (Said("no-version", 428,
          "If-Match must name the version that this action is for, by its number in quotes: "
          'If-Match: "7".'),
     acts(ROLL, without="If-Match")),
    (Said("stale-version", 412,
          "The session is at version 2, which If-Match doesn't name; read it again and decide "
          "again."),
     acts(ROLL, rolled=True, If_Match='"1"')),
    (Said("stale-version", 412,
          "The session is at version 2, which If-None-Match names; read it again and decide "
          "again."),
     acts(ROLL, rolled=True, If_None_Match="{tag}")),
    (Said("stale-version", 412,
          "The session is at version 2, and If-Match names only later ones; read it again and "
          "decide again."),
     acts(ROLL, rolled=True, If_Match='"9"')),
    (Said("stale-version", 412,
          "The session is at version 2, but not in the state that If-Match names, which may have "
          "been lost; read it again and decide again."),
     acts(ROLL, rolled=True, If_Match='"2-00000000"')),
    (Said("stale-version", 412,
          'The session is at version 2, and If-Match names none: send the number in quotes, "2", '
          "or the ETag as the service sent it, which a proxy that compresses changes; read it "
          "again and decide again."),
     acts(ROLL, rolled=True, If_Match="2")),
    (Said("no-session-yet", 412,
          "There is no session yet that If-Match could name; nothing was done. Leave the header "
          "out."),
     creates(If_Match="*")),
    (Said("bad-key", 400,
          "Idempotency-Key must be one value of 1 to 255 visible ASCII characters."),
     acts(ROLL, Idempotency_Key="two words")),
    (Said("short-key", 400,
          "Idempotency-Key must be one value of 16 to 255 visible ASCII characters, such as a "
          "random UUID: whoever repeats the request gets the tokens."),
     creates(Idempotency_Key="too-short")),
    (Said("key-used-otherwise", 409,
          "This Idempotency-Key was used for another action of this session; nothing was done. "
          "Use a new key for each action."),
     acts(CHANCE, rolled=True, Idempotency_Key="k")),
    (Said("key-used-with-other-body", 409,
          "This Idempotency-Key was used with another body; nothing was done. Use a new key for "
          "each session, such as a random UUID."),
     used_otherwise),
    (Said("created-session-gone", 409,
          "The session that this Idempotency-Key created was deleted or has expired; nothing was "
          "done. Use a new key for each session, such as a random UUID."),
     of_a_deleted_session),
]  # fmt: skip


@pytest.mark.parametrize(("said", "causes"), CASES, ids=[said.code for said, _ in CASES])
def test_cause(service: Service, said: Said, causes: Causes) -> None:
    """An action or a new session that is refused says why, and what to do instead."""
    said.check(*causes(service))
