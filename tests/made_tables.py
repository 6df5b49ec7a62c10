"""The tables of the docs that are made from the code: `python -m tests.made_tables`.

Each table stands between `<!-- name: make docs -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields

from service.api.http.causes import Cause, Staleness
from service.metrics.declared import declared
from service.rules.breaches import Breach, TooMuch
from service.rules.reasons import Reason
from service.rules.sentences import Wording, outline
from service.settings import Settings
from service.tables import NotYet
from tests.live import ROOT

_TABLE = re.compile(r"(<!-- (\w+): make docs -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def settings_table() -> list[list[str]]:
    """Every environment variable, its default, the numbers it may be, and its meaning."""
    rows = [["variable", "default", "from", "to", "meaning"]]
    for setting in fields(Settings):
        limits = [str(setting.metadata.get(name, "")) for name in ("minimum", "maximum")]
        default = "" if setting.default == "" else f"`{setting.default}`"
        rows.append([f"`{setting.name.upper()}`", default, *limits, setting.metadata["meaning"]])
    return rows


def metrics_table() -> list[list[str]]:
    """Every metric, its kind, its labels, and its meaning."""
    rows = [["metric", "kind", "labels", "meaning"]]
    for each in declared():
        labels = ", ".join(f"`{label}`" for label in each.labels)
        rows.append([f"`{each.name}`", each.kind, labels, each.meaning])
    return rows


def reasons_table() -> list[list[str]]:
    """Every code of a reason, and its text."""
    rows = [[f"`{reason.code}`", outline(reason.value)] for reason in Reason]
    return [["decided_by", "text"], *rows]


def problems_table() -> list[list[str]]:
    """Every code of a problem, its status, its text, and what to do."""
    rows = [["code", "status", "text", "what to do"]]
    for cause in Cause:
        text = outline(cause.template)
        rows.append([f"`{cause.code}`", str(int(cause.status)), text, cause.remedy])
    return rows


def violations_table() -> list[list[str]]:
    """Every code of a violation, and its text."""
    return [["code", "text"], *([f"`{each.code}`", outline(each.value)] for each in Breach)]


def whys_table() -> list[list[str]]:
    """Every further code of a problem, and its text."""
    tables: list[type[Wording]] = [Staleness, NotYet, TooMuch]
    found = [each for table in tables for each in table]
    return [["why", "text"], *([f"`{each.code}`", outline(each.value)] for each in found)]


TABLES: dict[str, Callable[[], list[list[str]]]] = {
    "settings": settings_table,
    "metrics": metrics_table,
    "problems": problems_table,
    "reasons": reasons_table,
    "violations": violations_table,
    "whys": whys_table,
}
"""The tables by name: rows of cells, of which the first is the head."""

PAGES = {
    ROOT / "docs" / "errors.md": ["problems", "whys", "violations"],
    ROOT / "docs" / "operations.md": ["settings", "metrics"],
    ROOT / "docs" / "reasons.md": ["reasons"],
}
"""The tables of each page, in order."""


def with_tables(page: str) -> str:
    """`page` with each table as the code has it now."""
    return _TABLE.sub(lambda found: f"{found[1]}{_markdown(TABLES[found[2]]())}{found[4]}", page)


def _markdown(rows: Iterable[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_tables(page.read_text()))
