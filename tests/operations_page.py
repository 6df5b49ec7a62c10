"""The tables of docs/operations.md that are made from the code: `python -m tests.operations_page`.

Each table stands between `<!-- name: make docs -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields

from service.metrics.declared import declared
from service.settings import Settings
from tests.live import ROOT

PAGE = ROOT / "docs" / "operations.md"
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


TABLES: dict[str, Callable[[], list[list[str]]]] = {
    "settings": settings_table,
    "metrics": metrics_table,
}
"""The tables by name: rows of cells, of which the first is the head."""


def with_tables(page: str) -> str:
    """`page` with each table as the code has it now."""
    return _TABLE.sub(lambda found: f"{found[1]}{_markdown(TABLES[found[2]]())}{found[4]}", page)


def _markdown(rows: Iterable[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
