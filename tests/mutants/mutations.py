"""The mutations of a module, by the operators of cosmic-ray."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutation:
    """One change to a file: the `occurrence` of what an operator of cosmic-ray can change."""

    path: str
    line: int
    operator: str
    occurrence: int

    def apply(self, source: str) -> str:
        """The changed source."""
        changed: str = mutate_code(source, get_operator(self.operator)(), self.occurrence)
        return changed

    def shown(self, source: str) -> str:
        """The first line that differs, before and after."""
        lines = zip(source.splitlines(), self.apply(source).splitlines(), strict=False)
        for before, after in lines:
            if before != after:
                return f"{before.strip()} -> {after.strip()}"
        return f"{source.splitlines()[self.line - 1].strip()} -> (removed)"


def mutations(path: Path, name: str, seed: int) -> Iterator[Mutation]:
    """One mutation for each operator or number that can be changed.

    cosmic-ray replaces `+` by each of eleven operators. A test that notices one of these changes
    usually notices all, so one is drawn. What `_left_out` lists isn't changed,
    nor what `_unpacks`, nor exceptions that it can't change.
    """
    source = path.read_text()
    nodes = list(ast_nodes(get_ast(source)))
    left_out = list(_left_out(source))
    left_out += [
        (node.start_pos, node.end_pos) for node in nodes if _unpacks(node) or _dotted(node)
    ]
    found: dict[tuple[str, Position], list[Mutation]] = {}
    for operator in sorted(operator_names()):
        if operator == "core/NoOp" or get_operator(operator).arguments():
            continue
        changes = get_operator(operator)()
        positions = [each for node in nodes for each in changes.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(positions):
            if not any(first <= start < last for first, last in left_out):
                family = re.sub(r"_\w+", "", operator)
                mutation = Mutation(name, start[0], operator, occurrence)
                found.setdefault((family, start), []).append(mutation)
    rng = Random(f"{seed} {name}")
    for _, alike in sorted(found.items()):
        yield rng.choice(alike)


def _left_out(source: str) -> Iterator[tuple[Position, Position]]:
    """Where a change has no effect that a test could or should notice.

    - Nothing evaluates annotations.
    - Examples of requests are part of the contract: `make check` notices every change there.
    - `strict` of `zip`, `frozen`, `slots` and `kw_only` of `dataclass` only refuse mistakes in this
      code.
    - Without `cache` a result is the same, only later.
    """
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            parts += [node.returns, *(each for each in node.decorator_list if _caches(each))]
        elif (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Example") or (
            isinstance(node, ast.keyword) and node.arg in ("strict", "frozen", "slots", "kw_only")
        ):
            parts.append(node)
        for part in parts:
            if isinstance(part, ast.expr | ast.keyword):
                assert part.end_lineno is not None
                assert part.end_col_offset is not None
                # A decorator begins with the @ before it.
                yield (
                    (part.lineno, max(part.col_offset - 1, 0)),
                    (part.end_lineno, part.end_col_offset),
                )


def _unpacks(node: Any) -> bool:
    """Whether it is a star that cosmic-ray takes for an operator: `f(*, a)`, `{**a}`.

    Its changes of the first do nothing, and those of the second are no Python.
    """
    return node.type == "operator" and node.parent.type in ("parameters", "dictorsetmaker")


def _dotted(node: Any) -> bool:
    """Whether it is an exception such as `redis.TimeoutError` that a clause catches.

    cosmic-ray can replace only names, and fails at others.
    """
    if node.type not in ("power", "atom_expr"):
        return False
    parent = node.parent
    while parent.type in ("testlist_comp", "atom"):  # one of several
        parent = parent.parent
    return bool(parent.type == "except_clause")


def _caches(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in ("cache", "lru_cache")
