"""Plays with the client of openapi-python-client, and prints what it saw as JSON.

python play.py URL
"""

from __future__ import annotations

import json
import sys
from typing import Any
from uuid import uuid4

from dice_client import AuthenticatedClient, Client
from dice_client.api.sessions import (
    act_in_session,
    create_session,
    delete_session,
    list_session_events,
    read_session,
)
from dice_client.models import (
    BetAction,
    CrossOutAction,
    DicePokerHouseRules,
    DicePokerNewSession,
    DicePokerSession,
    DicePokerSessionHistory,
    DicePokerSessionRequest,
    IllegalAction,
    Problem,
    RollAction,
    ScoreAction,
    TexasHoldemDiceNewSession,
    TexasHoldemDiceSession,
    TexasHoldemDiceSessionRequest,
)

URL = sys.argv[1]


def is_a(kind: type, parsed: Any) -> Any:
    """`parsed`, which must be of the type `kind`."""
    assert isinstance(parsed, kind), parsed
    return parsed


def create(request: Any) -> Any:
    """The response to a request for a new session."""
    return create_session.sync_detailed(
        client=Client(URL), body=request, idempotency_key=str(uuid4())
    )


def act(session: Any, token: str, version: int, key: str, action: Any) -> Any:
    """The response to an action."""
    return act_in_session.sync_detailed(
        session.id,
        client=AuthenticatedClient(URL, token=token),
        body=action,
        if_match=f'"{version}"',
        idempotency_key=key,
    )


request = DicePokerSessionRequest(
    variant="dice-poker",
    players=["ann", "ben"],
    dice="client",
    house_rules=DicePokerHouseRules(turn_seconds=None),
)
started = create(request)
session = is_a(DicePokerNewSession, started.parsed)
ann, ben = session.tokens.players["ann"], session.tokens.players["ben"]

TURNS: list[tuple[str, str, Any]] = [
    (ann, "roll, keeping 0", RollAction(action="roll", dice=[5, 5, 5, 4, 2])),
    (ann, "roll, keeping 3", RollAction(action="roll", keep=[0, 1, 2], dice=[5, 5, 5, 6, 6])),
    (ann, "score full_house", ScoreAction(action="score", box="full_house")),
    (ben, "roll, keeping 0", RollAction(action="roll", dice=[1, 2, 3, 4, 6])),
    (ben, "score small_straight", ScoreAction(action="score", box="small_straight")),
    (ann, "roll, keeping 0", RollAction(action="roll", dice=[6, 6, 6, 6, 1])),
    (ann, "cross_out five_of_a_kind", CrossOutAction(action="cross_out", box="five_of_a_kind")),
]
played = []
version = session.version
for token, about, action in TURNS:
    key = str(uuid4())
    first = act(session, token, version, key, action)
    again = act(session, token, version, key, action)
    after = is_a(DicePokerSession, first.parsed)
    cards = after.state.cards
    played.append(
        {
            "action": about,
            "version": after.version,
            "totals": [cards["ann"].total, cards["ben"].total],
            "same": first.parsed == again.parsed and first.headers["ETag"] == again.headers["ETag"],
        }
    )
    version = after.version

refused = act(session, ben, version, str(uuid4()), ScoreAction(action="score", box="chance"))
illegal = is_a(IllegalAction, refused.parsed)
stale = act(session, ben, 1, str(uuid4()), RollAction(action="roll", dice=[1, 1, 1, 1, 1]))

table = AuthenticatedClient(URL, token=session.tokens.table)
seen = is_a(DicePokerSession, read_session.sync(session.id, client=table))
events = is_a(DicePokerSessionHistory, list_session_events.sync(session.id, client=table))
removed = delete_session.sync_detailed(session.id, client=table)

holdem = create(TexasHoldemDiceSessionRequest(variant="texas-holdem-dice", players=["cid", "dot"]))
game = is_a(TexasHoldemDiceNewSession, holdem.parsed)
legal_bet = next(legal for legal in game.actions if legal.action == "bet")
bet = BetAction(action="bet", amount=legal_bet.amount.minimum)
bettor = game.tokens.players[legal_bet.player]
after_bet = act(game, bettor, game.version, str(uuid4()), bet)
state = is_a(TexasHoldemDiceSession, after_bet.parsed).state

print(
    json.dumps(
        {
            "played": played,
            "illegal": {
                "status": refused.status_code,
                "detail": illegal.detail,
                "actions": [[legal.action, legal.player] for legal in illegal.actions],
            },
            "stale": {"status": stale.status_code, "title": is_a(Problem, stale.parsed).title},
            "to_act": seen.state.to_act,
            "events": [event.action for event in events.events],
            "removed": removed.status_code,
            "holdem": {"pocket": len(state.pocket), "pot": state.pot},
        }
    )
)
