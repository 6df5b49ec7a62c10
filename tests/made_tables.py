"""The tables of the docs that are made from the code: `python -m tests.made_tables`.

Each table stands between `<!-- name: make docs -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from string import Formatter
from typing import Any

from service.metrics.declared import declared
from service.rules.reasons import Reason
from service.settings import Settings
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


class _Shown(Formatter):
    """Shows a template: each value as its name in braces, and many of what is counted."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        del args, kwargs
        return str(key)

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.partition("|")[2]
        return f" ({{{value}}})" if format_spec == "cited" else f"{{{value}}}"


def reasons_table() -> list[list[str]]:
    """Every code of a reason, and its text."""
    rows = [[f"`{reason.code}`", _Shown().format(reason.value)] for reason in Reason]
    return [["decided_by", "text"], *rows]


TABLES: dict[str, Callable[[], list[list[str]]]] = {
    "settings": settings_table,
    "metrics": metrics_table,
    "reasons": reasons_table,
}
"""The tables by name: rows of cells, of which the first is the head."""

PAGES = {
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
