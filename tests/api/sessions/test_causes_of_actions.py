"""Problems of actions, conditions and keys: their bodies in both languages."""

from __future__ import annotations

import pytest

from tests.api.causes import Case, Said
from tests.api.sessions.causing import (
    CHANCE,
    ROLL,
    acts,
    creates,
    goes_on,
    of_a_deleted_session,
    used_otherwise,
    without,
)
from tests.api.sessions.playing import TABLE
from tests.live import Service

ACTIONS = [
    {"action": "roll", "player": "ann"},
    {"action": "leave", "player": "ann"},
    {"action": "leave", "player": "ben"},
]
"""What is legal in the first version."""

CASES = [
    Case(
        Said(
            "illegal-action",
            422,
            "Illegal action",
            "/action must be roll or leave now.",
            "Aktion nicht erlaubt",
            "/action muss jetzt roll oder leave sein.",
            {"actions": ACTIONS},
            [
                (
                    {"pointer": "/action", "code": "illegal_action", "allowed": ["roll", "leave"]},
                    "must be roll or leave now",
                    "muss jetzt roll oder leave sein",
                )
            ],
        ),
        acts({"action": "fold"}),
    ),
    Case(
        Said(
            "illegal-action",
            422,
            "Illegal action",
            "/player can't roll now; only ann can.",
            "Aktion nicht erlaubt",
            "/player ist nicht am Zug: Die Aktion roll kann jetzt nur ann ausführen.",
            {"actions": ACTIONS},
            [
                (
                    {
                        "pointer": "/player",
                        "code": "not_your_turn",
                        "action": "roll",
                        "allowed": ["ann"],
                    },
                    "can't roll now; only ann can",
                    "ist nicht am Zug: Die Aktion roll kann jetzt nur ann ausführen",
                )
            ],
        ),
        acts({**ROLL, "player": "ben"}, TABLE),
    ),
    Case(
        Said(
            "not-your-turn",
            403,
            "Not your turn",
            "The token belongs to ben, but only ann can act now.",
            "Nicht am Zug",
            "Das Token gehört ben, aber jetzt ist nur ann am Zug.",
            {"owner": "ben", "allowed": ["ann"]},
        ),
        acts(ROLL, "ben"),
    ),
    Case(
        Said(
            "no-version",
            428,
            "No version",
            "If-Match must name the version that this action is for, by its number in "
            'quotes: If-Match: "7".',
            "Keine Version",
            "If-Match muss die Version, für die diese Aktion gilt, mit ihrer Nummer in "
            'Anführungszeichen nennen: If-Match: "7".',
        ),
        without("If-Match"),
    ),
    Case(
        Said(
            "stale-version",
            412,
            "Stale version",
            "The session is at version 2, which If-Match doesn't name; read it again and "
            "decide again.",
            "Veraltete Version",
            "Die Sitzung ist bei Version 2, die If-Match nicht nennt; lies sie noch "
            "einmal und entscheide neu.",
            {"version": 2, "why": "not_named"},
        ),
        goes_on(ROLL, If_Match='"1"'),
    ),
    Case(
        Said(
            "stale-version",
            412,
            "Stale version",
            "The session is at version 2, which If-None-Match names; read it again and "
            "decide again.",
            "Veraltete Version",
            "Die Sitzung ist bei Version 2, die If-None-Match nennt; lies sie noch "
            "einmal und entscheide neu.",
            {"version": 2, "why": "named_by_none_match"},
        ),
        goes_on(ROLL, If_None_Match="{tag}"),
    ),
    Case(
        Said(
            "stale-version",
            412,
            "Stale version",
            "The session is at version 2, and If-Match names only later ones; read it "
            "again and decide again.",
            "Veraltete Version",
            "Die Sitzung ist bei Version 2, und If-Match nennt nur spätere; lies sie "
            "noch einmal und entscheide neu.",
            {"version": 2, "why": "older"},
        ),
        goes_on(ROLL, If_Match='"9"'),
    ),
    Case(
        Said(
            "stale-version",
            412,
            "Stale version",
            "The session is at version 2, but not in the state that If-Match names, "
            "which may have been lost; read it again and decide again.",
            "Veraltete Version",
            "Die Sitzung ist bei Version 2, aber nicht in dem Zustand, den If-Match "
            "nennt und der verloren sein kann; lies sie noch einmal und entscheide neu.",
            {"version": 2, "why": "replaced"},
        ),
        goes_on(ROLL, If_Match='"2-00000000"'),
    ),
    Case(
        Said(
            "stale-version",
            412,
            "Stale version",
            "The session is at version 2, and If-Match names none: send the number in "
            'quotes, "2", or the ETag as the service sent it, which a proxy that '
            "compresses changes; read it again and decide again.",
            "Veraltete Version",
            "Die Sitzung ist bei Version 2, und If-Match nennt keine: Sende die Nummer "
            'in Anführungszeichen, "2", oder das ETag so, wie der Dienst es gesendet '
            "hat; ein komprimierender Proxy verändert es; lies sie noch einmal und "
            "entscheide neu.",
            {"version": 2, "why": "malformed"},
        ),
        goes_on(ROLL, If_Match="2"),
    ),
    Case(
        Said(
            "no-session-yet",
            412,
            "No session yet",
            "There is no session yet that If-Match could name; nothing was done. Leave "
            "the header out.",
            "Noch keine Sitzung",
            "Es gibt noch keine Sitzung, die If-Match nennen könnte; es wurde nichts "
            "getan. Lass den Header weg.",
        ),
        creates(If_Match="*"),
    ),
    Case(
        Said(
            "bad-key",
            400,
            "Bad key",
            "Idempotency-Key must be one value of 1 to 255 visible ASCII characters.",
            "Ungültiger Schlüssel",
            "Idempotency-Key muss ein Wert aus 1 bis 255 sichtbaren ASCII-Zeichen sein.",
            {"minimum": 1, "maximum": 255},
        ),
        acts(ROLL, Idempotency_Key="two words"),
    ),
    Case(
        Said(
            "short-key",
            400,
            "Short key",
            "Idempotency-Key must be one value of 16 to 255 visible ASCII characters, "
            "such as a random UUID: whoever repeats the request gets the tokens.",
            "Schlüssel zu kurz",
            "Idempotency-Key muss ein Wert aus 16 bis 255 sichtbaren ASCII-Zeichen sein, "
            "zum Beispiel eine zufällige UUID: Wer die Anfrage wiederholt, bekommt die "
            "Token.",
            {"minimum": 16, "maximum": 255},
        ),
        creates(Idempotency_Key="too-short"),
    ),
    Case(
        Said(
            "key-used-otherwise",
            409,
            "Key used otherwise",
            "This Idempotency-Key was used for another action of this session; nothing "
            "was done. Use a new key for each action.",
            "Schlüssel anders benutzt",
            "Dieser Idempotency-Key wurde für eine andere Aktion dieser Sitzung benutzt; "
            "es wurde nichts getan. Nimm für jede Aktion einen neuen.",
        ),
        goes_on(CHANCE, Idempotency_Key="k"),
    ),
    Case(
        Said(
            "key-used-with-other-body",
            409,
            "Key used with other body",
            "This Idempotency-Key was used with another body; nothing was done. Use a "
            "new key for each session, such as a random UUID.",
            "Schlüssel mit anderem Inhalt benutzt",
            "Dieser Idempotency-Key wurde mit einem anderen Inhalt benutzt; es wurde "
            "nichts getan. Nimm für jede Sitzung einen neuen, zum Beispiel eine "
            "zufällige UUID.",
        ),
        used_otherwise,
    ),
    Case(
        Said(
            "created-session-gone",
            409,
            "Created session gone",
            "The session that this Idempotency-Key created was deleted or has expired; "
            "nothing was done. Use a new key for each session, such as a random UUID.",
            "Erstellte Sitzung ist weg",
            "Die Sitzung, die mit diesem Idempotency-Key erstellt wurde, ist gelöscht "
            "oder verfallen; es wurde nichts getan. Nimm für jede Sitzung einen neuen, "
            "zum Beispiel eine zufällige UUID.",
        ),
        of_a_deleted_session,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.said.code)
def test_cause(service: Service, case: Case) -> None:
    """An action or a new session that is refused says why, and what to do instead."""
    case.check(service)
