"""The base of all requests, and the parts that the requests of variants share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, missing, post_load

from service.api.schemas import shapes
from service.api.schemas.fields import (
    MAX_PLAYERS,
    Object,
    Players,
    StrictField,
    house_rule,
    player_id,
)
from service.api.schemas.shapes import Shape
from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules, options
from service.rules.sentences import Sentence
from service.rules.variant import Variant
from service.rules.violations import MAX_CHECKED, InvalidInput, Violation

Fields = Mapping[str, fields.Field[Any]]


@dataclass(frozen=True, slots=True)
class UnknownField:
    """The message about a field that a schema doesn't have.

    marshmallow keeps messages about a whole object under the key `_schema`. This class
    distinguishes them from messages about a client's field of that name.
    """

    detail: Sentence


class RequestSchema(Schema):
    """The base of requests, which refuses unknown fields.

    Null for an optional field means the same as leaving it out, unless null is a value of its own
    (`allow_none`): many clients send null for what they don't set.
    """

    class Meta:
        """marshmallow's options."""

        unknown = RAISE

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        messages: dict[str, Any] = self.error_messages  # marshmallow takes any message
        messages["type"] = Violation((), Breach.NOT_AN_OBJECT())
        messages["unknown"] = UnknownField(self._unknown([*self.fields]))
        self._optional = {
            name
            for name, field in self.load_fields.items()
            if not field.required and not field.allow_none
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
        for name, field in self.load_fields.items():
            own: Shape = field.json_schema  # type: ignore[attr-defined]  # all of ours have it
            shape = own(field.metadata.get("description", ""))
            if field.required:
                properties[name] = shape
            else:
                properties[name] = (shape if field.allow_none else shape.or_null()).optional()
        return shapes.record(type(self).__name__, properties, additionalProperties=False)

    def load(self, data: Any, **options: Any) -> Any:
        """Parses the fields of `data`. Raises `ValidationError` with all violations, except unknown
        fields beyond the first `MAX_CHECKED`.
        """
        return super().load(self._checked(self._without_nulls(data)), **options)

    def _checked(self, data: Any) -> Any:
        """`data` without the unknown fields beyond the first `MAX_CHECKED`: each takes some 10
        microseconds, and a body may have a hundred thousand.
        """
        if type(data) is not dict or len(data) <= len(self.load_fields) + MAX_CHECKED:
            return data
        unknown = (name for name in data if name not in self.load_fields)
        kept = self.load_fields.keys() | set(islice(unknown, MAX_CHECKED))
        return {name: value for name, value in data.items() if name in kept}

    def without_nulls(self, data: Any) -> Any:
        """Valid `data` without the nulls that mean the same as leaving out the field, here and in
        the objects within.
        """
        given = dict(self._without_nulls(data))
        for name, field in self.load_fields.items():
            inner = field.schema if isinstance(field, Object) else None
            if name in given and isinstance(inner, RequestSchema):
                given[name] = inner.without_nulls(given[name])
        return given

    def _without_nulls(self, data: Any) -> Any:
        """`data` without the nulls that mean the same as leaving out the field."""
        if type(data) is not dict or None not in data.values():
            return data
        return {
            name: value
            for name, value in data.items()
            if value is not None or name not in self._optional
        }


class Unparsed(InvalidInput):
    """Raised for a body that violates its schema, with all violations.

    `read` has the fields that could be parsed, some only in part, and `unread` the names of others.
    """

    def __init__(self, error: ValidationError) -> None:
        super().__init__(*_violations(error.messages))
        self.unread = error.messages_dict.keys()
        self.read = error.valid_data if isinstance(error.valid_data, dict) else {}


def _violations(messages: Any, *path: str | int) -> Iterator[Violation]:
    """The violations in marshmallow's nested messages about what is at `path`."""
    if isinstance(messages, Violation):
        yield messages.within(*path)
    elif isinstance(messages, UnknownField):
        yield Violation(path, messages.detail)
    elif isinstance(messages, Mapping):
        for key, inner in messages.items():
            for message in inner if key == "_schema" else [inner]:
                about_whole = key == "_schema" and not isinstance(message, UnknownField)
                yield from _violations(message, *path, *([] if about_whole else [key]))
    else:
        for inner in messages:
            yield from _violations(inner, *path)


class BodySchema(RequestSchema):
    """A whole request body. It has no hooks, so the fields of a valid one are parsed directly.

    That takes half the time of marshmallow's `load`, which then only reports the violations.
    """

    def load(self, data: Any, **_: Any) -> Any:
        """Parses the fields of `data`. Raises `Unparsed` with all violations."""
        data = self._without_nulls(data)
        if type(data) is not dict or not data.keys() <= self.load_fields.keys():
            return self._loaded(data)
        read: dict[str, Any] = {}
        try:
            for name, field in self.load_fields.items():
                value = data.get(name, missing)
                if isinstance(field, StrictField) and value is not None and value is not missing:
                    read[name] = field.read(value)
                elif (found := field.deserialize(value, name, data)) is not missing:
                    read[name] = found
        except (InvalidInput, ValidationError):
            return self._loaded(data)
        return read

    def _loaded(self, data: Any) -> Any:
        try:
            return super().load(data)
        except ValidationError as error:
            raise Unparsed(error) from None


class _HouseRulesSchema(RequestSchema):
    """House rules, parsed into the class of a variant's house rules."""

    variant: Variant

    def _unknown(self, names: list[str]) -> Sentence:
        """The same as `read_rules` says."""
        return Breach.UNKNOWN_HOUSE_RULE(allowed=names)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> HouseRules:
        """The house rules in force: the given ones, and defaults for the rest."""
        rules: HouseRules = self.variant.house_rules(**data)
        return rules


@cache
def _house_rules_given(variant: Variant) -> type[Schema]:
    declared: dict[str, Any] = {
        option.name: house_rule(variant, option) for option in options(variant.house_rules)
    }
    name = shapes.component(variant, "HouseRules")
    return type(name, (_HouseRulesSchema,), {"variant": variant, **declared})


def request_schema(variant: Variant, part: str, own: Fields) -> BodySchema:
    """A request of `variant`: its `own` fields, and `house_rules` parsed into its class of them."""
    house_rules = Object(_house_rules_given(variant), load_default=variant.default_rules)
    fields_of_body = {**own, "house_rules": house_rules}
    made: type[BodySchema] = type(shapes.component(variant, part), (BodySchema,), fields_of_body)
    return made()


def object_schema(variant: Variant, part: str, own: Fields) -> type[RequestSchema]:
    """An object with its `own` fields in requests of `variant`."""
    return type(shapes.component(variant, part), (RequestSchema,), {**own})


def players(
    variant: Variant, own: Fields, most: int = MAX_PLAYERS, part: str = "RankPlayer"
) -> Players:
    """The players in a request, each with an id and its `own` fields: the component `part`.

    They are at most `most` for a variant that sets no limit itself.
    """
    player = object_schema(variant, part, {"id": player_id(required=True), **own})
    least, limit = variant.players
    return Players(player, least, limit or most)
