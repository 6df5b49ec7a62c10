"""Violations of the rules in the valid fields of a request, found without the whole response."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from typing import Any, NoReturn

import pytest

from service.api.operations.registry import operations
from service.kinds.layout.variant import Layout
from service.rules.violations import InvalidInput
from service.variants import variants

OPERATIONS = {
    (operation.variant.id, operation.name): operation
    for operation in operations(variants().values())
}

TWICE = ["As", "As", "4d", "6h", "8c", "Ts", "Qd", "9c", "9h", "--", "--", "2c", "Kh"]
FULL_FIVES = {"five_of_a_kind": 0, "extra_fives": 2}

CASES: dict[tuple[str, str], dict[str, Any]] = {
    ("texas-holdem-dice", "evaluate"): {
        "pocket": ["1r", "2r"],
        "community": ["3r", "4r", "5r", "6r"],
    },
    ("texas-holdem-dice", "rank"): {
        "community": ["6w", "6y", "2r", "3b", "4w"],
        "players": [{"id": "ann", "pocket": ["6r", "6b"], "paid": 10}, {"id": "ben"}],
    },
    ("dice-poker", "evaluate"): {"dice": [4] * 5, "five_of_a_kind": 50},
    ("dice-poker", "rank"): {
        "players": [{"id": "ann", "card": {}}, {"id": "ben", "card": FULL_FIVES}]
    },
    ("dice-poker", "score"): {
        "card": {"fours": 12},
        "turn": {"dice": [4, 4, 4, 2, 1], "box": "fours"},
    },
    ("roll-a-royal", "evaluate"): {"rolls": [TWICE]},
    ("roll-a-royal", "rank"): {
        "players": [{"id": "ann", "rolls": [TWICE]}, {"id": "ben", "rolls": [TWICE]}]
    },
    ("roll-a-royal", "score"): {
        "rolls": [TWICE],
        "layout": [{"dice": [0, 9], "direction": "across", "row": 0, "column": 0}],
    },
}
"""A request to each operation that refuses more than its schema does."""


def no_answer(given: Mapping[str, Any]) -> NoReturn:
    """Fails; takes the place of `answer`."""
    raise AssertionError(f"an answer to {given} was computed")


@pytest.mark.parametrize("case", CASES, ids="/".join)
def test_part_of_a_request_is_checked_without_an_answer(case: tuple[str, str]) -> None:
    """With an unknown field, violations of the rules are reported without computing a response: the
    same ones that computing it finds.
    """
    operation, body = OPERATIONS[case], CASES[case]
    with pytest.raises(InvalidInput) as computed:
        operation.run(body)
    unanswered = replace(operation, compute=no_answer)
    with pytest.raises(InvalidInput) as error:
        unanswered.read({**body, "colour": 1})
    unknown, *broken = error.value.violations
    assert unknown.path == ("colour",)
    assert {(each.path, str(each.detail)) for each in broken} == {
        (each.path, str(each.detail)) for each in computed.value.violations
    }


@dataclass(frozen=True, eq=False)
class Counting(Layout):
    """A variant that counts how often layouts are checked."""

    checked: Counter[str] = field(default_factory=Counter)

    def check_layout(self, *args: Any) -> None:
        """Checks a layout."""
        self.checked["layout"] += 1
        super().check_layout(*args)


@pytest.mark.parametrize("name", ["score", "advise", "choose"])
@pytest.mark.parametrize("legal", [True, False])
def test_a_layout_is_checked_once(name: str, legal: bool) -> None:
    """A request with a layout checks it once, whether the rules allow it or not."""
    royal = variants()["roll-a-royal"]
    counting = Counting(**{each.name: getattr(royal, each.name) for each in fields(Layout)})
    (operation,) = [each for each in operations([counting]) if each.name == name]
    rolls = [["Js", "Jh", "Jd", "Jc", *["--"] * 9], ["--"] * 9, ["--"] * 9]
    line = {"dice": [0, 1, 2, 3] if legal else [0, 4], "direction": "across", "row": 0, "column": 0}
    body = {"rolls": rolls, "layout": [line]}
    with nullcontext() if legal else pytest.raises(InvalidInput):
        operation.run(body | ({"strength": "best"} if name == "choose" else {}))
    assert counting.checked == {"layout": 1}
