"""Checks responses against a contract: status, media type, headers and every field.

The test clients check every response against `openapi.yaml`. Its schemas are open, because later
releases may add fields. Here they are closed, so that a response can't have a field that the
contract doesn't name.
"""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Iterable, Mapping, Set
from functools import cache, cached_property
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urljoin, urlsplit

import orjson
import pyarrow as pa
from jsonschema_rs import Draft202012Validator, ValidationError

from service.variants import variants
from tests.contract.exact import exact
from tests.contract.openapi import ARROW, JSON, NDJSON, PROBLEM, Contract, found, read_contract

Validator = Draft202012Validator

UNNAMED = ("/docs/assets/", "/play/", "/problems")
"""Where there is something that the contract doesn't name."""


class ContractViolation(AssertionError):
    """Raised for a response that violates the contract, with the reason."""


class ContractChecker:
    """Checks responses against a contract; each schema is compiled once."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._parts = {"schemas": closed_parts(contract["components"]["schemas"])}
        self._compiled: dict[str, Validator] = {}

    def check(
        self, method: str, target: str, status: int, headers: Mapping[str, str], body: bytes
    ) -> None:
        """Raises `ContractViolation` unless the contract allows the response.

        An unknown path must get a 404, an unknown method a 405, each as a problem; a known path
        with a trailing slash redirects to the one without. No browser may guess the media type of
        any response, and no proxy may transform one with an ETag. The files that the pages load are
        not part of the contract, and neither are the pages of problems and CORS preflights.
        """
        path = target.partition("?")[0]
        methods = self._methods(path)
        if body and _lower(headers).get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        try:
            sniffed = _lower(headers).get("x-content-type-options")
            _expect(sniffed, "nosniff", "X-Content-Type-Options")
            kept = "no-transform" in _lower(headers).get("cache-control", "")
            _expect(kept, "etag" in _lower(headers), "whether Cache-Control says no-transform")
            if method == "OPTIONS" and "access-control-allow-methods" in _lower(headers):
                _expect((status, body), (204, b""), "status and body of a preflight")
                _expect("x-request-id" in _lower(headers), True, "whether X-Request-ID is there")
                return
            if methods is None and path.startswith(UNNAMED) and status in (200, 304):
                return
            if methods is None and path.endswith("/") and self._methods(path[:-1]):
                _expect((status, _media_type(headers), body), (308, "", b""), "status and body")
                place = urlsplit(urljoin(target, _lower(headers).get("location", "")))
                _expect((place.path, place.query), (path[:-1], target[len(path) + 1 :]), "place")
                return
            if methods is None:
                self._check_outside(404, status, headers, body)
            elif method == "OPTIONS" and method not in methods:
                _expect((status, _media_type(headers), body), (200, "", b""), "status and body")
                _expect("allow" in _lower(headers), True, "whether Allow is there")
            elif method == "HEAD" and "GET" in methods:
                _expect(body, b"", "the body")
                self._check_answer(methods["GET"], status, headers, None)
            elif method not in methods:
                _expect(status, 405, "the status")
                self._check_answer(next(iter(methods.values())), status, headers, body)
            else:
                self._check_answer(methods[method], status, headers, body)
        except ContractViolation as error:
            message = f"{method} {target} was answered {status}: {error}\n{body[:2000]!r}"
            raise ContractViolation(message) from None

    def component(self, name: str) -> Validator:
        """The validator of a schema of the contract, closed."""
        return self.validator({"$ref": f"#/components/schemas/{name}"})

    def _methods(self, path: str) -> Mapping[str, Any] | None:
        """The operations at `path` by method, None if there is no such path."""
        for pattern, methods in self._paths:
            if pattern.fullmatch(path):
                return methods
        return None

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], Mapping[str, Any]]]:
        return [
            (
                re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))),
                {method.upper(): operation for method, operation in methods.items()},
            )
            for path, methods in self._contract["paths"].items()
        ]

    def _check_outside(
        self, wanted: int, status: int, headers: Mapping[str, str], body: bytes
    ) -> None:
        _expect(status, wanted, "the status")
        self._check_problem({"$ref": "#/components/schemas/Problem"}, status, headers, body)

    def _check_answer(
        self,
        operation: Mapping[str, Any],
        status: int,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:
        """Checks a response of `operation`; `body` is None if there should be none."""
        responses = operation["responses"]
        if str(status) not in responses:
            raise ContractViolation(f"the contract names {', '.join(responses)} alone")
        said = found(self._contract, responses[str(status)])
        missing = {name.lower() for name in said.get("headers", {})} - _lower(headers).keys()
        _expect(missing, set(), "the headers that are missing")
        content = said.get("content", {})
        media_type = _media_type(headers)
        if not content:
            _expect((media_type, body or b""), ("", b""), "media type and body")
            return
        if media_type not in content:
            raise ContractViolation(f"the media type is {media_type}, not {', '.join(content)}")
        if body is None:
            return
        schema = content[media_type]["schema"]
        if media_type == PROBLEM:
            self._check_problem(schema, status, headers, body)
        else:
            columns = schema["properties"] if media_type == ARROW else ()
            self.check_value(schema, decoded(media_type, body, columns))

    def _check_problem(
        self, schema: Mapping[str, Any], status: int, headers: Mapping[str, str], body: bytes
    ) -> None:
        _expect(_media_type(headers), PROBLEM, "the media type")
        problem = decoded(PROBLEM, body)
        self.check_value(schema, problem)
        _expect(problem["status"], status, "the status of the problem")
        _expect("x-request-id" in _lower(headers), True, "whether X-Request-ID is there")

    def check_value(self, schema: Mapping[str, Any], value: Any) -> None:
        """Fails unless `value`, a decoded body, conforms to `schema` of the contract.

        If there are schemas of several variants, the one of its variant is used.
        """
        choice = found(self._contract, dict(schema)).get("discriminator")
        if choice:
            schema = {"$ref": choice["mapping"][value[choice["propertyName"]]]}
        try:
            self.validator(schema).validate(value)
        except ValidationError as error:
            place = "/".join(map(str, error.instance_path))
            raise ContractViolation(f"/{place}: {error.message[:1000]}") from None

    def validator(self, schema: Mapping[str, Any]) -> Validator:
        """The validator of `schema`, closed; compiled once for each schema."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._compiled:
            self._compiled[key] = Draft202012Validator(
                {**closed(schema), "components": self._parts}
            )
        return self._compiled[key]


def closed(schema: Any) -> Any:
    """`schema` without unknown fields in any object that names its fields."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: closed(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        parts.setdefault("additionalProperties", False)
    return parts


def closed_parts(schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The components `schemas`, closed; those that others extend with `allOf` are copied there."""
    return {name: closed(_joined(schema, schemas)) for name, schema in schemas.items()}


def _joined(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """`schema` with the fields of all parts of its `allOf`, if it has one."""
    if "allOf" not in schema:
        return schema
    parts = [
        schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        for part in schema["allOf"]
    ]
    return {
        "type": "object",
        "properties": {name: field for part in parts for name, field in part["properties"].items()},
        "required": [name for part in parts for name in part.get("required", ())],
    }


def decoded(media_type: str, body: bytes, columns: Iterable[str] = ()) -> Any:
    """The content of a body, in the form that the contract's schemas describe: of an Arrow stream
    its `columns`, as further ones come from the request.
    """
    if media_type in (JSON, PROBLEM):
        return orjson.loads(body)
    if media_type == NDJSON:
        return [orjson.loads(line) for line in body.splitlines()]
    if media_type == ARROW:
        table = pa.ipc.open_stream(body).read_all()
        return table.select([name for name in columns if name in table.column_names]).to_pydict()
    return body.decode()


def contract_checker() -> ContractChecker:
    """The checker for the contract of all games that the test finds."""
    return _checker(frozenset(variants()))


@cache
def _checker(_: Set[str]) -> ContractChecker:
    return ContractChecker(exact(read_contract()))


_REQUEST_LINE = re.compile(rb"^([A-Z]+) (\S+) HTTP/1\.[01]\r$", re.MULTILINE)


class _Received(io.BytesIO):
    """Received bytes, with the interface of a socket."""

    def makefile(self, *_: Any) -> _Received:
        """The file that `HTTPResponse` reads."""
        return self

    def close(self) -> None:
        """Does nothing: `HTTPResponse` closes its file after each response; others may follow."""


def check_raw(sent: bytes, received: bytes) -> None:
    """Checks each response on a connection against the contract; stops at an incomplete one."""
    answers: Any = _Received(received)
    for method, target in _REQUEST_LINE.findall(sent):
        if answers.tell() == len(received):
            return
        response = HTTPResponse(answers, method=method.decode())
        try:
            response.begin()
            body = response.read()
        except HTTPException:
            return
        contract_checker().check(
            method.decode(), target.decode(), response.status, dict(response.getheaders()), body
        )


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _media_type(headers: Mapping[str, str]) -> str:
    """The media type of a response without its parameters, "" for none."""
    return _lower(headers).get("content-type", "").partition(";")[0]


def _expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise ContractViolation(f"{what} should be {wanted!r}, not {found!r}")
