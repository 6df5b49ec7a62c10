"""House rules as someone writes them at the command line."""

from __future__ import annotations

from typing import Any

from service.batch.not_done import NotDone
from service.dice.columnar import Columnar
from service.dice.equipment import whole_number
from service.dice.house_rules import Option, options
from service.sound_json import Unsound, decode


def read_rules(variant: Columnar, text: str) -> Any:
    """The house rules of `variant` that `text`, a JSON object, gives; defaults for the rest.

    Raises `NotDone` naming everything wrong, with what would be right.
    """
    try:
        given = decode(text.encode(errors="surrogateescape"))
    except Unsound as error:
        raise NotDone(f"--house-rules is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise NotDone('--house-rules must be a JSON object, such as {"name": true}')
    known = {option.name: option for option in options(variant.house_rules)}
    faults = [
        f"{name!r} is none of {variant.id}, which has {', '.join(known) or 'none'}"
        for name in given
        if name not in known
    ]
    values = {}
    for name, option in known.items():
        if name in given:
            values[name] = whole_number(given[name]) if option.type == "integer" else given[name]
            if not _takes(option, given[name]):
                faults.append(f"{name} must be {_wanted(option)}")
    if faults:
        raise NotDone(f"--house-rules: {'; '.join(faults)}")
    return variant.house_rules(**values)


def _takes(option: Option, value: object) -> bool:
    """Whether `value` is one that `option` can have."""
    if option.type == "boolean":
        return isinstance(value, bool)
    if option.type == "string":
        return value in option.choices
    if value is None:
        return option.nullable
    number = whole_number(value)
    return number is not None and number in _range(option)


def _wanted(option: Option) -> str:
    """What `option` can have, in words."""
    if option.type == "boolean":
        return "true or false"
    if option.type == "string":
        return f"one of {', '.join(option.choices)}"
    allowed = _range(option)
    multiple = f" and a multiple of {option.step}" if option.step > 1 else ""
    null = ", or null" if option.nullable else ""
    return f"a whole number between {allowed.start} and {option.maximum}{multiple}{null}"


def _range(option: Option) -> range:
    """The whole numbers that `option` can have; its least is a multiple of its step."""
    assert option.minimum is not None
    assert option.maximum is not None
    return range(option.minimum, option.maximum + 1, option.step)
