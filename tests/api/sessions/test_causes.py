"""Problems with tokens, and of what a session doesn't have: their bodies in both languages."""

from __future__ import annotations

import pytest

from tests.api.causes import Causes, Said, request
from tests.api.sessions.causing import ROLL, acts, asks, of_another_session, with_later_players
from tests.api.sessions.playing import PATH
from tests.live import Service

CASES: list[tuple[Said, Causes]] = [
    (Said("no-token", 401,
          "A token of the session is needed: Authorization: Bearer … The response that created "
          "the session has the table token and each player's token."),
     acts(ROLL, without="Authorization")),
    (Said("wrong-token", 403, "The token doesn't belong to this session."), of_another_session),
    (Said("other-players-token", 403, "The token belongs to ben, but the action is for ann."),
     acts({**ROLL, "player": "ann"}, "ben")),
    (Said("table-token-needed", 403, "Only the table token can delete a session."), asks("DELETE")),
    (Said("game-not-over", 403,
          "The game isn't over. Until then, only the table token gets the review."),
     asks("GET", "/review")),
    (Said("no-such-session", 404,
          "There is no such session: it never existed, was deleted, or expired because nobody "
          "acted in it before expires_at."),
     request("GET", f"{PATH}/{0:022}", Authorization="Bearer any")),
    (Said("no-review", 404, "There are no reviews of this game: only score cards have them."),
     asks("GET", "/review", variant="poker-dice")),
    (Said("advice-not-agreed", 409,
          "This session was created without advice. Only the request that creates a session can "
          'ask for it: "advice": true.'),
     asks("GET", "/advice")),
    (Said("nothing-to-decide", 409,
          "There is nothing to advise on now: nobody has to decide on dice that this token may "
          "see."),
     asks("GET", "/advice", variant="poker-dice")),
    (Said("no-advice-here", 409,
          "There is no advice or forecast for this position: /players_after must be a whole "
          "number between 0 and 19.",
          errors=[("/players_after", "must be a whole number between 0 and 19")]),
     with_later_players),
]  # fmt: skip


@pytest.mark.parametrize(("said", "causes"), CASES, ids=[said.code for said, _ in CASES])
def test_cause(service: Service, said: Said, causes: Causes) -> None:
    """A request for what a token may not have, or what there isn't, gets a problem that says so."""
    said.check(*causes(service))
