"""The contract: OpenAPI 3.1, generated from the variants' operations and their schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import orjson
import yaml

from service import __version__
from service.api import catalogue
from service.api.batch import ndjson
from service.api.batch.batch import ARROW, NDJSON, OPERATION, Batch
from service.api.http.bodies import JSON
from service.api.http.cors import ALLOWED_HEADERS, EXPOSED_HEADERS
from service.api.http.problems import unprocessable
from service.api.http.query import unknown_parameter
from service.api.operations.operation import Offered, Operation
from service.api.schemas import shapes
from service.api.schemas.shapes import Shape
from service.api.sessions import requests
from service.api.sessions.answers import ID, PATH
from service.batch.arrow.further import MAX_ROWS
from service.contract import errors, sessions
from service.contract.actions import schemas as action_schemas
from service.contract.batches import post_batch
from service.contract.components import Filler, in_order, skeleton, with_named_schemas, with_reached
from service.contract.parts import BODY_PROBLEMS, example_answer, identifier, post, refusal
from service.contract.schemas import schemas
from service.kinds.registry import KIND_NAMES
from service.rules.variant import Variant
from service.rules.violations import InvalidInput


def document(
    operations: Sequence[Operation], batches: Sequence[Batch], variants: Iterable[Variant]
) -> dict[str, Any]:
    """The whole contract as plain data."""
    variants = list(variants)
    by_kind = sorted(variants, key=lambda variant: KIND_NAMES.index(variant.kind))
    new = requests.NewSession(variants)
    made = skeleton(_values(operations, batches, variants))
    first, *others = made["tags"]
    games = [{"name": each.id, "description": each.name} for each in by_kind]
    made["tags"] = [first, *games, *others]
    offered: list[Offered] = [*operations, *batches]
    unknown = InvalidInput(unknown_parameter("colour", frozenset()))
    refused, path = refusal(operations[0].run, {"colour": "red"}), operations[0].path
    examples = {
        "catalogue": {"variants": {"value": catalogue.listing(variants, offered)}},
        "entries": _shortest_entry(by_kind, offered),
        "parameter": {"unknown": {"value": unprocessable(unknown, catalogue.PATH)}},
        "refused": {"an_unknown_field": {"value": unprocessable(refused, path)}},
        **sessions.examples(new, operations),
    }
    for part in ("advice", "forecast", "review"):
        if part not in examples:
            del made["paths"][f"{PATH}/{{session_id}}/{part}"]
    shared = made["components"]["responses"]
    filler = Filler(examples)
    made["paths"] = {
        path: {method: filler.operation(each, path) for method, each in methods.items()}
        for path, methods in _paths(made["paths"], operations, batches, by_kind).items()
    }
    made["components"]["responses"] = {
        name: filler.response(each, each.get("instance", "")) for name, each in shared.items()
    }
    further = [*errors.schemas(), catalogue.LISTING.schema, *_entries(by_kind), *schemas(new)]
    further += [*action_schemas(variants), *sessions.of_operations(operations)]
    made = with_named_schemas(made, further)
    components = made["components"]
    components["schemas"] = in_order(components.pop("schemas"), by_kind)
    return with_reached(made)


def _values(
    operations: Sequence[Operation], batches: Sequence[Batch], variants: Sequence[Variant]
) -> dict[str, object]:
    """The values in the skeleton."""
    ids = {identifier(variant): {"value": variant.id} for variant in variants}
    streamed = next((each for each in batches if ARROW in each.media_types), batches[0])
    return {
        "ids": orjson.dumps(ids).decode(),
        "variants": orjson.dumps([variant.id for variant in variants]).decode(),
        "version": __version__,
        "allowed_headers": _listed(ALLOWED_HEADERS),
        "exposed_headers": _listed(EXPOSED_HEADERS),
        "creation_key": requests.MIN_CREATION_KEY_LENGTH,
        "longest_key": requests.MAX_KEY_LENGTH,
        "longest_wait": requests.MAX_WAIT,
        "session_id": ID["pattern"],
        "session": sessions.SESSION,
        "operation": operations[0].path,
        "waiting": next((each.path for each in operations if each.waits), None),
        "batch": batches[0].path,
        "lines": NDJSON,
        "line_operation": OPERATION,
        "most_failed": f"{ndjson.MAX_FAILED:,}",
        "arrow": ARROW,
        "most_rows": f"{MAX_ROWS:,}",
        "streamed": streamed.path,
        "streamed_types": orjson.dumps(streamed.media_types).decode(),
    }


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _paths(
    fixed: Mapping[str, Any],
    operations: Sequence[Operation],
    batches: Sequence[Batch],
    variants: Sequence[Variant],
) -> dict[str, Any]:
    """The `fixed` paths, with those of the games after the catalogue, which comes first."""
    paths = {path: fixed[path] for path in (catalogue.PATH, catalogue.ENTRY)}
    for variant in variants:
        for operation in operations:
            if operation.variant is variant:
                paths[operation.path] = {"post": _post(operation)}
        for batch in batches:
            if batch.variant is variant:
                paths[batch.path] = {"post": post_batch(batch)}
    return {**paths, **fixed}


def _shortest_entry(variants: Sequence[Variant], offered: Sequence[Offered]) -> dict[str, Any]:
    """The shortest of the entries of `variants`, as an example; the catalogue has all."""
    entries = {identifier(each): catalogue.entry(each, offered) for each in variants}
    name = min(entries, key=lambda name: len(str(entries[name])))
    return {name: {"value": entries[name]}}


def _entries(variants: Sequence[Variant]) -> list[Shape]:
    """The schemas of the entries of all kinds that `variants` have, and the choice of them."""
    entries = {variant.kind: catalogue.entry_of(variant).schema for variant in variants}
    names = {kind: entry["title"] for kind, entry in entries.items()}
    return [*entries.values(), shapes.one_of("CatalogueEntry", "kind", names)]


def as_yaml(contract: Mapping[str, Any]) -> str:
    """The contract as YAML; keys keep their order."""
    return yaml.dump(contract, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.CSafeDumper):
    """YAML for readers: no aliases, multi-line texts as blocks, what is short in a line or two."""

    def ignore_aliases(self, _: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, _: Any = None) -> yaml.SequenceNode:
        node = super().represent_sequence(tag, sequence)
        flat = all(isinstance(each, yaml.ScalarNode) for each in node.value)
        node.flow_style = flat or _length(node) <= _SHORT
        return node

    def represent_mapping(self, tag: str, mapping: Any, _: Any = None) -> yaml.MappingNode:
        node = super().represent_mapping(tag, mapping)
        node.flow_style = _length(node) <= _SHORT
        return node


_SHORT = 240
"""The most characters of a list or object in the flow style: that takes two or three lines."""


def _length(node: yaml.Node) -> int:
    """About the characters of `node` in the flow style, which has no multi-line texts."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value) + ("\n" in node.value) * _SHORT
    parts = node.value if isinstance(node, yaml.SequenceNode) else chain(*node.value)
    return sum(_length(part) + len(", ") for part in parts)


def _text_node(dumper: _Dumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_node)


def _post(operation: Operation) -> dict[str, Any]:
    """An operation with its examples: each request and its response."""
    requests, answers = example_answer(operation, operation.run)
    return post(
        operation,
        operation.variant.id,
        operation.summary,
        operation.description,
        {JSON: {"schema": operation.request.json_schema, "examples": requests}},
        {JSON: {"schema": operation.response.schema, "examples": answers}},
        {**BODY_PROBLEMS, **({"503": "Problem503"} if operation.waits else {})},
    )
