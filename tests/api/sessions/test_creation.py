"""New sessions, and invalid requests for them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from service.variants import variants
from tests.api.sessions.playing import PATH, Session, make, refusal, tagged
from tests.live import Service

pytestmark = pytest.mark.smoke

GAMES = {
    name: ["ann", "ben", "cay", "dan"][: variant.players[0]] for name, variant in variants().items()
}
"""Every variant, with as few players as it allows."""


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("dice", ["server", "client"])
def test_made(service: Service, variant: str, dice: str) -> None:
    """The response has the terms, the path and all tokens; a read returns all but the tokens."""
    players = ["ann", "ben \u00a0\u200d\u0301", "\U0001f3b2 / {x} %"]
    body = {"variant": variant, "players": players, "dice": dice, "seed": "my luck"}
    reply = service.post(PATH, body)
    made = reply.json
    assert (reply.status, tagged(reply)) == (201, 1)
    assert reply.headers["Location"] == f"{PATH}/{made['id']}"
    assert (made["version"], made["variant"], made["players"]) == (1, variant, players)
    assert (made["dice"], made["state"]["over"]) == (dice, False)
    lived = datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"])
    assert lived.total_seconds() == 86_400
    assert abs((datetime.now(UTC) - datetime.fromisoformat(made["created_at"])).seconds) < 60
    fairness = made.pop("fairness", None)
    if dice == "server":
        assert re.fullmatch("[0-9a-f]{64}", fairness.pop("commitment"))
        assert fairness == {"client_seed": "my luck", "seed": None}
    else:
        assert fairness is None
    session = Session(service, made)
    secrets = session.secrets
    assert [*secrets] == ["", *players]
    assert len(set(secrets.values())) == len(secrets)
    assert all(re.fullmatch(r"[\w-]{43}", secret) for secret in secrets.values())
    read = session.read()
    answer = read.json
    answer.pop("fairness", None)
    assert answer == {name: value for name, value in made.items() if name != "tokens"}
    assert (read.headers["ETag"], read.headers["Cache-Control"], read.headers["Vary"]) == (
        reply.headers["ETag"],
        "private, no-cache, no-transform",
        "Authorization, Accept-Language",
    )


@pytest.mark.parametrize("seconds", [60, 61.0, 30 * 86_400, None])
def test_how_long_it_is_kept(service: Service, seconds: float | None) -> None:
    """A session is kept after its last action for as long as its creator asked, or for a day."""
    made = make(service, "poker-dice", "ann", "ben", keep_seconds=seconds).made
    lived = datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"])
    assert lived.total_seconds() == (seconds or 86_400)


@pytest.mark.parametrize("variant", GAMES)
def test_most_players(service: Service, variant: str) -> None:
    """The number of players is limited by the variant or the service."""
    reply = service.post(PATH, {"variant": variant, "players": [f"p{n}" for n in range(101)]})
    detail = refusal(reply, 422)
    found = re.fullmatch(r"/players must be a list of (\d+) to (\d+) players\.", detail)
    assert found
    least, most = int(found[1]), int(found[2])
    assert least == len(GAMES[variant])
    made = make(service, variant, *[f"p{n}" for n in range(most)]).made
    assert len(made["tokens"]["players"]) == most
    for count in (most + 1, 0):
        named = [f"p{n}" for n in range(count)]
        assert refusal(service.post(PATH, {"variant": variant, "players": named}), 422) == detail


NO_NAME = "must be a string of 1 to 64 characters"
REVERSED = "the small blind can't be above the big blind (H36)"
UNPRINTED = "must not hold control, invisible or text direction characters"


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ([], {"": "must be an object"}),
        ("dice-poker", {"": "must be an object"}),
        ({"variant": "dice-poker"}, {"/players": "is missing"}),
        ({"variant": "dice-poker", "players": "ann"},
         {"/players": "must be a list of 1 to 100 players"}),
        ({"variant": "dice-poker", "players": {"ann": 1}},
         {"/players": "must be a list of 1 to 100 players"}),
        ({"variant": "dice-poker", "players": ["ann", 1, None, "", "x" * 65, ["ann"]]},
         {f"/players/{index}": NO_NAME for index in range(1, 6)}),
        ({"variant": "dice-poker", "players": ["ann", "ben", "ann", "ann"]},
         {"/players/2": "is already the name of /players/0",
          "/players/3": "is already the name of /players/0"}),
        ({"variant": "dice-poker", "players": ["ann", "b\u001bn", 1, "cat\n", "\u2028"]},
         {"/players/1": f"{UNPRINTED}: character 2 is U+001B",
          "/players/2": NO_NAME,
          "/players/3": f"{UNPRINTED}: character 4 is U+000A",
          "/players/4": f"{UNPRINTED}: character 1 is U+2028"}),
        ({"variant": "dice-poker", "players": ["ann", "\u202enna", "ann\u200b"]},
         {"/players/1": f"{UNPRINTED}: character 1 is U+202E",
          "/players/2": f"{UNPRINTED}: character 4 is U+200B"}),
        ({"variant": "dice-poker", "players": ["ann"], "seed": 1},
         {"/seed": "must be a string of up to 64 characters"}),
        ({"variant": "dice-poker", "players": ["ann"], "seed": "x" * 65},
         {"/seed": "must be a string of up to 64 characters"}),
        ({"variant": "dice-poker", "players": ["ann"], "dice": "mine"},
         {"/dice": "must be one of server, client"}),
        ({"variant": "dice-poker", "players": ["ann", "robo"], "computers": {"cat": "easy"}},
         {"/computers/cat": "must be one of ann, robo"}),
        ({"variant": "dice-poker", "players": ["ann", "robo"], "computers": {"robo": "super"}},
         {"/computers/robo": "must be one of easy, medium, hard, best"}),
        *(({"variant": "dice-poker", "players": ["ann"], "keep_seconds": seconds},
           {"/keep_seconds": "must be a whole number between 60 and 2592000"})
          for seconds in (59, 0, -1, 30 * 86_400 + 1, 1e300, 60.5, "60", True, [60])),
        ({"variant": "dice-poker", "players": ["ann"], "token": "x"},
         {"/token": "is not a known field; "
                    "the fields are variant, players, dice, seed, advice, cards, "
                    "keep_seconds, computers, house_rules"}),
        ({"variant": "roll-a-royal", "players": ["ann"],
          "house_rules": {"turns": None, "target_score": None}},
         {"/house_rules": "must hold turns or target_score: a game without both never ends"}),
        ({"variant": "texas-holdem-dice", "players": ["ann", "ben"],
          "house_rules": {"small_blind": 20, "big_blind": 10, "total_chips": 10}},
         {"/house_rules/small_blind":
             f"contradicts /house_rules/big_blind: {REVERSED}",
          "/house_rules/big_blind":
             f"contradicts /house_rules/small_blind: {REVERSED}",
          "/house_rules/total_chips": "must be at least 20: a chip for each of /players (H35)"}),
    ],
    ids=str,
)  # fmt: skip
def test_no_session(service: Service, body: Any, errors: dict[str, str]) -> None:
    """An invalid request for a session is refused with every violation."""
    reply = service.post(PATH, body)
    refusal(reply, 422)
    assert {error["pointer"]: error["detail"] for error in reply.json["errors"]} == errors
    assert "Location" not in reply.headers


@pytest.mark.parametrize(
    ("dice", "rules", "seconds"),
    [
        ("server", {}, 30),
        ("server", {"turn_seconds": None}, None),
        ("client", {}, None),
        ("client", {"joker": True}, None),
        ("client", {"turn_seconds": None}, None),
        ("client", {"turn_seconds": 30}, 30),
    ],
)
def test_clock_of_typed_dice(
    service: Service, dice: str, rules: dict[str, Any], seconds: int | None
) -> None:
    """Where players type their dice in, no clock runs unless they choose one (D14)."""
    body = {"variant": "dice-poker", "players": ["ann"], "dice": dice, "house_rules": rules}
    made = service.post(PATH, body).json
    assert made["house_rules"]["turn_seconds"] == seconds
    assert made["house_rules"]["joker"] is rules.get("joker", False)
    assert (made["state"]["ends_at"] is None) == (seconds is None)
    clock = next(
        rule
        for rule in service.get("/v1/variants/dice-poker").json["house_rules"]
        if rule["name"] == "turn_seconds"
    )
    assert (clock["default"], clock["typed_default"]) == (30, None)


@pytest.mark.parametrize("variant", ["", "x", "Dice-Poker", None, 1, ["dice-poker"], {}])
def test_unknown_variant(service: Service, variant: object) -> None:
    """An unknown variant is refused; the error lists the known ones."""
    reply = service.post(PATH, {"variant": variant, "players": ["ann"]})
    ids = {each["id"] for each in service.get("/v1/variants").json["variants"]}
    found = re.fullmatch(r"/variant must be one of (.*)\.", refusal(reply, 422))
    assert found
    assert {*found[1].split(", ")} == ids == {*GAMES}
    missing = service.post(PATH, {"players": ["ann"]})
    assert refusal(missing, 422) == f"/variant is missing; must be one of {found[1]}."


@pytest.mark.parametrize(
    ("variant", "rules", "pointers"),
    [
        ("dice-poker", [], ["/house_rules"]),
        ("dice-poker", {"joker": 1, "turn_seconds": 0, "ante": 5},
         ["/house_rules/joker", "/house_rules/turn_seconds", "/house_rules/ante"]),
        ("dice-poker", {"turn_seconds": 86_401}, ["/house_rules/turn_seconds"]),
        ("dice-poker", {"turn_seconds": "30"}, ["/house_rules/turn_seconds"]),
        ("dice-poker", {"turn_seconds": 0.5}, ["/house_rules/turn_seconds"]),
        ("roll-a-royal", {"turns": 0}, ["/house_rules/turns"]),
        ("texas-holdem-dice", {"ante": -5}, ["/house_rules/ante"]),
        ("poker-dice", {"starting_chips": True}, ["/house_rules/starting_chips"]),
    ],
    ids=str,
)  # fmt: skip
def test_no_house_rules(service: Service, variant: str, rules: object, pointers: list[str]) -> None:
    """Invalid house rules are refused by name."""
    body = {"variant": variant, "players": ["ann", "ben"], "house_rules": rules}
    reply = service.post(PATH, body)
    refusal(reply, 422)
    assert reply.pointers == {*pointers}
