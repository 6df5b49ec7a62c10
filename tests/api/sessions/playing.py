"""A client that plays sessions over HTTP."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import redis

from tests.live import JSON, PROBLEM, Reply, Service, named, running, share_tables
from tests.problems import by_the_tables
from tests.sessions.servers import until

PATH = "/v1/sessions"
TABLE = ""
"""Who asks with the table's token; players go by their names."""

UNTIMED = {"turn_seconds": None}
"""House rules of dice-poker without a clock."""


def goes_back(player: str | None, minimum: int, maximum: int) -> dict[str, Any]:
    """How it is listed that a player, or the table (None), may take back."""
    bounds = {"type": "integer", "minimum": minimum, "maximum": maximum}
    return {"action": "take_back", "player": player, "to": bounds}


@dataclass(frozen=True)
class Session:
    """A session for its clients; `made` is the response that created it."""

    service: Service
    made: Any

    @property
    def path(self) -> str:
        """The path of the session."""
        path: str = f"{PATH}/{self.made['id']}"
        return path

    @property
    def secrets(self) -> dict[str, str]:
        """The tokens by owner."""
        tokens = self.made["tokens"]
        return {TABLE: tokens["table"], **tokens["players"]}

    def bearer(self, who: str = TABLE) -> dict[str, str]:
        """The Authorization header with the token of `who`."""
        return {"Authorization": f"Bearer {self.secrets[who]}"}

    def ask(
        self,
        method: str,
        below: str = "",
        body: bytes | None = None,
        who: str | None = TABLE,
        **headers: str,
    ) -> Reply:
        """A request to the session, or what is `below` its path, as `who`; None has no token.

        Underscores in a header's name become hyphens.
        """
        bearer = {} if who is None else self.bearer(who)
        return self.service.ask(method, self.path + below, body, {**bearer, **named(headers)})

    def read(self, who: str = TABLE, below: str = "", **headers: str) -> Reply:
        """Reads the session, or what is `below` its path, as `who`."""
        return self.ask("GET", below, None, who, **headers)

    def wait(self, version: int, seconds: int, who: str = TABLE) -> Reply:
        """Reads the session once it isn't at `version`, or returns the 304 after `seconds`."""
        return self.read(who, f"?wait={seconds}", If_None_Match=f'"{version}"')

    def events(self, who: str = TABLE, **headers: str) -> Reply:
        """Reads its history as `who`."""
        return self.read(who, "/events", **headers)

    def delete(self, who: str = TABLE, **headers: str) -> Reply:
        """Deletes it."""
        return self.ask("DELETE", "", None, who, **headers)

    def send(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Sends bytes, declared as an action, with only `headers`."""
        return self.service.ask("POST", f"{self.path}/actions", body, headers)

    def act(
        self,
        action: str,
        *,
        who: str = TABLE,
        version: int | str = "*",
        key: str | None = None,
        **values: Any,
    ) -> Reply:
        """Performs `action` with `values`, on condition that the session is at `version`."""
        return self.send(
            json.dumps({"action": action, **values}).encode(), self.headers(who, version, key)
        )

    def headers(
        self, who: str = TABLE, version: int | str = "*", key: str | None = None
    ) -> dict[str, str]:
        """The headers of an action; a `version` that is a string is sent unchanged."""
        match = f'"{version}"' if isinstance(version, int) else version
        keyed = {"Idempotency-Key": key} if key is not None else {}
        return {"Content-Type": JSON, **self.bearer(who), "If-Match": match, **keyed}

    def every_request(self, headers: Mapping[str, str], version: int = 1) -> list[Reply]:
        """Every kind of request with `headers`, one of them waiting at `version`: three that read,
        and then those that would change something. One has the key `k`.
        """
        given = {"Content-Type": JSON, "If-Match": "*", **headers}
        known = {**given, "If-None-Match": f'"{version}"'}
        roll = b'{"action": "roll"}'
        return [
            self.service.ask("GET", self.path, headers=given),
            self.service.ask("GET", f"{self.path}?wait=20", headers=known),
            self.service.ask("GET", f"{self.path}/events", headers=given),
            self.send(roll, given),
            self.send(roll, {**given, "Idempotency-Key": "k"}),
            self.send(b'{"action": "no such action"}', given),
            self.service.ask("POST", f"{self.path}/joined", headers=given),
            self.send(b"[]", given),
            self.service.ask("DELETE", self.path, headers=given),
        ]

    def stands(self) -> Any:
        """All that the table sees of it, to compare before and after."""
        return self.read().json, self.events().json


def make(service: Service, variant: str, *players: str, **fields: Any) -> Session:
    """Creates a session."""
    reply = service.post(PATH, {"variant": variant, "players": players, **fields})
    assert reply.status == 201, reply.body
    return Session(service, reply.json)


def tagged(reply: Reply) -> int:
    """The version in the entity tag of a response."""
    found = re.fullmatch(r'"([1-9]\d*)-[0-9a-f]{8}"', reply.headers["ETag"])
    assert found, reply.headers["ETag"]
    return int(found[1])


def answer(reply: Reply) -> tuple[int, bytes, dict[str, str]]:
    """All of a response, except the headers that belong to one request."""
    own = ("Date", "X-Request-ID", "Connection")
    headers = {name: value for name, value in reply.headers.items() if name not in own}
    return reply.status, reply.body, headers


def refusal(reply: Reply, status: int) -> str:
    """The detail of a problem, after checking all its fields."""
    body = reply.json
    assert (reply.status, reply.headers["Content-Type"]) == (status, PROBLEM), reply.body
    assert (body["status"], body) == (status, by_the_tables(body))
    assert body["instance"].startswith(PATH)
    detail: str = body["detail"]
    return detail


def cause(reply: Reply, status: int) -> str:
    """The code of a problem whose text has no values, after checking all its fields: the tables of
    the service have one text for it, which the tests of causes assert.
    """
    refusal(reply, status)
    code: str = reply.json["type"].removeprefix("/problems/")
    return code


def refused(session: Session, action: str, who: str, said: str, **values: Any) -> None:
    """Fails unless an action gets one violation, with what it `said`, and changes nothing."""
    before = session.stands()
    reply = session.act(action, who=who, key="never-used-up", **values)
    assert refusal(reply, 422) == f"{said}."
    assert reply.json["actions"] == before[0]["actions"]
    assert session.stands() == before


def refuses(session: Session, body: object, errors: Mapping[str, str]) -> None:
    """Fails unless an action, as bytes or JSON, gets these errors and the legal actions, and
    changes nothing.
    """
    before = session.stands()
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = session.send(sent, session.headers(key="never-used-up"))
    detail = refusal(reply, 422)
    assert {error["pointer"]: error["detail"] for error in reply.json["errors"]} == errors
    pointer, first = next(iter(errors.items()))
    assert detail.endswith(f"{pointer or 'The body'} {first}.")
    assert reply.json["actions"] == before[0]["actions"] != []
    assert session.stands() == before


@dataclass(frozen=True)
class Kept:
    """A running service, and a client of its store."""

    service: Service
    store: redis.Redis

    def key(self, session: Session) -> str:
        """The key in the store of the session, except its events."""
        return f"dice:{{{session.made['id']}}}"

    def wait_for(self, *sessions: Session) -> None:
        """Returns once a request waits for each of the sessions, or did a moment ago.

        A worker stays subscribed to a session for up to two seconds after the last wait for it.
        """
        keys = {self.key(session).encode() for session in sessions}
        until(lambda: keys <= {*self.store.pubsub_channels()}, f"{len(keys)} are waited for")

    def is_waited_for(self, session: Session) -> bool:
        """Whether a request waits for `session`, or did a moment ago."""
        return self.key(session).encode() in self.store.pubsub_channels()


@contextmanager
def keeping(**settings: str) -> Iterator[Kept]:
    """Runs a service with a store that the test can inspect."""
    with tempfile.TemporaryDirectory() as folder:
        share_tables(folder)
        with (
            running(DATA_DIR=folder, **settings) as service,
            closing(redis.Redis(unix_socket_path=f"{folder}/store.sock")) as store,
        ):
            yield Kept(service, store)
