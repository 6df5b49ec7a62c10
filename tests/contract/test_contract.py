"""The contract is up to date and describes the running service."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import yaml
from jsonschema_rs import meta

from service.api.batch.batch import ARROW, NDJSON, batches
from service.api.operations.registry import operations as all_operations
from service.api.schemas import shapes
from service.contract.sessions import CHESS, ID
from service.contract.write import contract_of, prepared
from service.kinds.registry import KIND_NAMES
from service.settings import Settings
from service.variants import SETTING, variants
from tests.contract.checker import contract_checker
from tests.contract.openapi import SESSIONS, Contract, answer, operations
from tests.live import JSON, PROBLEM, ROOT, Reply, Service
from tests.problems import problem

COMMITTED = ROOT / "openapi.yaml"


def stateless(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation except those of sessions."""
    for path, method, operation in operations(contract):
        if not path.startswith(SESSIONS):
            yield path, method, operation


@pytest.mark.proof
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_prepared_contract_is_up_to_date(form: str) -> None:
    """The prepared files are the generated contract; `make openapi` writes them."""
    made = subprocess.run(
        [sys.executable, "-W", "error", "-m", "service.contract.write", form],
        cwd=ROOT,
        env={**os.environ, SETTING: "tests.trial_games.small_holdem"},  # left out: it is not ours
        capture_output=True,
        check=True,
    )
    assert made.stdout == (ROOT / f"service/contract/openapi.{form}").read_bytes()


def test_contract_is_not_made_while_serving() -> None:
    """An app of the games of this repository serves the files: nothing is generated."""
    program = (
        "import sys; from service.app import create_app; client = create_app().test_client();"
        "print(client.get('/openapi.json').status, client.get('/openapi.yaml').status);"
        "print([name for name in ('numpy', 'yaml') if name in sys.modules])"
    )
    own = {name: value for name, value in os.environ.items() if name != SETTING}
    asked = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=own,
        capture_output=True,
        check=True,
        text=True,
    )
    assert asked.stdout == "200 OK 200 OK\n[]\n"


def test_other_games_have_a_contract_of_their_own() -> None:
    """An app with other games than those of the files generates a contract of these games."""
    games = [variants()["poker-dice"]]
    operations = all_operations(games)
    batch = batches(operations, Settings())
    made = prepared(operations, batch, games)
    paths = json.loads(made["json"])["paths"]
    assert [path for path in paths if path.startswith("/v1/variants/")] == [
        "/v1/variants/{variant}",
        *[operation.path for operation in operations],
        "/v1/variants/poker-dice/batch",
    ]
    assert yaml.load(made["yaml"], yaml.CSafeLoader) == json.loads(made["json"])


@pytest.mark.parametrize("id_", ["title", "required"])
def test_a_game_may_have_the_id_of_a_keyword(id_: str) -> None:
    """The id of a game is a name in the contract, even if it is a keyword of JSON Schema, too."""
    game = replace(variants()["poker-dice"], id=id_)
    schemas = json.loads(contract_of([game], "json"))["components"]["schemas"]
    own = f"#/components/schemas/{id_.capitalize()}Session"
    assert schemas["Session"] == {
        "oneOf": [{"$ref": own}],
        "discriminator": {"propertyName": "variant", "mapping": {id_: own}},
    }


def test_both_forms_are_served(service: Service, contract: Contract) -> None:
    """The service serves the committed contract, as YAML byte for byte and as JSON."""
    as_yaml = service.get("/openapi.yaml")
    assert (as_yaml.headers["Content-Type"], as_yaml.body) == (
        "application/yaml",
        COMMITTED.read_bytes(),
    )
    as_json = service.get("/openapi.json")
    assert (as_json.headers["Content-Type"], as_json.json) == (JSON, contract)


@pytest.mark.general
def test_contract_is_openapi(contract: Contract) -> None:
    """It is OpenAPI 3.1: every reference resolves, and every schema is one."""
    check_openapi(contract)


def check_openapi(contract: Contract) -> None:
    """Fails unless `contract` is OpenAPI 3.1, and refers to all of its components."""
    assert contract["openapi"] == "3.1.0"
    references = {part.split('"')[0] for part in json.dumps(contract).split('"$ref": "#/')[1:]}
    assert references == {
        f"components/{kind}/{name}"
        for kind, named in contract["components"].items()
        for name in named
        if kind != "securitySchemes"
    }
    for schema in contract["components"]["schemas"].values():
        meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@pytest.mark.general
def test_a_game_has_a_contract_of_its_own(
    service: Service, contract: Contract, variant: str
) -> None:
    """The contract of one game alone has its paths and the shared ones, and nothing of others.

    Its schemas are those of the contract of all games, but for choices of games and their actions.
    Its two forms are the same, and have ETags.
    """
    target = f"/openapi.json?variant={variant}"
    reply = service.get(target)
    assert (reply.status, reply.headers["Content-Type"]) == (200, JSON)
    known = service.get(target, If_None_Match=reply.headers["ETag"])
    assert (known.status, known.body) == (304, b"")
    written = service.get(f"/openapi.yaml?variant={variant}")
    assert (written.status, written.headers["Content-Type"]) == (200, "application/yaml")
    alone = reply.json
    assert yaml.load(written.body, yaml.CSafeLoader) == alone
    check_openapi(alone)
    games = [f"/v1/variants/{other}" for other in variants() if other != variant]
    assert set(alone["paths"]) == {
        path
        for path in contract["paths"]
        if not any(path == game or path.startswith(f"{game}/") for game in games)
        and (path in alone["paths"] or not path.startswith(SESSIONS))
    }
    own = shapes.component(variants()[variant], "")
    for name, schema in alone["components"]["schemas"].items():
        if name.startswith(own):
            assert schema == contract["components"]["schemas"][name]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_an_unknown_game_has_no_contract(service: Service, form: str) -> None:
    """The contract of an unknown game is a 404 that names the games."""
    reply = service.get(f"/openapi.{form}?variant=chess")
    assert (reply.status, reply.headers["Content-Type"]) == (404, PROBLEM)
    detail = f"There is no such variant. The variants are: {', '.join(variants())}."
    assert reply.json == problem(404, detail, f"/openapi.{form}")


def test_contract_is_small() -> None:
    """The contract of the games of this repository takes few lines, and few bytes as a gzip.

    Whoever reads it or generates a client from it gets all of it.
    """
    folder = ROOT / "service/contract"
    lines = (folder / "openapi.yaml").read_text().count("\n")
    zipped = len(gzip.compress((folder / "openapi.json").read_bytes(), 9))
    assert (lines <= 6_900, zipped <= 45_000) == (True, True), (lines, zipped)


@pytest.mark.general
def test_operations_have_names_of_their_own(contract: Contract) -> None:
    """Operation ids are in camelCase; no two operations share an id or a summary."""
    every = [operation for _, _, operation in operations(contract)]
    ids = [operation["operationId"] for operation in every]
    assert [name for name in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z0-9]*)*", name)] == []
    for names in (ids, [operation["summary"] for operation in every]):
        assert len(names) == len(set(names))


@pytest.mark.general
def test_tags_are_in_order(contract: Contract) -> None:
    """Every tag is described: the catalogue, the games by kind, sessions, batches, the service."""
    tags = [tag["name"] for tag in contract["tags"]]
    by_kind = [
        variant.id for kind in KIND_NAMES for variant in variants().values() if variant.kind == kind
    ]
    assert tags == ["catalogue", *by_kind, "sessions", "batches", "service"]
    assert all(tag["description"] for tag in contract["tags"])
    used = {tag for _, _, operation in operations(contract) for tag in operation["tags"]}
    assert used == set(tags)


@pytest.mark.general
def test_only_sessions_need_a_token(contract: Contract) -> None:
    """No operation needs authentication except those of an existing session."""
    assert contract["security"] == []
    own = {path for path, _, operation in operations(contract) if "security" in operation}
    assert own == {path for path in contract["paths"] if path.startswith(f"{SESSIONS}/")}


@pytest.mark.general
def test_every_path_is_literal(contract: Contract) -> None:
    """Every operation of every variant has its own path; only the ids of sessions, and of variants
    whose entries are read, vary.
    """
    asked = {operation.path for operation in all_operations(variants().values())}
    asked |= {f"/v1/variants/{variant}/batch" for variant in variants()}
    others = {
        "/",
        "/v1/variants",
        "/v1/variants/{variant}",
        "/livez",
        "/readyz",
        "/metrics",
        "/docs",
        "/play",
    }
    others |= {"/openapi.json", "/openapi.yaml"}
    one = f"{SESSIONS}/{{session_id}}"
    sessions = {SESSIONS, one, f"{one}/actions", f"{one}/events", f"{one}/joined"}
    sessions |= {f"{one}/{part}" for part in ("advice", "forecast", "review", "result", "sheet")}
    assert set(contract["paths"]) == asked | others | sessions


SPECIAL = {
    "/": {"302", "429"},
    "/docs": {"200", "304", "406", "429"},
    "/livez": {"200", "406", "422"},
    "/metrics": {"200", "422", "429"},
    "/openapi.json": {"200", "304", "404", "406", "422", "429"},
    "/openapi.yaml": {"200", "304", "404", "406", "422", "429"},
    "/play": {"200", "304", "406", "429"},
    "/readyz": {"200", "406", "422", "429", "503"},
    "/v1/variants/{variant}": {"200", "304", "404", "406", "422", "429"},
}
"""The statuses of paths that differ from all others."""


@pytest.mark.general
def test_every_status_is_named(contract: Contract) -> None:
    """Each operation names all its statuses, and no default response.

    Only those that may have to wait for something to be made have 503.
    """
    waiting = {each.path for each in all_operations(variants().values()) if each.waits}
    for path, method, operation in stateless(contract):
        statuses = set(operation["responses"]) - {"405"}
        assert "405" in operation["responses"], path
        if method == "POST":
            waits = {"503"} if path in waiting else set()
            usual = {"200", "400", "406", "408", "413", "415", "422", "429"}
            assert statuses ^ waits == usual, path
        elif path in SPECIAL:
            assert statuses == SPECIAL[path], path
        else:
            assert statuses - {"304"} == {"200", "406", "422", "429"}, path


@pytest.mark.general
def test_examples_are_true(service: Service, contract: Contract) -> None:
    """Every example request gets the response of its example, which conforms to the schemas."""
    tried = set()
    for path, method, operation in stateless(contract):
        content = operation["responses"].get("200", {}).get("content", {}).get(JSON, {})
        for name, example in content.get("examples", {}).items():
            if method == "GET":
                reply = service.get(path.format(variant=name.replace("_", "-")))
            else:
                asked = operation["requestBody"]["content"][JSON]
                request = asked["examples"][name]["value"]
                contract_checker().check_value(asked["schema"], request)
                reply = service.post(path, request)
            assert (reply.status, reply.headers["Content-Type"]) == (200, JSON)
            if path == "/openapi.json":  # it can't be part of itself
                assert example["value"].items() <= reply.json.items()
            else:
                assert reply.json == example["value"], (path, name)
            tried.add(path)
    offered = all_operations(variants().values())
    assert {each.path for each in offered} <= tried


@pytest.mark.general
@pytest.mark.parametrize("path", ["/metrics", "/openapi.yaml", "/docs", "/play"])
def test_examples_of_texts_are_true(service: Service, contract: Contract, path: str) -> None:
    """The example of a text is some lines of it."""
    for media_type, media in answer(contract, contract["paths"][path]["get"], 200)[
        "content"
    ].items():
        reply = service.get(path, Accept=media_type)
        lines = {line.strip() for line in reply.body.decode().splitlines()}
        ((_, example),) = media["examples"].items()
        assert reply.headers["Content-Type"].startswith(media_type)
        value = example["value"]  # which may be one in YAML
        text = value if isinstance(value, str) else yaml.safe_dump(value).strip()
        assert set(text.splitlines()) <= lines


@pytest.mark.general
def test_examples_in_lines_are_true(service: Service, contract: Contract) -> None:
    """The line of every batch gets the response of its example."""
    tried = 0
    for path, _, operation in stateless(contract):
        asked = operation.get("requestBody", {}).get("content", {}).get(NDJSON)
        if asked:
            ((name, request),) = asked["examples"].items()
            reply = service.ask("POST", path, request["value"].encode(), {"Content-Type": NDJSON})
            assert (reply.status, reply.headers["Content-Type"]) == (200, NDJSON)
            answered = operation["responses"]["200"]["content"][NDJSON]
            assert {name: {"value": reply.body.decode()}} == answered["examples"]
            tried += 1
    assert tried == len(variants())


@pytest.mark.general
def test_unknown_fields_are_refused_as_in_the_example(service: Service, contract: Contract) -> None:
    """Each POST without a state refuses a body with an unknown field; one is the example of all."""
    refusals = []
    for path, method, operation in stateless(contract):
        if method == "POST":
            assert operation["responses"]["422"] == {"$ref": "#/components/responses/Problem422"}
            reply = service.post(path, {"colour": "red"})
            assert (reply.status, reply.headers["Content-Type"]) == (422, PROBLEM)
            assert "/colour" in [error["pointer"] for error in reply.json["errors"]], path
            refusals.append(reply.json)
    shared = contract["components"]["responses"]["Problem422"]["content"][PROBLEM]["examples"]
    assert shared["an_unknown_field"]["value"] in refusals


@pytest.mark.general
def test_every_operation_has_examples(contract: Contract) -> None:
    """Each response with a body has an example, unless it is an Arrow stream.

    Each POST of JSON has an example with its response, and a problem of one that is refused. Those
    of sessions have a request of each game.
    """
    games = [variant.replace("-", "_") for variant in variants()]
    for path, method, operation in operations(contract):
        answers = operation["responses"].get("201", operation["responses"].get("200"))
        if JSON in operation.get("requestBody", {}).get("content", {}):
            requests = operation["requestBody"]["content"][JSON]["examples"]
            refusals = answer(contract, operation, 422)["content"][PROBLEM]["examples"]
            assert list(requests)[:1] == list(answers["content"][JSON]["examples"]), path
            assert list(requests) == games if path.startswith(SESSIONS) else len(requests) == 1
            assert len(refusals) >= 1, path
        for status in operation["responses"]:
            content = answer(contract, operation, int(status)).get("content", {})
            for media_type in content.keys() - {ARROW}:
                assert content[media_type]["examples"], (path, method, status, media_type)


REFUSED: dict[str, tuple[bytes, dict[str, str]]] = {
    "400": (b"{", {"Content-Type": JSON}),
    "406": (b"{}", {"Accept": "image/png"}),
    "408": (b"{", {"Content-Type": JSON, "Content-Length": "2"}),
    "413": (b" " * 2_000_000, {"Content-Type": JSON}),
    "415": (b"{}", {"Content-Type": "text/plain"}),
}
"""A body and headers that cause each problem."""


@pytest.mark.parametrize(
    "status", [pytest.param(each, marks=[pytest.mark.fault] * (each == "408")) for each in REFUSED]
)
def test_problems_are_as_the_contract_says(
    service: Service, contract: Contract, status: str
) -> None:
    """Each operation without a state returns the problem of its example, with its own path."""
    body, headers = REFUSED[status]

    def ask(asked: tuple[str, str, dict[str, Any]]) -> tuple[Reply, dict[str, Any]]:
        path, method, operation = asked
        ((_, example),) = answer(contract, operation, int(status))["content"][PROBLEM][
            "examples"
        ].items()
        if method == "GET":
            asked_for = path.format(variant="poker-dice")
            return service.ask(method, asked_for, headers=headers), example["value"]
        taken = operation["requestBody"]["content"]
        sent = {"Content-Type": NDJSON if NDJSON in taken else JSON, **headers}
        return service.ask(method, path, body, sent), example["value"]

    refusing = [each for each in stateless(contract) if status in each[2]["responses"]]
    with ThreadPoolExecutor(len(refusing)) as pool:  # a stalled body takes 5 seconds
        for (path, *_), (reply, example) in zip(refusing, pool.map(ask, refusing), strict=True):
            assert (reply.status, reply.headers["Content-Type"]) == (int(status), PROBLEM)
            assert reply.json == {**example, "instance": path.format(variant="poker-dice")}


@pytest.mark.general
def test_every_error_has_an_example(contract: Contract) -> None:
    """Every problem of every operation has an example, whose `instance` is its own path, or that
    of an operation that shares the response.
    """
    sharing: dict[str, set[str]] = {}
    for path, _, operation in operations(contract):
        for response in operation["responses"].values():
            own = path.format(session_id=ID, variant=CHESS)
            sharing.setdefault(json.dumps(response), set()).add(own)
    for path, method, operation in operations(contract):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                content = answer(contract, operation, int(status))["content"]
                examples = [each["value"] for each in content[PROBLEM]["examples"].values()]
                (instance,) = {example["instance"] for example in examples}
                assert instance in sharing[json.dumps(response)], (path, method, status)


def test_every_check_of_schemathesis_is_on() -> None:
    """All checks are on for all operations, and the one that needs a bound has it."""
    settings = tomllib.loads((ROOT / "schemathesis.toml").read_text())
    for checks in (settings["checks"], *(one.get("checks", {}) for one in settings["operations"])):
        assert [
            name for name, check in checks.items() if check in (False, {"enabled": False})
        ] == []
    assert settings["checks"]["max_response_time"] > 0


def test_yaml_is_plain() -> None:
    """Any parser can read the committed YAML: it has no anchors and no tags."""
    events = yaml.parse(COMMITTED.read_bytes(), yaml.CSafeLoader)
    assert not any(isinstance(event, yaml.AliasEvent) for event in events)
