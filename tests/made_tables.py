"""The tables and lists of the docs that are made from the code: `python -m tests.made_tables`.

Each one stands between `<!-- name: make docs -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import chain

from service.api.http.causes import Cause, Staleness
from service.metrics.declared import declared
from service.rules.breaches import Breach, TooMuch
from service.rules.reasons import Reason
from service.rules.sentences import Wording, names_in, outline
from service.settings import Settings
from service.tables import NotYet
from tests.live import ROOT

_TABLE = re.compile(r"(<!-- (\w+): make docs -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def settings_table() -> str:
    """Every environment variable, its default, the numbers it may be, and its meaning."""
    rows = []
    for setting in fields(Settings):
        limits = [str(setting.metadata.get(name, "")) for name in ("minimum", "maximum")]
        default = "" if setting.default == "" else f"`{setting.default}`"
        rows.append([f"`{setting.name.upper()}`", default, *limits, setting.metadata["meaning"]])
    return _table(["variable", "default", "from", "to", "meaning"], rows)


def metrics_table() -> str:
    """Every metric, its kind, its labels, and its meaning."""
    rows = []
    for each in declared():
        labels = ", ".join(f"`{label}`" for label in each.labels)
        rows.append([f"`{each.name}`", each.kind, labels, each.meaning])
    return _table(["metric", "kind", "labels", "meaning"], rows)


def reasons_list() -> str:
    """Every code of a reason, and its values; `service.rules.reasons` has the texts."""
    return _codes(Reason)


def problems_list() -> str:
    """For every status, the codes of its problems, each with its members: `errors` where its text
    is about the first one. The pages of the service have the texts
    (`service.api.http.problem_pages`).
    """
    codes: dict[int, list[str]] = {}
    for cause in Cause:
        members = "`errors`" if "{pointer}" in cause.template else _values(cause.template)
        code = f"`{cause.code}` ({members})" if members else f"`{cause.code}`"
        codes.setdefault(int(cause.status), []).append(code)
    return "".join(f"- {status}: {', '.join(codes[status])}\n" for status in sorted(codes))


def violations_list() -> str:
    """Every code of a violation, and its values; the page `/problems/invalid` has the texts."""
    return _codes(Breach)


def whys_list() -> str:
    """Every further code of a problem, and its text."""
    wordings = chain[Wording](Staleness, NotYet, TooMuch)
    return "".join(f"- `{each.code}`: {outline(each.value)}\n" for each in wordings)


TABLES: dict[str, Callable[[], str]] = {
    "settings": settings_table,
    "metrics": metrics_table,
    "problems": problems_list,
    "reasons": reasons_list,
    "violations": violations_list,
    "whys": whys_list,
}
"""The tables and lists by name, in Markdown."""

PAGES = {
    ROOT / "docs" / "errors.md": ["problems", "whys", "violations"],
    ROOT / "docs" / "operations.md": ["settings", "metrics"],
    ROOT / "docs" / "reasons.md": ["reasons"],
}
"""The tables of each page, in order."""


def with_tables(page: str) -> str:
    """`page` with each table as the code has it now."""
    return _TABLE.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}{found[4]}", page)


def _table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _codes(wordings: Iterable[Wording]) -> str:
    """The codes without values, then each other one with its values."""
    values = {f"`{each.code}`": _values(each.value) for each in wordings}
    bare = ", ".join(code for code, names in values.items() if not names)
    items = (f"- {code}: {names}\n" for code, names in values.items() if names)
    return f"- {bare}\n{''.join(items)}"


def _values(template: str) -> str:
    return ", ".join(f"`{name}`" for name in names_in(template))


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_tables(page.read_text()))
