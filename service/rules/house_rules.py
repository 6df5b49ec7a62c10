"""House rules: named options of a variant, each with a default.

A variant declares them as a frozen dataclass whose fields are made by `switch`, `choice` or
`amount`. The catalogue, the request schemas and the contract are derived from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import EllipsisType
from typing import Annotated, Any, TypeVar

from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.field_types import Clause, OneLine, PartId, between, different
from service.rules.sentences import Sentence
from service.rules.violations import InvalidInput, Violation, gathering, refuse


@dataclass(frozen=True)
class HouseRules:
    """The house rules in force; a variant without any uses this class itself."""


RulesT = TypeVar("RulesT", bound=HouseRules)

MAX_AMOUNT = 1_000_000_000
"""The largest amount: up to this, even the chips of all players together are exact in JSON."""

AmountBound = Annotated[int, between(-MAX_AMOUNT, MAX_AMOUNT)]


@dataclass(frozen=True)
class Option:
    """A house rule: its name, default and meaning, and the clause that defines it.

    `minimum`, `maximum` and `step` are the bounds of a whole number; the first two are None
    otherwise. `nullable` allows None. `choices` are the words of a choice. `typed_default` is the
    default in sessions whose players type their dice in.
    """

    name: PartId
    default: bool | int | str | None
    typed_default: bool | int | str | None
    meaning: OneLine
    clause: Clause
    minimum: AmountBound | None = None
    maximum: AmountBound | None = None
    step: Annotated[int, between(1, MAX_AMOUNT)] = 1
    nullable: bool = False
    choices: Annotated[tuple[OneLine, ...], different("different words", str)] = ()

    def read(self, value: object) -> bool | int | str | None:
        """Parses `value`; a float such as 3.0 becomes an int.

        Raises `InvalidInput` saying what it must be.
        """
        if self.type == "string":
            return read_word(value, self.choices)
        if self.type == "boolean":
            return read_flag(value)
        if value is None and self.nullable:
            return None
        return read_whole(
            value, self.minimum or 0, self.maximum or 0, step=self.step, nullable=self.nullable
        )

    @property
    def type(self) -> str:
        """Either "boolean", "integer" or "string"."""
        if self.choices:
            return "string"
        return "integer" if self.maximum is not None else "boolean"


@dataclass(frozen=True)
class KnownRule:
    """A house rule that the games of a kind read by its `name`, if a variant has it.

    It is a switch if the `default` is True or False, and a choice if it has `choices`. Otherwise it
    is an amount from `minimum` up, which can be None if that is the default or if it is `nullable`.
    With `chips`, `default` and `minimum` are numbers of chips of the smallest value, and amounts
    are multiples of that value.
    """

    name: str
    default: bool | int | str | None
    minimum: int = 0
    chips: bool = False
    nullable: bool = False
    choices: tuple[str, ...] = ()

    def of(self, rules: HouseRules, chip: int = 1) -> Any:
        """The value under `rules`, where the smallest chip has the value `chip`."""
        default = self.default
        if self.chips and isinstance(default, int):
            default *= chip
        return getattr(rules, self.name, default)

    def wanted(self, option: Option, chip: int = 1) -> str | None:
        """What `option`, a house rule with this name, must be; None if games can read it."""
        if isinstance(self.default, bool):
            return None if option.type == "boolean" else "a switch"
        if self.choices:
            some = option.choices and {*option.choices} <= {*self.choices}
            return None if some else f"a choice of some or all of: {', '.join(self.choices)}"
        nullable = self.nullable or self.default is None
        unit = chip if self.chips else 1
        if (
            option.type == "integer"
            and (option.minimum or 0) >= self.minimum * unit
            and option.step % unit == 0
            and (nullable or not option.nullable)
        ):
            return None
        steps = f", in steps of {unit}" if unit > 1 else ""
        never = "" if nullable else ", never null"
        return f"an amount with a minimum of {self.minimum * unit} or more{steps}{never}"


TURN_SECONDS = KnownRule("turn_seconds", default=None, minimum=1)
"""The seconds of the clock in the games of any kind (G1); None: no clock runs."""


def read_word(value: object, words: Sequence[str]) -> str:
    """Returns `value`. Raises `InvalidInput` if it is not one of `words`."""
    if not isinstance(value, str) or value not in words:
        raise InvalidInput(Violation((), Breach.NOT_ONE_OF(allowed=list(words))))
    return value


def read_flag(value: object) -> bool:
    """Returns `value`. Raises `InvalidInput` if it is no boolean, also for what looks like one."""
    if not isinstance(value, bool):
        raise InvalidInput(Violation((), Breach.NOT_A_FLAG()))
    return value


def read_whole(
    value: object, minimum: int, maximum: int, *, step: int = 1, nullable: bool = False
) -> int:
    """Parses a whole number in a range, a multiple of `step`; a float such as 3.0 becomes an int.

    Raises `InvalidInput` saying what it must be; with `nullable`, it says that null is allowed,
    too.
    """
    number = whole_number(value)
    if number is None or not minimum <= number <= maximum or number % step:
        raise InvalidInput(Violation((), _not_in_range(minimum, maximum, step, nullable)))
    return number


def _not_in_range(minimum: int, maximum: int, step: int, nullable: bool) -> Sentence:
    null = nullable or None
    if minimum == maximum:
        return Breach.NOT_ALLOWED(numbers=[minimum], nullable=null)
    if step > 1:
        return Breach.NOT_A_MULTIPLE(minimum=minimum, maximum=maximum, step=step, nullable=null)
    return Breach.OUT_OF_RANGE(minimum=minimum, maximum=maximum, whole=True, nullable=null)


def read_rules(rules: type[RulesT], settings: Mapping[str, object]) -> RulesT:
    """Parses `settings`, house rules of the class `rules` by name; the rest have their defaults.

    Raises `InvalidInput` with all violations.
    """
    known = {option.name: option for option in options(rules)}
    values: dict[str, Any] = {}
    violations: list[Violation] = []
    for name, value in settings.items():
        if name not in known:
            violations.append(Violation((name,), Breach.UNKNOWN_HOUSE_RULE(allowed=[*known])))
            continue
        with gathering(violations, name):
            values[name] = known[name].read(value)
    refuse(violations)
    return rules(**values)


def switch(*, clause: str, meaning: str, default: bool = False) -> Any:
    """A dataclass field for a house rule that is on or off."""
    return field(default=default, metadata={"meaning": meaning, "clause": clause})


def choice(*choices: str, clause: str, meaning: str) -> Any:
    """A dataclass field for a house rule that is one of `choices`, by default the first."""
    words = choices or ("",)  # a choice without words is a mistake that the variant reports
    metadata = {"meaning": meaning, "clause": clause, "choices": words}
    return field(default=words[0], metadata=metadata)


def amount(
    default: int | None,
    *,
    clause: str,
    meaning: str,
    maximum: int,
    minimum: int = 0,
    step: int = 1,
    nullable: bool = False,
    typed: int | EllipsisType | None = ...,
) -> Any:
    """A dataclass field for a house rule that is a whole number, a multiple of `step`.

    With `nullable`, it can also be None, even by default. `typed` is the default in sessions whose
    players type their dice in, if it is another one.
    """
    metadata = {
        "meaning": meaning, "clause": clause, "minimum": minimum, "maximum": maximum,
        "step": step, "nullable": nullable,
        "typed_default": default if typed is ... else typed,
    }  # fmt: skip
    return field(default=default, metadata=metadata)


def options(rules: type[HouseRules]) -> tuple[Option, ...]:
    """Every house rule that `rules` declares, in order."""
    named = ((f.name, getattr(rules, f.name), f.metadata) for f in fields(rules))
    return tuple(Option(name, usual, **{"typed_default": usual, **m}) for name, usual, m in named)


def for_typed_dice(rules: RulesT, chosen: Collection[str]) -> RulesT:
    """`rules` in a session whose players type their dice in, where the names in `chosen` were
    chosen, and the others have the defaults of such a session.
    """
    others = {o.name: o.typed_default for o in options(type(rules)) if o.name not in chosen}
    return replace(rules, **others)


def in_force(rules: HouseRules) -> Mapping[str, bool | int | str | None]:
    """The values of the house rules by name."""
    return vars(rules).copy()  # all values are scalars, so a deep copy would only take longer
