"""Violations in lists."""

from __future__ import annotations

import pytest

from service.rules.breaches import Breach
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation, read_each


def whole(value: object) -> int:
    """`value` doubled; anything but an int is refused, under some house rules."""
    if not isinstance(value, int):
        raise InvalidInput(Violation(("number",), Breach.REPEATED(value=value), ON_HOUSE_RULES))
    return 2 * value


def test_each_item_is_read() -> None:
    """The items come back in order, as they were read."""
    assert read_each([3, 1, 2], whole) == [6, 2, 4]
    assert read_each([], whole) == []


def test_all_violations_are_listed() -> None:
    """Each violation has the index of its item, and still rests on the same fields."""
    with pytest.raises(InvalidInput) as caught:
        read_each(["a", 1, "b"], whole)
    assert caught.value.violations == (
        Violation((0, "number"), Breach.REPEATED(value="a"), ON_HOUSE_RULES),
        Violation((2, "number"), Breach.REPEATED(value="b"), ON_HOUSE_RULES),
    )


def test_programs_act_on_codes() -> None:
    """A violation has the code and the values that clients get over HTTP, with what is within."""
    violation = Violation((3,), Breach.DIE_OF_STRING(die=1, why=Breach.REPEATED_DIE(die=2)))
    assert violation.code == "die_of_string"
    assert violation.values == {"die": 1, "why": "repeated_die"}
    assert {"code": violation.code, **violation.values} == violation.detail.json


def test_nothing_is_left_out_by_default() -> None:
    """The number of violations that were left out is 0 unless it is given."""
    assert InvalidInput(Violation((), Breach.MISSING())).omitted == 0
    assert InvalidInput(Violation((), Breach.MISSING()), omitted=3).omitted == 3
