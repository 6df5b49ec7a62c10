"""The pages of docs/ that are made from the tables of the service.

python -m tests.made_tables    writes them (make docs)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from service.api.http.causes import Cause
from service.rules.breaches import Breach
from service.rules.sentences import Wording, outline

DOCS = Path(__file__).parents[1] / "docs"

ERRORS = """\
# Errors

Every error is `application/problem+json` (RFC 9457). Its `type` is `/problems/` and a code, one
for each cause. That path is a page of the service that says what it means and what to do. Codes and
the names of values never change within `/v1`; texts may, and they come in the language that
`Accept-Language` prefers (English or German). So decide by codes, and show texts.

```json
{{"type": "/problems/invalid", "title": "Invalid", "status": 422,
 "detail": "/dice/3 must be between 1 and 6.", "instance": "/v1/variants/poker-dice/evaluate",
 "errors": [{{"pointer": "/dice/3", "code": "out_of_range", "minimum": 1, "maximum": 6,
             "detail": "must be between 1 and 6"}}]}}
```

The values in a text are members beside its code; braces mark them in the tables below. `why` is a
further code, with values of its own beside it, or what a parser says.

## Problems

{problems}

## Violations

A problem with the status 422 has `errors`: every violation with a JSON pointer (RFC 6901), a code
and its values.

{violations}
"""


def pages() -> dict[Path, str]:
    """Every page that is made, and its text."""
    problems = [
        (f"`{cause.code}`", str(int(cause.status)), _text(cause.template), cause.remedy)
        for cause in Cause
    ]
    return {
        DOCS / "errors.md": ERRORS.format(
            problems=_table(("Code", "Status", "Text", "What to do"), problems),
            violations=_table(("Code", "Text"), _codes(Breach)),
        )
    }


def _codes(table: type[Wording]) -> Iterable[Sequence[str]]:
    return [(f"`{wording.code}`", _text(wording.value)) for wording in table]


def _text(template: str) -> str:
    return outline(template).replace("|", "\\|")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text)
