"""References to components: of a name in the skeleton, and of each schema that has a `title`.

The schemas come in the order for readers. What is alike is written alike and close together: for
readers, and since a gzip finds repetitions only within 32 KiB.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from service.api.http.causes import Cause
from service.api.http.problem_details import MEDIA_TYPE
from service.api.http.request_id import HEADER as REQUEST_ID
from service.api.schemas import shapes
from service.api.schemas.shapes import JsonSchema, Shape
from service.contract.sessions import CHESS, ID
from service.rules.sentences import any_of
from service.rules.variant import Variant

VALUES = ("example", "examples")
"""The keys of values, which are no schemas even if they look like one."""

NAMES = ("properties", "mapping")
"""The keys of objects whose own keys are names: of properties, or values of a discriminator."""

_LAST = {"description": 0, "properties": 1, "required": 2, "additionalProperties": 3}
"""The places of the last keywords of a schema."""


def skeleton(values: Mapping[str, object]) -> dict[str, Any]:
    """`skeleton.yaml`, which says what it is, with these `values`."""
    text = (Path(__file__).parent / "skeleton.yaml").read_text()
    filled = re.sub(r"\$\{(\w+)\}", lambda found: str(values[found[1]]), text)
    made: dict[str, Any] = yaml.load(filled, yaml.CSafeLoader)
    return made


class Filler:
    """Fills in operations and responses as the skeleton has them.

    `examples` has those of every name.
    """

    def __init__(self, examples: Mapping[str, Any]) -> None:
        self._examples = examples

    def operation(self, operation: Mapping[str, Any], path: str) -> dict[str, Any]:
        """The `operation` at `path`."""
        made = {
            **operation,
            "parameters": [_named("parameters", each) for each in operation["parameters"]],
        }
        if "requestBody" in made:
            body = made["requestBody"]
            made["requestBody"] = {**body, "content": self._content(body["content"])}
        responses = sorted(operation["responses"].items())
        made["responses"] = {
            status: self.response(response, path) for status, response in responses
        }
        return made

    def response(self, response: Any, path: str) -> dict[str, Any]:
        """The `response` of the operation at `path`."""
        if isinstance(response, str):
            return _named("responses", response)
        headers = response.get("headers", [])
        if isinstance(headers, list):
            headers = {name: _named("headers", name.replace("-", "")) for name in headers}
        causes = [_cause(each) for each in response.get("causes", ())]
        codes = any_of(f"`{cause.code}`" for cause, _ in causes) if causes else ""
        made = {
            "description": response.get("description", codes),
            "headers": {REQUEST_ID: _named("headers", "RequestId"), **headers},
        }
        if causes:
            made["content"] = _problem(*causes[0], response.get("instance", path))
        elif "content" in response:
            made["content"] = self._content(response["content"])
        return {**made, "links": response["links"]} if "links" in response else made

    def _content(self, content: Mapping[str, Any]) -> dict[str, Any]:
        made = {}
        for media_type, media in content.items():
            made[media_type] = {**media, "schema": _named("schemas", media["schema"])}
            if isinstance(media.get("examples"), str):
                made[media_type]["examples"] = self._examples[media["examples"]]
        return made


def _cause(named: str | dict[str, Any]) -> tuple[Cause, dict[str, Any]]:
    """A cause by its name, perhaps with values of its own, and the values of its example."""
    ((name, own),) = named.items() if isinstance(named, dict) else [(named, {})]
    cause = Cause[name.upper()]
    values = {**cause.example, **own}
    return cause, {key: value for key, value in values.items() if value is not None}


def _problem(cause: Cause, values: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A problem with the example of `cause` with these `values`."""
    body = cause.problem(**values).body(path.format(session_id=ID, variant=CHESS))
    examples = {cause.name.lower(): {"value": body}}
    return {MEDIA_TYPE: {"schema": _named("schemas", "Problem"), "examples": examples}}


def _named(kind: str, part: str | dict[str, Any]) -> dict[str, Any]:
    """A reference to the component of `kind` that `part` names, if it is a name."""
    return {"$ref": f"#/components/{kind}/{part}"} if isinstance(part, str) else part


def with_named_schemas(contract: dict[str, Any], further: Iterable[Shape]) -> dict[str, Any]:
    """`contract` with a component for each schema that has a `title`, and references to them.

    It gets the `further` schemas, too. Raises `ValueError` if two different schemas have the same
    name.
    """
    named = contract["components"].pop("schemas")
    made = {
        key: _lifted(part, named) if key in ("paths", "components") else part
        for key, part in contract.items()
    }
    for schema in further:
        _add(schema["title"], _without(schema, "title"), named)
    made["components"]["schemas"] = named
    return made


def _lifted(part: Any, named: dict[str, Any], *, names: bool = False, schema: bool = False) -> Any:
    """`part` with references to the schemas with a title, which are added to `named`.

    With `names`, the keys of `part` are names. The keywords of a `schema` are in order, and its
    required fields as in `properties`.
    """
    if isinstance(part, list | tuple):
        return [_lifted(item, named, schema=schema) for item in part]
    if not isinstance(part, dict):
        return part
    if not names and "title" in part:
        return _reference(part, named)
    made = {
        key: value
        if key in VALUES and not names
        else _lifted(value, named, names=key in NAMES and not names, schema=schema)
        for key, value in part.items()
    }
    if not schema or names:
        return made
    if "required" in made:
        made["required"].sort(key=[*made["properties"]].index)
    return dict(sorted(made.items(), key=lambda keyword: _LAST.get(keyword[0], -1)))


def _reference(part: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """A reference to the schema `part`; its description is that of this use of it."""
    name = part["title"]
    _add(name, _without(part, "title", "description"), named)
    return dict(shapes.reference(name)(part.get("description", "")))


def _add(name: str, own: JsonSchema, named: dict[str, Any]) -> None:
    schema = _lifted(own, named, schema=True)
    if named.setdefault(name, schema) != schema:
        raise ValueError(f"two different schemas have the name {name}")


def _without(part: JsonSchema, *keywords: str) -> JsonSchema:
    return {key: value for key, value in part.items() if key not in keywords}


def with_reached(contract: dict[str, Any]) -> dict[str, Any]:
    """`contract` without the components that no path refers to."""
    components = contract["components"]
    reached: set[str] = set()
    parts = [contract["paths"]]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            if (reference := part.get("$ref")) and reference not in reached:
                reached.add(reference)
                _, _, kind, name = reference.split("/")
                parts.append(components[kind][name])
            parts += part.values()
        elif isinstance(part, list):
            parts += part
    kept = {
        kind: {
            name: each
            for name, each in named.items()
            if kind == "securitySchemes" or f"#/components/{kind}/{name}" in reached
        }
        for kind, named in components.items()
    }
    return {**contract, "components": kept}


def in_order(schemas: Mapping[str, Any], variants: Sequence[Variant]) -> dict[str, Any]:
    """`schemas` by name: first those of each variant, then those of several."""
    prefixes = [shapes.component(variant, "") for variant in variants]

    def place(name: str) -> tuple[int, str]:
        own = [index for index, prefix in enumerate(prefixes) if name.startswith(prefix)]
        return (max(own, key=lambda index: len(prefixes[index]), default=len(prefixes)), name)

    return {name: schemas[name] for name in sorted(schemas, key=place)}
