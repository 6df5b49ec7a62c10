"""The contract: OpenAPI 3.1, generated from the variants' operations and their schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from service import __version__
from service.api import catalogue
from service.api.batch.batch import Batch
from service.api.http.bodies import JSON
from service.api.http.cors import ALLOWED_HEADERS, EXPOSED_HEADERS
from service.api.http.request_id import HEADER as REQUEST_ID
from service.api.operations.operation import Operation
from service.api.schemas import shapes
from service.api.sessions.requests import NewSession
from service.contract import problems
from service.contract.batches import post_batch
from service.contract.components import in_order, with_named_schemas
from service.contract.gets import catalogue_get
from service.contract.parts import example_answers, operation_id, post
from service.contract.problems import BODY, NOT_READY, problem_responses
from service.contract.service_paths import service_paths
from service.contract.sessions.actions import schemas as action_schemas
from service.contract.sessions.paths import HEADERS, SCHEME, SECURITY_SCHEME, session_paths
from service.contract.sessions.problems import SESSION
from service.contract.sessions.schemas import schemas
from service.contract.tags import tags
from service.kinds.registry import KIND_NAMES
from service.rules.variant import Variant

DESCRIPTION = """\
Evaluates submitted dice, ranks and scores hands, and breaks ties for dice-poker games.

- `evaluate`, `rank` and `score` keep no state: send dice, and get results. Every variant has its
  own paths and exact schemas.
- Sessions (`/v1/sessions`) are whole games, which the service keeps: create one, then send
  actions.
- Batches (`/v1/variants/{variant}/batch`) evaluate many hands in one request.

Errors are problem details (RFC 9457). If a body breaks the schema or the rules, the problem lists
all violations at once, each with a JSON pointer. Numbers such as `P10` refer to the clauses of the
rules, which `GET /v1/variants/{variant}` lists.

Every path that has GET also has HEAD: the response has the same headers and no body. OPTIONS
returns the methods of a path in `Allow`. The catalogue, this contract and `/docs` have ETags for
If-None-Match, and are compressed for clients that accept gzip.

If the server limits rates (`RATE_LIMIT`), all responses except those of health checks and of CORS
preflights have the headers `RateLimit` and `RateLimit-Policy` of
draft-ietf-httpapi-ratelimit-headers-10. A request costs one unit, and one more for each millisecond
that it computes.

A request that can't be parsed never reaches an operation. Its response is also a problem: 400, 408
(the request did not arrive in time), 414, 417, 431 or 501. The service then closes the connection.
`instance` is empty if the path could not be parsed.
"""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


CORS = f"""\
Pages from the origins in the setting `ALLOW_ORIGINS` may call every operation (CORS). They can read
every response, errors included, except refusals made before `Origin` was read. There are no
cookies.

- Headers that a page may send: {_listed(ALLOWED_HEADERS)}.
- Headers that a page can read: {_listed(EXPOSED_HEADERS)}.
"""


def document(
    operations: Sequence[Operation], batches: Sequence[Batch], variants: Iterable[Variant]
) -> dict[str, Any]:
    """The whole contract as plain data."""
    variants = list(variants)
    by_kind = sorted(variants, key=lambda variant: KIND_NAMES.index(variant.kind))
    offered: list[catalogue.Offered] = [*operations, *batches]
    found: dict[str, Any] = {catalogue.PATH: {"get": _listing(variants, offered)}}
    for variant in by_kind:
        found[f"{catalogue.PATH}/{variant.id}"] = {"get": _entry(variant)}
    for variant in by_kind:
        for operation in operations:
            if operation.variant is variant:
                found[operation.path] = {"post": _post(operation)}
        for batch in batches:
            if batch.variant is variant:
                found[batch.path] = {"post": post_batch(batch)}
    new = NewSession(variants)
    made = with_named_schemas(
        {
            "paths": {**found, **session_paths(new, operations), **service_paths()},
            "components": _components(operations),
        },
        [*schemas(new), *action_schemas(variants)],
    )
    components = made["components"]
    components["schemas"] = in_order(components.pop("schemas"), by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "description": f"{DESCRIPTION}\n{CORS}",
            "contact": {"name": "The operator of this server"},
            "license": {"name": "MIT", "identifier": "MIT"},
            "title": "Dice scoring service",
            "version": __version__,
        },
        "servers": [{"url": "/", "description": "The server that sent this contract."}],
        "security": [],
        "tags": tags(by_kind),
        **made,
    }


def as_yaml(contract: Mapping[str, Any]) -> str:
    """The contract as YAML; keys keep their order."""
    return yaml.dump(contract, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.CSafeDumper):
    """YAML for readers: no aliases, flat lists on one line, multi-line texts as blocks."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def _list_node(dumper: _Dumper, items: Sequence[Any]) -> yaml.Node:
    in_a_line = not any(isinstance(item, dict | list | tuple) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=in_a_line)


def _text_node(dumper: _Dumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(list, _list_node)
_Dumper.add_representer(tuple, _list_node)
_Dumper.add_representer(str, _text_node)


def _components(operations: Sequence[Operation]) -> dict[str, Any]:
    """The components that every operation refers to, without schemas."""
    headers = {
        "RequestId": "The id of the request.",
        "ETag": "The version of the response.",
        **{name.replace("-", ""): text for name, text in HEADERS.items()},
    }
    return {
        "responses": problems.shared_responses(operations, SESSION),
        "parameters": {
            "RequestId": {
                "name": REQUEST_ID,
                "schema": shapes.TEXT,
                "description": "An id for this request, which the response repeats. The service "
                "creates one if it is missing, or isn't 1 to 128 visible ASCII characters.",
                "in": "header",
            },
            "IfNoneMatch": {
                "name": "If-None-Match",
                "schema": shapes.TEXT,
                "description": "The ETag of the response that the client has. If it is current, "
                "the status is 304.",
                "in": "header",
            },
        },
        "headers": {
            name: {"schema": shapes.TEXT, "description": text} for name, text in headers.items()
        },
        "securitySchemes": {SCHEME: SECURITY_SCHEME},
    }


def _listing(variants: Sequence[Variant], offered: Sequence[catalogue.Offered]) -> dict[str, Any]:
    return catalogue_get(
        catalogue.PATH,
        "listVariants",
        "List all variants",
        "All variants.",
        catalogue.LISTING.schema,
        {"variants": catalogue.listing(variants, offered)},
    )


def _entry(variant: Variant) -> dict[str, Any]:
    """The entry of `variant`, without an example: entries are long, and a request gets them."""
    schema = catalogue.entry_of(variant).schema
    return catalogue_get(
        f"{catalogue.PATH}/{variant.id}",
        operation_id("describe", variant),
        f"{variant.name}: get its dice, house rules and clauses",
        "The dice, ranks or boxes, house rules and clauses of the variant.",
        schema,
        {},
    )


def _post(operation: Operation) -> dict[str, Any]:
    """An operation with its examples: each request and its response."""
    requests, answers, refusals = example_answers(operation, operation.run)
    return post(
        operation,
        operation.variant.id,
        operation.summary,
        operation.description,
        {JSON: {"schema": operation.request.json_schema, "examples": requests}},
        {JSON: {"schema": operation.response.schema, "examples": answers}},
        refusals,
        problem_responses(operation.path, [*BODY, *([NOT_READY] if operation.waits else [])]),
    )
