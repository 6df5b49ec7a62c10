"""Bodies that violate the schema or the rules: where each violation is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.operations.posting import EVALUATE, is_problem, send, violations
from tests.live import Service


@pytest.mark.parametrize("body", [b"[]", b"null", b"3", b'"x"', b"true"])
def test_no_object(service: Service, body: bytes) -> None:
    """JSON that isn't an object violates the schema as a whole."""
    reply = send(service, body)
    assert violations(reply) == [("", "must be an object")]


@pytest.mark.parametrize(
    "die", ["0", "7", "-1", "3.5", "true", '"3"', "null", "[3]", "{}", "1e400", "1" + "0" * 30,
            "-1e400", "1" * 5000, "6.000001", "6.0000000000000000001",
            "0.99999999999999999999999", "1e-999999999999999999999"],
)  # fmt: skip
def test_no_die(service: Service, die: str) -> None:
    """Anything but the number of a die is reported by its pointer, also a fraction that is close to
    one.
    """
    reply = send(service, b'{"dice": [1, 2, 3, %s, 6]}' % die.encode())
    ((pointer, detail),) = violations(reply)
    assert (pointer, "between 1 and 6" in detail) == ("/dice/3", True)


def test_three_point_zero_is_three(service: Service) -> None:
    """3.0 is a whole number, as in JSON Schema."""
    reply = send(service, b'{"dice": [1.0, 2e0, 3, 40e-1, 6]}')
    assert (reply.status, reply.json["best"]) == (200, [4, 3, 2, 1, 6])


def test_all_errors_at_once(service: Service) -> None:
    """Every violation of a body is in one response, with names escaped by RFC 6901."""
    body = {
        "dice": [1, 9, "x", 2, 3, 4],
        "a/b": 1,
        "m~n": 2,
        "house_rules": {"pairs_rank": "yes", "ante": 10},
    }
    reply = service.post(EVALUATE, body)
    unknown = "is not a known field; the fields are"
    assert sorted(violations(reply)) == [
        ("/a~1b", f"{unknown} dice, house_rules"),
        ("/dice", "must hold 5 dice, not 6"),
        ("/dice/1", "must be between 1 and 6"),
        ("/dice/2", "must be a whole number between 1 and 6"),
        ("/house_rules/ante", "is not a house rule of this game; it has pairs_rank, "
                              "starting_chips, stakes, rounds, turn_seconds"),
        ("/house_rules/pairs_rank", "must be true or false"),
        ("/m~0n", f"{unknown} dice, house_rules"),
    ]  # fmt: skip


MANY = [
    ("poker-dice/evaluate", {"dice": [0] * 300_000}, 101, "/dice must hold 5 dice, not 300000."),
    ("texas-holdem-dice/evaluate", {"pocket": ["x"] * 100_000, "community": [[]] * 100_000},
     202, "/pocket must hold 2 dice, not 100000."),
    ("poker-dice/evaluate", {"dice": [1] * 5, "house_rules": {f"x{n}": 0 for n in range(50_000)}},
     100, "/house_rules/x"),
    ("poker-dice/rank", {"players": [{"id": f"p{n}", "dice": [7] * 5} for n in range(150)]},
     500, "/players/0/dice/0 "),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "many", "first"), MANY)
def test_many_errors(service: Service, path: str, body: object, many: int, first: str) -> None:
    """Of very many violations, the response lists the first 100 and says that there are more; no
    others are looked for behind a hundred unknown fields or invalid players.
    """
    reply = service.post(f"/v1/variants/{path}", body)
    assert is_problem(reply, 422, f"/v1/variants/{path}")
    assert len(reply.json["errors"]) == 100
    count, _, found = reply.json["detail"].partition(" violations; the first: ")
    assert (count, found[: len(first)]) == (str(many), first)


ALIKE = {"dice": [1] * 5}
RED = ["1r", "2r", "3r", "4r", "5b"]
"""Community dice, of which four are red: one more can be in the pockets."""

TOO_RED = {"pocket": ["1r", "2r"], "community": ["3r", "3r", "4r", "6r"]}
ONE, TWO = ({"id": "ann", "pocket": ["1r", "1b"]}, {"id": "ben", "pocket": ["1r", "1b"]})
WHITE = ["1b", "1w"]


def named(*names: str) -> dict[str, Any]:
    """Players of poker dice with equal dice."""
    return {"players": [{"id": name, **ALIKE} for name in names]}


REFUSED: list[tuple[str, dict[str, Any], set[str]]] = [
    ("poker-dice/evaluate", {}, {"/dice"}),
    ("poker-dice/evaluate", {"dice": "12346"}, {"/dice"}),
    ("poker-dice/evaluate", {**ALIKE, "house_rules": []}, {"/house_rules"}),
    ("poker-dice/evaluate", {**ALIKE, "_schema": 1}, {"/_schema"}),
    ("poker-dice/evaluate", {**ALIKE, "house_rules": {"_schema": 1}}, {"/house_rules/_schema"}),
    ("poker-dice/rank", {"players": []}, {"/players"}),
    ("poker-dice/rank", {"players": {}}, {"/players"}),
    ("poker-dice/rank", {"players": [1, None]}, {"/players/0", "/players/1"}),
    ("poker-dice/rank", {"players": [{"id": "ann", **ALIKE, "_schema": 1}]},
     {"/players/0/_schema"}),
    ("poker-dice/rank", named("", "x" * 65), {"/players/0/id", "/players/1/id"}),
    ("poker-dice/rank", named("a\u001b[2J", "b\n"), {"/players/0/id", "/players/1/id"}),
    ("poker-dice/rank", named("", ""), {"/players/0/id", "/players/1/id"}),
    ("poker-dice/rank",
     {"players": [{"id": "ann", **ALIKE}, {"id": "ann", "dice": [7, 1, 1, 1, 1]}]},
     {"/players/1/id", "/players/1/dice/0"}),
    ("poker-dice/rank", named(*map(str, range(1001))), {"/players"}),
    ("texas-holdem-dice/evaluate", {"pocket": ["6r"], "community": ["6w", "6y"]},
     {"/pocket", "/community"}),
    ("texas-holdem-dice/evaluate", {"pocket": ["7r", "6x"], "community": ["r6", 6, "6R"]},
     {"/pocket/0", "/pocket/1", "/community/0", "/community/1", "/community/2"}),
    ("texas-holdem-dice/evaluate", TOO_RED, {"/community/3"}),
    ("texas-holdem-dice/evaluate", {**TOO_RED, "colour": 1}, {"/community/3", "/colour"}),
    ("texas-holdem-dice/evaluate", {"pocket": ["6r", "6b"], "community": [],
                                    "house_rules": {"ante": 15, "big_limit": 0}},
     {"/house_rules/ante", "/house_rules/big_limit"}),
    ("texas-holdem-dice/rank", {"community": RED[:4], "players": [{**ONE, "paid": 15}]},
     {"/community", "/players", "/players/0/paid"}),
    ("texas-holdem-dice/rank", {"community": RED, "players": [{**ONE, "paid": 10}, TWO]},
     {"/players/1/paid", "/players/1/pocket/0"}),
    ("texas-holdem-dice/rank", {"players": [ONE, TWO, {"id": "cat", "folded": True}]},
     {"/community"}),
    ("texas-holdem-dice/rank", {"players": [{"id": "ann", "paid": 10},
                                            {"id": "ben", "folded": True}]},
     {"/players/1/paid"}),
    ("texas-holdem-dice/rank",
     {"community": RED, "players": [{"id": "ann"}, {"id": "ben", "folded": False},
                                    {"id": "cat", "pocket": WHITE}, {"id": "dan", "folded": True}]},
     {"/players/0/pocket", "/players/1/pocket"}),
    ("texas-holdem-dice/rank",
     {"community": RED, "players": [{"id": "ann", "pocket": WHITE},
                                    {"id": "ben", "pocket": None, "folded": True},
                                    {"id": "cat", "pocket": [], "folded": True}]},
     {"/players/2/pocket"}),
    ("texas-holdem-dice/rank",
     {"community": RED, "players": [{"id": str(n), "pocket": WHITE} for n in range(7)]},
     {"/players"}),
    ("dice-poker/evaluate", {**ALIKE, "open_boxes": []}, {"/open_boxes"}),
    ("dice-poker/evaluate", {**ALIKE, "open_boxes": ["ones", "yahtzee", 3, "ones"]},
     {"/open_boxes/1", "/open_boxes/2", "/open_boxes/3"}),
    ("dice-poker/evaluate", {**ALIKE, "house_rules": {"turn_seconds": 0, "joker": 0}},
     {"/house_rules/turn_seconds", "/house_rules/joker"}),
    ("dice-poker/score", {"card": {"sixes": 17, "ones": "3", "tens": 1, "extra_fives": 13}},
     {"/card/sixes", "/card/ones", "/card/tens", "/card/extra_fives"}),
    ("dice-poker/score", {"card": []}, {"/card"}),
    ("dice-poker/score", {"card": {"_schema": 1}}, {"/card/_schema"}),
    ("dice-poker/score", {"card": {}, "turn": {"box": "tens"}}, {"/turn/dice", "/turn/box"}),
    ("dice-poker/score", {"card": {"ones": 3, "extra_fives": 2}, "turn": {**ALIKE, "box": "ones"}},
     {"/card/extra_fives", "/turn/box"}),
    ("dice-poker/score",
     {"card": {"ones": 3}, "turn": {**ALIKE, "box": "ones"}, "house_rules": {"x": 1}},
     {"/turn/box", "/house_rules/x"}),
    ("dice-poker/rank", {"players": [{"id": "a", "card": {"extra_fives": 2}},
                                     {"id": "b", "card": {"extra_fives": 1}}]},
     {"/players/0/card/extra_fives", "/players/1/card/extra_fives"}),
    ("yahtzee-deluxe/evaluate", {"dice": [1, 2, 3, 4, 5]}, {"/dice"}),
    ("yahtzee-deluxe/evaluate", {"dice": [1, 2, 3, 4, 5, 6], "house_rules": {"joker": True}},
     {"/house_rules/joker"}),
    ("yahtzee-deluxe/evaluate", {"dice": [4] * 6, "open_boxes": ["chance"], "yahtzee": 60},
     {"/yahtzee"}),
    ("yahtzee-deluxe/score", {"card": {"straight": 30}}, {"/card/straight"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "pointers"), REFUSED)
def test_refused(service: Service, path: str, body: dict[str, Any], pointers: set[str]) -> None:
    """A body that violates the schema or the rules gets a 422 with a pointer to each violation,
    whatever the names of unknown fields.
    """
    reply = service.post(f"/v1/variants/{path}", body)
    assert is_problem(reply, 422, f"/v1/variants/{path}")
    assert reply.pointers == pointers


def test_null_is_a_value_of_its_own(service: Service) -> None:
    """Null is a value where the game gives it a meaning, and no value where a field is required."""
    body = {"dice": [1] * 5, "house_rules": {"turn_seconds": None}}
    reply = service.post("/v1/variants/dice-poker/evaluate", body)
    assert (reply.status, reply.json["house_rules"]["turn_seconds"]) == (200, None)
    reply = service.post(EVALUATE, {"dice": None, "house_rules": None})
    assert violations(reply) == [("/dice", "must not be null")]
