"""What a worker says if it refuses a request for the sake of others: the bodies in both languages.

That it refuses them is tested where many clients ask at once, in tests/faults.
"""

from __future__ import annotations

import pytest

from service.worker.refusal import Refusal, refusal_response
from tests.api.causes import LANGUAGE, LANGUAGES, Said
from tests.live import Reply
from tests.worker.raw import EVALUATE, post
from tests.worker.requests import HOOKS, parsed

SAID = [
    Said(
        "overtaken",
        408,
        "Overtaken",
        "Other requests were waiting, and this one took more than 10 seconds.",
        "Überholt",
        "Andere Anfragen warteten, und diese dauerte mehr als 10 Sekunden.",
        {"seconds": 10},
    ),
    Said(
        "in-excess",
        408,
        "In excess",
        "Another client was waiting, and yours sends many large requests at once. Send it again.",
        "Zu viele große Anfragen",
        "Ein anderer Client wartete, und deiner sendet viele große Anfragen auf einmal. Sende sie "
        "noch einmal.",
    ),
    Said(
        "bodies-too-large",
        408,
        "Bodies too large",
        "Large bodies took up more than 192 MiB in all, and this one the most: 66060287 bytes had "
        "arrived. Send it again later, or in smaller parts.",
        "Inhalte zu groß",
        "Große Inhalte belegten zusammen mehr als 192 MiB, und dieser am meisten: 66060287 Bytes "
        "waren angekommen. Sende ihn später noch einmal oder in kleineren Teilen.",
        {"limit": 192, "count": 66_060_287},
    ),
]


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.code)
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusal(said: Said, language: str) -> None:
    """The problem says why others come first."""
    refusal = Refusal(said.code, **said.members)
    request = parsed(post(b"{}", f"{LANGUAGE}: {language}"))
    made = refusal_response(refusal, request, HOOKS)
    said.check_reply(Reply(int(made.status[:3]), dict(made.headers), made.body), EVALUATE, language)
