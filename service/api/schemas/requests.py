"""The base of all requests, and the parts that the requests of variants share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, missing

from service.api.schemas import shapes
from service.api.schemas.fields import MAX_PLAYERS, StrictField, Unparsed, house_rule, player_id
from service.api.schemas.shapes import Shape
from service.rules.breaches import Breach
from service.rules.house_rules import options
from service.rules.sentences import Sentence
from service.rules.variant import Variant
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation, gathering, refuse

Fields = Mapping[str, StrictField]


class RequestSchema(Schema):
    """The base of requests and of the objects in them, which refuses unknown fields.

    Null for an optional field means the same as leaving it out, unless null is a value of its own
    (`allow_none`): many clients send null for what they don't set.
    """

    make: ClassVar[Callable[..., Any] | None] = None
    """What is made of the parsed fields; None: they stay a dictionary."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        messages: dict[str, Any] = self.error_messages  # marshmallow takes any message
        messages["unknown"] = Violation((), self._unknown([*self.fields]))
        self._own = {
            name: field
            for name, field in self.load_fields.items()
            if isinstance(field, StrictField)  # which all are
        }
        self._optional = {
            name for name, field in self._own.items() if not field.required and not field.allow_none
        }

    def _unknown(self, names: list[str]) -> Sentence:
        """What is wrong with a field that has none of the `names`."""
        return Breach.UNKNOWN_FIELD(allowed=names) if names else Breach.NO_FIELDS()

    @property
    def json_schema(self) -> Shape:
        """The component of the contract, named like the class.

        Descriptions say the defaults: with the keyword, generators make optional fields required.
        """
        properties: dict[str, Shape] = {}
        for name, field in self._own.items():
            shape = field.json_schema(field.metadata.get("description", ""))
            if field.required:
                properties[name] = shape
            else:
                properties[name] = (shape if field.allow_none else shape.or_null()).optional()
        return shapes.record(type(self).__name__, properties, additionalProperties=False)

    def load(self, data: Any, **_: Any) -> Any:
        """What is made of the fields of `data`. Raises `Unparsed` with all violations, except
        unknown fields beyond the first `MAX_CHECKED`.

        The fields of valid data are parsed directly. That takes half the time of marshmallow's
        `load`, which then only reports the violations.
        """
        if type(data) is not dict:
            raise Unparsed([Violation((), Breach.NOT_AN_OBJECT())], {})
        data = self._without_nulls(data)
        if not data.keys() <= self._own.keys():
            return self._loaded(data)
        read: dict[str, Any] = {}
        try:
            for name, field in self._own.items():
                value = data.get(name, missing)
                if value is not None and value is not missing:
                    read[name] = field.read(value)
                elif (found := field.deserialize(value, name, data)) is not missing:
                    read[name] = found
        except (InvalidInput, ValidationError):
            return self._loaded(data)
        return self.make(**read) if self.make else read

    def _loaded(self, data: dict[str, Any]) -> Any:
        try:
            return super().load(self._checked(data))
        except ValidationError as error:
            messages = error.messages_dict.items()
            violations = [each.within(name) for name, found in messages for each in found]
            raise Unparsed(violations, error.valid_data) from None

    def _checked(self, data: dict[str, Any]) -> dict[str, Any]:
        """`data` without the unknown fields beyond the first `MAX_CHECKED`: each takes some 10
        microseconds, and a body may have a hundred thousand.
        """
        if len(data) <= len(self._own) + MAX_CHECKED:
            return data
        unknown = (name for name in data if name not in self._own)
        kept = self._own.keys() | set(islice(unknown, MAX_CHECKED))
        return {name: value for name, value in data.items() if name in kept}

    def without_nulls(self, data: Any) -> Any:
        """Valid `data` without the nulls that mean the same as leaving out the field, here and in
        the objects within.
        """
        given = dict(self._without_nulls(data))
        for name, field in self._own.items():
            if name in given and isinstance(field, Object):
                given[name] = field.schema.without_nulls(given[name])
        return given

    def _without_nulls(self, data: dict[str, Any]) -> dict[str, Any]:
        """`data` without the nulls that mean the same as leaving out the field."""
        if None not in data.values():
            return data
        return {
            name: value
            for name, value in data.items()
            if value is not None or name not in self._optional
        }


class Object(StrictField):
    """A JSON object of its own schema."""

    def __init__(self, schema: type[RequestSchema], description: str = "", **kwargs: Any) -> None:
        self.schema = schema()
        super().__init__(self.schema.load, self.schema.json_schema, description, **kwargs)


class Objects(StrictField):
    """Up to `most` objects of one schema, in the contract at least `least`; `what` names them.

    If very many can't be parsed, only the first `MAX_CHECKED` of those are reported.
    """

    def __init__(
        self,
        item: type[RequestSchema],
        most: int,
        what: str,
        description: str = "",
        least: int = 0,
        **kwargs: Any,
    ) -> None:
        self._item = item()
        self._least, self._most, self._what = least, most, what
        bounds = {"minItems": least, "maxItems": most} if least else {"maxItems": most}
        shape = shapes.list_of(self._item.json_schema, description, **bounds)
        super().__init__(self.parse, shape, **kwargs)

    def parse(self, value: object) -> list[Any]:
        """Parses the objects. Raises `Unparsed` with all violations."""
        if not isinstance(value, list) or len(value) > self._most:
            detail = Breach.NOT_A_LIST_UP_TO(maximum=self._most, of=self._what)
            raise InvalidInput(Violation((), detail))
        items: list[Any] = []
        refused: list[InvalidInput] = []
        for index, item in enumerate(value):
            try:
                items.append(self._item.load(item))
            except InvalidInput as error:
                items.append(None)
                refused.append(error.within(index))
                if len(refused) == MAX_CHECKED:
                    break
        if refused:
            raise Unparsed([each for error in refused for each in error.violations], items)
        return items


class Players(Objects):
    """From `least` to `most` players of one schema, with different ids."""

    def __init__(self, player: type[RequestSchema], least: int, most: int) -> None:
        super().__init__(player, most, "players", "", least, required=True)

    def parse(self, value: object) -> list[Any]:
        """Parses the players. Raises `InvalidInput` with all violations."""
        if not isinstance(value, list):
            raise InvalidInput(Violation((), Breach.NOT_A_LIST(of="players")))
        wrong = Breach.WRONG_NUMBER_OF_PLAYERS(
            minimum=self._least, maximum=self._most, count=len(value)
        )
        if len(value) > self._most:  # before any of them is looked at: there may be very many
            raise InvalidInput(Violation((), wrong))
        violations: list[Violation] = []
        players: list[Any] = []
        with gathering(violations):
            players = super().parse(value)
        if len(value) < self._least:
            violations.append(Violation((), wrong))
        known = {each.path for each in violations}
        refuse([*violations, *(each for each in _repeated_ids(value) if each.path not in known)])
        return players


def _repeated_ids(players: Sequence[object]) -> Iterator[Violation]:
    """A violation for every player with an id that an earlier one has."""
    first: dict[str, int] = {}
    for index, player in enumerate(players):
        name = player.get("id") if isinstance(player, dict) else None
        if isinstance(name, str) and first.setdefault(name, index) != index:
            other = f"/players/{first[name]}"
            yield Violation((index, "id"), Breach.ID_TAKEN(other=other))


class _HouseRulesSchema(RequestSchema):
    """The house rules in force: the given ones, and defaults for the rest."""

    def _unknown(self, names: list[str]) -> Sentence:
        """The same as `read_rules` says."""
        return Breach.UNKNOWN_HOUSE_RULE(allowed=names)


@cache
def _house_rules_given(variant: Variant) -> type[_HouseRulesSchema]:
    declared: dict[str, Any] = {
        option.name: house_rule(variant, option) for option in options(variant.house_rules)
    }
    name = shapes.component(variant, "HouseRules")
    made: type[_HouseRulesSchema] = type(name, (_HouseRulesSchema,), declared)
    made.make = variant.house_rules
    return made


def request_schema(variant: Variant, part: str, own: Fields) -> RequestSchema:
    """A request of `variant`: its `own` fields, and `house_rules` parsed into its class of them."""
    house_rules = Object(_house_rules_given(variant), load_default=variant.default_rules)
    return object_schema(variant, part, {**own, "house_rules": house_rules})()


def object_schema(
    variant: Variant, part: str, own: Fields, make: Callable[..., Any] | None = None
) -> type[RequestSchema]:
    """An object with its `own` fields in requests of `variant`; `make` takes them by name."""
    name = shapes.component(variant, part)
    made: type[RequestSchema] = type(name, (RequestSchema,), {**own})
    made.make = make and staticmethod(make)  # not among the fields, one of which may have its name
    return made


def players(
    variant: Variant,
    own: Fields,
    make: Callable[..., Any] | None = None,
    most: int = MAX_PLAYERS,
    part: str = "RankPlayer",
) -> Players:
    """The players in a request, each with an id and its `own` fields: the component `part`. `make`
    takes these by name.

    They are at most `most` for a variant that sets no limit itself.
    """
    player = object_schema(variant, part, {"id": player_id(required=True), **own}, make)
    least, limit = variant.players
    return Players(player, least, limit or most)
