"""Problems of bodies: all that they say, in English and German."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest

from tests.api.batch.batching import ARROW, NDJSON, POKER_DICE, batch
from tests.api.causes import Ask, Case, Said, request
from tests.live import JSON, Service
from tests.worker.raw import BODY, EVALUATE

CROSSWORDS = batch("roll-a-royal")
HARD = [[*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]]
"""A turn whose search takes thousands of steps."""


def batched(
    body: bytes, media_type: str = JSON, path: str = POKER_DICE, **headers: str
) -> Callable[[Service], tuple[Ask, str]]:
    """A batch."""
    return request("POST", path, body, Content_Type=media_type, **headers)


CASES = [
    Case(
        Said(
            "invalid",
            422,
            "Invalid",
            "/dice/4 must be between 1 and 6.",
            "Ungültig",
            "/dice/4 muss zwischen 1 und 6 sein.",
            {},
            [
                (
                    {"pointer": "/dice/4", "code": "out_of_range", "minimum": 1, "maximum": 6},
                    "must be between 1 and 6",
                    "muss zwischen 1 und 6 sein",
                )
            ],
        ),
        request("POST", EVALUATE, b'{"dice":[1,2,3,4,7]}', Content_Type=JSON),
    ),
    Case(
        Said(
            "invalid",
            422,
            "Invalid",
            "2 violations; the first: /dice is missing.",
            "Ungültig",
            "2 Verstöße; der erste: /dice fehlt.",
            {"count": 2},
            [
                ({"pointer": "/dice", "code": "missing"}, "is missing", "fehlt"),
                (
                    {
                        "pointer": "/dices",
                        "code": "unknown_field",
                        "allowed": ["dice", "house_rules"],
                    },
                    "is not a known field; the fields are dice, house_rules",
                    "ist kein bekanntes Feld; die Felder sind dice, house_rules",
                ),
            ],
        ),
        request("POST", EVALUATE, b'{"dices":[1]}', Content_Type=JSON),
    ),
    Case(
        Said(
            "invalid",
            422,
            "Invalid",
            "The body must be an object.",
            "Ungültig",
            "Der Inhalt muss ein Objekt sein.",
            {},
            [
                (
                    {"pointer": "", "code": "not_an_object"},
                    "must be an object",
                    "muss ein Objekt sein",
                )
            ],
        ),
        request("POST", EVALUATE, b"[]", Content_Type=JSON),
    ),
    Case(
        Said(
            "not-json",
            400,
            "Not JSON",
            "The body is not valid JSON: Expecting property name enclosed in double "
            "quotes, at line 1, column 2.",
            "Kein JSON",
            "Der Inhalt ist kein gültiges JSON: Expecting property name enclosed in "
            "double quotes, at line 1, column 2.",
            {"message": "Expecting property name enclosed in double quotes, at line 1, column 2"},
        ),
        request("POST", EVALUATE, b"{", Content_Type=JSON),
    ),
    Case(
        Said(
            "too-large",
            413,
            "Too large",
            "The body may hold at most 1048576 bytes.",
            "Zu groß",
            "Der Inhalt darf höchstens 1048576 Bytes haben.",
            {"limit": 1048576},
        ),
        request("POST", EVALUATE, b" " * (2**20 + 1), Content_Type=JSON),
    ),
    Case(
        Said(
            "unknown-encoding",
            415,
            "Unknown encoding",
            "The body must be uncompressed or a gzip; Content-Encoding is br.",
            "Unbekannte Kodierung",
            "Der Inhalt muss unkomprimiert oder ein gzip sein; Content-Encoding ist br.",
            {"sent": "br"},
        ),
        batched(BODY, Content_Encoding="br"),
    ),
    Case(
        Said(
            "line-not-json",
            400,
            "Line not JSON",
            "The line is not valid JSON: Expecting property name enclosed in double "
            "quotes, at line 1, column 2.",
            "Zeile ist kein JSON",
            "Die Zeile ist kein gültiges JSON: Expecting property name enclosed in "
            "double quotes, at line 1, column 2.",
            {
                "message": "Expecting property name enclosed in double quotes, at line 1, column 2",
                "line": 1,
            },
        ),
        batched(b"{\n", NDJSON),
    ),
    Case(
        Said(
            "not-a-gzip",
            400,
            "Not a gzip",
            "The body is not a valid gzip, although Content-Encoding says so.",
            "Kein gzip",
            "Der Inhalt ist kein gültiges gzip, obwohl Content-Encoding das sagt.",
        ),
        batched(b"{}" * 40, Content_Encoding="gzip"),
    ),
    Case(
        Said(
            "gzip-ended",
            400,
            "Gzip ended",
            "The body ended within its gzip.",
            "Gzip abgebrochen",
            "Der Inhalt endete mitten im gzip.",
        ),
        batched(gzip.compress(b"{}")[:-4], Content_Encoding="gzip"),
    ),
    Case(
        Said(
            "behind-gzip",
            400,
            "Behind gzip",
            "The body must be one gzip member, with nothing after it.",
            "Etwas hinter dem gzip",
            "Der Inhalt muss ein einziges gzip sein, mit nichts dahinter.",
        ),
        batched(gzip.compress(b"{}") * 2, Content_Encoding="gzip"),
    ),
    Case(
        Said(
            "not-arrow",
            400,
            "Not Arrow",
            "The body is not an Arrow stream of hands: it ends within a message.",
            "Kein Arrow",
            "Der Inhalt ist kein Arrow-Stream von Händen: it ends within a message.",
            {"message": "it ends within a message"},
        ),
        batched(b"{}", ARROW),
    ),
    Case(
        Said(
            "rest-too-large",
            413,
            "Rest too large",
            "Apart from the hands, the body may have at most 65536 bytes.",
            "Rest zu groß",
            "Ohne die Hände darf der Inhalt höchstens 65536 Bytes haben.",
            {"limit": 65536},
        ),
        batched(b'{"hands":[],"house_rules":"%s"}' % (b"x" * 70_000)),
    ),
    Case(
        Said(
            "line-too-large",
            413,
            "Line too large",
            "A line may hold at most 1048576 bytes.",
            "Zeile zu groß",
            "Eine Zeile darf höchstens 1048576 Bytes haben.",
            {"limit": 1048576, "line": 1},
        ),
        batched(b" " * (2**20 + 1), NDJSON),
    ),
    Case(
        Said(
            "too-many-hands",
            413,
            "Too many hands",
            "One request may hold at most 1000000 hands.",
            "Zu viele Hände",
            "Eine Anfrage darf höchstens 1000000 Hände enthalten.",
            {"limit": 1000000},
        ),
        batched(b'{"hands":[' + b"[1,1,1,1,1]," * 1_000_000 + b"[1,1,1,1,1]]}"),
    ),
    Case(
        Said(
            "too-much-work",
            413,
            "Too much work",
            "The searches of one request may take 100000 steps, and those of the first 9 "
            "hands used them up. Send these hands in one request, and those from "
            "/hands/9 on in another.",
            "Zu viel Arbeit",
            "Die Suchen einer Anfrage dürfen 100000 Schritte brauchen, und die der "
            "ersten 9 Hände haben sie verbraucht. Sende diese Hände in einer Anfrage und "
            "die von /hands/9 an in einer anderen.",
            {"limit": 100000, "count": 9, "other": "/hands/9"},
        ),
        batched(json.dumps({"hands": [HARD] * 40}).encode(), path=CROSSWORDS),
    ),
    Case(
        Said(
            "lines-too-much-work",
            413,
            "Lines too much work",
            "The batch ends here, after 9 lines: all lines of a request may take 100000 "
            "steps, and those lines used them up. Send this line and those after it in "
            "another request.",
            "Zu viel Arbeit für die Zeilen",
            "Der Stapel endet hier nach 9 Zeilen: Alle Zeilen einer Anfrage dürfen "
            "zusammen 100000 Schritte brauchen, und diese haben sie verbraucht. Sende "
            "diese Zeile und die danach in einer anderen Anfrage.",
            {"limit": 100000, "count": 9, "line": 10},
        ),
        batched((json.dumps({"rolls": HARD}).encode() + b"\n") * 40, NDJSON, CROSSWORDS),
    ),
    Case(
        Said(
            "too-many-failed",
            422,
            "Too many failed",
            "The batch ends here: 1001 of the first 1001 lines failed, and a request may "
            "have at most 1000 such lines. Correct them, and send this line and those "
            "after it in another request.",
            "Zu viele fehlgeschlagen",
            "Der Stapel endet hier: 1001 der ersten 1001 Zeilen sind fehlgeschlagen, und "
            "eine Anfrage darf höchstens 1000 solche Zeilen haben. Korrigiere sie, und "
            "sende diese Zeile und die danach in einer anderen Anfrage.",
            {"limit": 1000, "failed": 1001, "count": 1001, "line": 1001},
        ),
        batched(b"\n" * 1001, NDJSON),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.said.code)
def test_cause(service: Service, case: Case) -> None:
    """A body that the service can't take gets a problem that says why."""
    case.check(service)
