"""What a client sends can't end its line in a log, or one of its fields."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.parsers.log_lines import check

NAMES = (
    *("X-Request-ID", "traceparent", "tracestate", "baggage", "User-Agent", "Referer", "Cookie"),
    *("X-Forwarded-For", "Authorization", "Origin", "Host", "Idempotency-Key", "X-%(a)s"),
)
TRACE = "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-"

values = st.text(
    st.sampled_from('"\\{}[],:%()su \t0aé\x7f\x80\x85\x9b\xa0\xff')
    | st.characters(max_codepoint=255)
)
headers = st.lists(st.tuples(st.sampled_from(NAMES), values | values.map(TRACE.__add__)))


@given(st.sampled_from(["GET", 'G"T', "\x1b"]), values, headers)
@settings(deadline=None)
def test_any_header(method: str, target: str, sent: list[tuple[str, str]]) -> None:
    """The lines of a request have what was sent, whatever its first line and its headers are."""
    lines = (f"{method} /{target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent))
    check("\r\n".join(lines).encode("latin-1"))
