"""Problems with tokens, and of what a session doesn't have: their bodies in both languages."""

from __future__ import annotations

import pytest

from tests.api.causes import Case, Said, request
from tests.api.sessions.causing import (
    ROLL,
    acts,
    asks,
    of_another_session,
    with_later_players,
    without,
)
from tests.api.sessions.playing import PATH
from tests.live import Service

CASES = [
    Case(
        Said(
            "no-token",
            401,
            "No token",
            "A token of the session is needed: Authorization: Bearer … The response that "
            "created the session has the table token and each player's token.",
            "Kein Token",
            "Ein Token der Sitzung ist nötig: Authorization: Bearer … Die Antwort, mit "
            "der die Sitzung erstellt wurde, enthält das Token des Tisches und das jedes "
            "Spielers.",
        ),
        without("Authorization"),
    ),
    Case(
        Said(
            "wrong-token",
            403,
            "Wrong token",
            "The token doesn't belong to this session.",
            "Falsches Token",
            "Das Token gehört nicht zu dieser Sitzung.",
        ),
        of_another_session,
    ),
    Case(
        Said(
            "other-players-token",
            403,
            "Other player's token",
            "The token belongs to ben, but the action is for ann.",
            "Token eines anderen Spielers",
            "Das Token gehört ben, aber die Aktion ist für ann.",
            {"owner": "ben", "player": "ann"},
        ),
        acts({**ROLL, "player": "ann"}, "ben"),
    ),
    Case(
        Said(
            "table-token-needed",
            403,
            "Table token needed",
            "Only the table token can delete a session.",
            "Token des Tisches nötig",
            "Nur das Token des Tisches kann eine Sitzung löschen.",
        ),
        asks("DELETE"),
    ),
    Case(
        Said(
            "game-not-over",
            403,
            "Game not over",
            "The game isn't over. Until then, only the table token gets the review.",
            "Spiel nicht zu Ende",
            "Das Spiel ist noch nicht zu Ende. Bis dahin bekommt nur das Token des "
            "Tisches die Analyse.",
        ),
        asks("GET", "/review"),
    ),
    Case(
        Said(
            "no-such-session",
            404,
            "No such session",
            "There is no such session: it never existed, was deleted, or expired because "
            "nobody acted in it before expires_at.",
            "Keine solche Sitzung",
            "Diese Sitzung gibt es nicht: Es gab sie nie, sie wurde gelöscht, oder sie "
            "ist verfallen, weil vor expires_at niemand etwas getan hat.",
        ),
        request("GET", f"{PATH}/{0:022}", Authorization="Bearer any"),
    ),
    Case(
        Said(
            "no-review",
            404,
            "No review",
            "There are no reviews of this game: only score cards have them.",
            "Keine Analyse",
            "Für dieses Spiel gibt es keine Analysen: nur für Spiele mit Zettel.",
        ),
        asks("GET", "/review", variant="poker-dice"),
    ),
    Case(
        Said(
            "advice-not-agreed",
            409,
            "Advice not agreed",
            "This session was created without advice. Only the request that creates a "
            'session can ask for it: "advice": true.',
            "Rat nicht vereinbart",
            "Diese Sitzung wurde ohne Rat erstellt. Nur die Anfrage, die eine Sitzung "
            'erstellt, kann darum bitten: "advice": true.',
        ),
        asks("GET", "/advice"),
    ),
    Case(
        Said(
            "nothing-to-decide",
            409,
            "Nothing to decide",
            "There is nothing to advise on now: nobody has to decide on dice that this "
            "token may see.",
            "Nichts zu entscheiden",
            "Gerade gibt es keinen Rat zu geben: Niemand muss über Würfel entscheiden, die "
            "dieses Token sehen darf.",
        ),
        asks("GET", "/advice", variant="poker-dice"),
    ),
    Case(
        Said(
            "no-advice-here",
            409,
            "No advice here",
            "There is no advice or forecast for this position: /players_after must be a whole "
            "number between 0 and 19.",
            "Kein Rat für diese Stellung",
            "Zu dieser Stellung gibt es weder Rat noch Prognose: /players_after muss eine ganze "
            "Zahl zwischen 0 und 19 sein.",
            {},
            [
                (
                    {
                        "pointer": "/players_after",
                        "code": "out_of_range",
                        "minimum": 0,
                        "maximum": 19,
                        "whole": True,
                    },
                    "must be a whole number between 0 and 19",
                    "muss eine ganze Zahl zwischen 0 und 19 sein",
                )
            ],
        ),
        with_later_players,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.said.code)
def test_cause(service: Service, case: Case) -> None:
    """A request for what a token may not have, or what there isn't, gets a problem that says so."""
    case.check(service)
