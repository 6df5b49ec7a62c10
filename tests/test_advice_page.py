"""The requests of `docs/advice.md`, answered exactly as it prints them."""

from __future__ import annotations

from tests.from_outside import printed_requests
from tests.live import ROOT, Service

PAGE = ROOT / "docs" / "advice.md"


def test_requests_are_answered_as_printed(service: Service) -> None:
    """Each curl command of the page gets the answer that stands below it, byte for byte."""
    requests = printed_requests(PAGE)
    assert len(requests) == PAGE.read_text().count(" curl -s ")
    for printed in requests:
        reply = service.ask("POST", printed.path, printed.body, printed.headers)
        assert reply.body.decode().rstrip("\n") == printed.answer
