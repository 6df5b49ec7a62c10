"""What a client sends can't end its line in a log, or one of its fields."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.parsers.log_lines import check

NAMES = (
    *("X-Request-ID", "tracestate", "baggage", "User-Agent", "Referer", "Cookie", "Host"),
    *("X-Forwarded-For", "Authorization", "Origin", "Idempotency-Key", "X-%(a)s"),
)

hostile = '"\\{}[],:%()su'
values = st.text(
    st.sampled_from(f"{hostile} \t0aé\x7f\x80\x85\x9b\xa0\xff") | st.characters(max_codepoint=255)
)
headers = st.lists(st.tuples(st.sampled_from(NAMES), values))
traces = st.text(hostile, min_size=1).map(
    "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-".__add__
)


@given(st.sampled_from(["GET", 'G"T', "\x1b"]), values, traces, headers)
@settings(deadline=None)
def test_any_header(method: str, target: str, trace: str, sent: list[tuple[str, str]]) -> None:
    """The lines of a request have what was sent, whatever its first line and its headers are."""
    named = (f"{name}: {value}" for name, value in (("traceparent", trace), *sent))
    check("\r\n".join((f"{method} /{target} HTTP/1.1", *named)).encode("latin-1"))
