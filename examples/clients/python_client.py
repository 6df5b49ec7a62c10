"""Plays with the client that openapi-python-client generates."""

from uuid import uuid4

from dice_client import AuthenticatedClient, Client
from dice_client.api.sessions import act_in_session, create_session
from dice_client.models import (
    BankAction,
    DicePokerNewSession,
    DicePokerSession,
    DicePokerSessionRequest,
    IllegalAction,
    RollAction,
)

URL = "http://127.0.0.1:8000"

request = DicePokerSessionRequest(variant="dice-poker", players=["ann", "ben"])
created = create_session.sync_detailed(
    client=Client(URL), body=request, idempotency_key=str(uuid4())
)
assert isinstance(created.parsed, DicePokerNewSession), created.parsed
session_id, tokens = created.parsed.id, created.parsed.tokens
ann = AuthenticatedClient(URL, token=tokens.players["ann"])


def act(action, version):
    """The response to an action of Ann's."""
    return act_in_session.sync_detailed(
        session_id, client=ann, body=action, if_match=f'"{version}"', idempotency_key=str(uuid4())
    )


rolled = act(RollAction(action="roll"), created.parsed.version)
assert isinstance(rolled.parsed, DicePokerSession), rolled.parsed
print(rolled.parsed.state.turn.rolls_left)
# 2

refused = act(BankAction(action="bank"), rolled.parsed.version)
assert isinstance(refused.parsed, IllegalAction), refused.parsed
print(refused.parsed.detail)
print(*(legal.action for legal in refused.parsed.actions))
# /action must be roll, score, cross_out or leave now.
# roll score cross_out leave leave
