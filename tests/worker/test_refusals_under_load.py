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
    (
        Said(
            "overtaken", 408, "Other requests were waiting, and this one took more than 10 seconds."
        ),
        {"seconds": 10},
    ),
    (
        Said(
            "in-excess",
            408,
            "Another client was waiting, and yours sends many large requests at once. Send it "
            "again.",
        ),
        {},
    ),
    (
        Said(
            "bodies-too-large",
            408,
            "Large bodies took up more than 192 MiB in all, and this one the most: 66060287 bytes "
            "had arrived. Send it again later, or in smaller parts.",
        ),
        {"limit": 192, "count": 66_060_287},
    ),
]


@pytest.mark.parametrize(("said", "values"), SAID, ids=lambda said: getattr(said, "code", ""))
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusal(said: Said, values: dict[str, int], language: str) -> None:
    """The problem says why others come first."""
    refusal = Refusal(said.code, **values)
    request = parsed(post(b"{}", f"{LANGUAGE}: {language}"))
    made = refusal_response(refusal, request, HOOKS)
    said.check_reply(Reply(int(made.status[:3]), dict(made.headers), made.body), EVALUATE, language)
