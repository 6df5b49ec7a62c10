"""Clients of a session: the devices of its players, and the screen on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from tests.engine.random_play import picked
from tests.simulation.records import Record, Request, Response, Seen, Sent, Violated
from tests.simulation.worker import Network, NoResponse
from tests.simulation.world import MILLISECOND, World
from tests.whole_games.legal_player import NOT_VALUES, TAKE_BACK, choose_badly, moves, without_zeros
from tests.whole_games.real_dice import rolled

MOST_RETRIES = 4

LEAVES, TAKES_BACK = 0.02, 0.1
"""How often a client that could act or read leaves, or has a player leave, and how often it takes
back.
"""


class Client:
    """A device with the token of `viewer`.

    Every response is checked as far as the client can tell what is right. `lossy` returns whether
    the session may be gone or at an earlier version, because the store has lost it.
    """

    def __init__(
        self,
        world: World,
        network: Network,
        record: Record,
        viewer: str | None,
        lossy: Callable[[], bool],
    ) -> None:
        self._world, self._network, self._record = world, network, record
        self._viewer, self._lossy = viewer, lossy
        self._name = f"{viewer or 'table'} of {record.id[:4]}"
        self._latest: Response | None = None

    @property
    def knows(self) -> bool:
        """Whether the client has read the session, and it is still there."""
        return self._latest is not None

    @property
    def over(self) -> bool:
        """Whether the game is over in the last state that the client knows."""
        return self._latest is not None and self._latest.json["state"]["over"]

    def play(self, steps: int, pause: int) -> None:
        """Takes some steps, each after a pause of up to so many microseconds."""
        for _ in range(steps):
            self._world.sleep(self._world.rng.randrange(1, pause))
            self._step()

    def read(self, worker: int | None = None) -> Response | None:
        """Reads the session, maybe only if it has changed; returns the response."""
        had = self._had()
        headers = {} if had is None else {"If-None-Match": f'"{had.tag}"'}
        response = self._get("", headers, worker)
        if response is None:
            return None
        if response.status == 404:
            self._latest = None
        elif response.status in (200, 304):
            self._latest = had if response.status == 304 else response
            assert self._latest is not None
            self._record.seen.append(Seen(self._viewer, False, self._latest))
        return response

    def _had(self) -> Response | None:
        """What the client says that it has: what it got last, or maybe what somebody else got."""
        seen = [each for each in self._record.seen[-4:] if not each.history]
        if seen and self._world.chance(0.1):
            return seen[0].response
        return self._latest if self._world.chance(0.5) else None

    def read_history(self, worker: int | None = None) -> Response | None:
        """Reads the history; returns the response."""
        response = self._get("/events", {}, worker)
        if response is not None and response.status == 200:
            self._record.seen.append(Seen(self._viewer, True, response))
        return response

    def act(self) -> Response | None:
        """Acts in the version that the client knows; returns the last response, if any.

        Reads the session again if this client can't act.
        """
        rng, latest = self._world.rng, self._latest
        if latest is None:
            return self.read()
        state = latest.json
        body = self._choice(state)
        if body is None:
            return self.read()
        number = f'"{state["version"]}"'
        match = rng.choice([f'"{latest.tag}"', f'"{latest.tag}"', number, "*"])
        return self._perform(self._new(body, match, keyed=match == "*" or rng.random() < 0.9))

    def _step(self) -> None:
        rng, record = self._world.rng, self._record
        kind = rng.random()
        answered = [sent for sent in record.sent[-8:] if sent.answers and sent.key]
        if self._latest is None or kind < 0.15:
            self.read()
        elif kind < 0.20:
            self.read_history()
        elif kind < 0.24:
            self._act_badly()
        elif kind < 0.32 and answered:
            self._repeat(rng.choice(answered))
        elif kind < 0.34 and answered:
            self._reuse_key(rng.choice(answered))
        elif kind < 0.345:
            self._read_with_a_wrong_token()
        elif kind < 0.355:
            self._create_again()
        elif kind < 0.357:
            self._delete()
            self._create_again()
        else:
            self.act()

    def _choice(self, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """A legal action of this client; None if there is none."""
        rng = self._world.rng
        listed = without_zeros(state["actions"], state["house_rules"])
        mine = [each for each in listed if self._viewer in (None, each["player"])]
        back = [each for each in mine if each["action"] == TAKE_BACK]
        if back and rng.random() < TAKES_BACK:
            return self._body(rng.choice(back), state)
        if rng.random() > LEAVES:
            mine = moves(mine)
        if not mine:
            return None
        return self._body(rng.choice(mine), state)

    def _body(self, listed: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
        """The body of a listed action."""
        rng = self._world.rng
        body = {"action": listed["action"], "player": listed["player"]}
        for name, shape in listed.items():
            if name not in (*NOT_VALUES, "points") and not (
                "default" in shape and rng.random() < 0.2
            ):
                body[name] = picked(rng, shape)
        if "dice" in listed:
            body["dice"] = rolled(rng, listed, body, {None: state})
        return body

    def _act_badly(self) -> None:
        """Sends an action that isn't legal in the version that the client knows, or not its own."""
        assert self._latest is not None
        rng, state = self._world.rng, self._latest.json
        if state["actions"]:
            known = (None, self._viewer)
            others = [one for one in state["actions"] if one["player"] not in known]
            others = [] if self._viewer is None else others
            if others and rng.random() < 0.2:
                body = self._body(rng.choice(others), state)
            else:
                body = choose_badly(rng, state["actions"], state["players"])
            sent = self._new(body, f'"{self._latest.tag}"', keyed=True)
            sent.legal = False
            self._perform(sent)

    def _repeat(self, sent: Sent) -> None:
        """Sends an action again that was answered, maybe for the current version."""
        assert self._latest is not None
        match = self._world.rng.choice([sent.match, f'"{self._latest.tag}"', "*"])
        self._attempt(sent, match)

    def _reuse_key(self, sent: Sent) -> None:
        """Sends another action with the key of one that was answered."""
        assert self._latest is not None
        body = self._choice(self._latest.json)
        if body is None or sent.viewer != self._viewer or self._lossy():
            return
        if _without_nulls(body) == _without_nulls(sent.body):
            return
        headers = _keyed(f'"{self._latest.tag}"', sent.key)
        response = self._ask("POST", "/actions", self._viewer, headers, body)
        if response is not None:
            self._expect(response, 409, 503)

    def _read_with_a_wrong_token(self) -> None:
        response = self._ask("GET", "", "nobody", {})
        if response is not None:
            self._expect(response, 403, 503)

    def _create_again(self) -> None:
        """Sends the request again that has created the session, if it has a key."""
        record = self._record
        if not record.request.headers:
            return
        try:
            response = self._network.ask(self._name, record.request)
        except NoResponse:
            return
        gone = record.deleted or self._lossy()
        self._expect(response, 201, 503, *([409] if gone else []))
        if response.status == 201 and response.body != record.created.body and not self._lossy():
            raise Violated(f"one key has created {record.created} and {response}")

    def _delete(self) -> None:
        self._record.deleted = True
        response = self._ask("DELETE", "", None, {})
        if response is not None:
            self._expect(response, 204, 503)

    def _new(self, body: Mapping[str, Any], match: str, *, keyed: bool) -> Sent:
        key = f"{self._world.rng.getrandbits(64):016x}" if keyed else ""
        sent = Sent(body, self._viewer, match, key)
        self._record.sent.append(sent)
        return sent

    def _perform(self, sent: Sent) -> Response | None:
        """Sends an action until it is answered; without a key only once."""
        response = None
        for attempt in range(MOST_RETRIES if sent.key else 1):
            if sent.key and self._world.chance(0.05):  # a proxy sends it twice
                self._world.start(lambda: self._attempt(sent, sent.match))
            response = self._attempt(sent, sent.match)
            if response is not None and response.status != 503:
                break
            if self._world.chance(0.1):  # the client gives up
                break
            self._world.sleep(self._world.rng.randrange(1, 300 * MILLISECOND << attempt))
        return response

    def _attempt(self, sent: Sent, match: str) -> Response | None:
        """Sends an action once."""
        before = self._record.latest
        sent.attempts += 1
        headers = _keyed(match, sent.key)
        response = self._ask("POST", "/actions", sent.viewer, headers, sent.body)
        if response is None:
            return None
        if response.status == 200:
            self._answered(sent, response)
        elif response.status != 503 or b"nothing was done" in response.body:
            sent.undone += 1
        if response.status == 412:
            self._stale(sent, match, response, before)
        if sent.legal and match != "*":
            # what was legal in a version stays legal in it
            self._expect(response, 200, 412, 503)
        elif not sent.legal:
            self._expect(response, 403, 412, 422, 503)
        return response

    def _answered(self, sent: Sent, response: Response) -> None:
        sent.answers.append(response)
        self._record.seen.append(Seen(sent.viewer, False, response))
        if sent.viewer == self._viewer and _version(response) >= self._version:
            self._latest = response
        self._record.latest = max(self._record.latest, _version(response))

    def _stale(self, sent: Sent, match: str, response: Response, before: int) -> None:
        """A refusal because of the version: the session has moved on, so the action can't follow
        it any more.
        """
        if sent.answers and not self._lossy():
            raise Violated(f"{sent} was performed, and is now refused")
        self._not_before(response, before)
        named = int(match.strip('"').partition("-")[0])
        if _version(response) > named and match == sent.match and not self._lossy():
            sent.ruled_out = True

    def _get(self, path: str, headers: dict[str, str], worker: int | None) -> Response | None:
        before = self._record.latest
        response = self._ask("GET", path, self._viewer, headers, worker=worker)
        if response is None:
            return None
        self._expect(response, 200, 304, 503)
        if response.status == 304 and f'"{response.tag}"' != headers.get("If-None-Match"):
            raise Violated("304 for a version that the client doesn't have")
        if response.status in (200, 304):
            self._not_before(response, before)
            self._record.latest = max(self._record.latest, _version(response))
        return response

    def _ask(
        self,
        method: str,
        path: str,
        viewer: str | None,
        headers: Mapping[str, str],
        body: Mapping[str, Any] | None = None,
        worker: int | None = None,
    ) -> Response | None:
        """The response to a request with the token of `viewer`; None if there is none."""
        token = self._record.tokens.get(viewer, "wrong")
        request = Request(
            method,
            f"/v1/sessions/{self._record.id}{path}",
            {"Authorization": f"Bearer {token}", **headers},
            b"" if body is None else orjson.dumps(body),
        )
        try:
            return self._network.ask(self._name, request, worker)
        except NoResponse:
            return None

    @property
    def _version(self) -> int:
        return _version(self._latest) if self._latest is not None else 0

    def _not_before(self, response: Response, version: int) -> None:
        """Fails if a response is older than what somebody got before it was requested."""
        if _version(response) < version and not self._lossy():
            raise Violated(f"version {_version(response)} after version {version} was there")

    def _expect(self, response: Response, *statuses: int) -> None:
        """Fails unless a response has one of `statuses`, or says that a lost session is gone."""
        if response.status in statuses:
            return
        gone = [404] if self._lossy() or self._record.deleted else []
        other = [403, 422] if self._lossy() else []  # the number of another version; other tokens
        if response.status not in gone + other:
            raise Violated(f"{response.status} instead of {statuses}: {response.body.decode()}")


def _without_nulls(body: Mapping[str, Any]) -> dict[str, Any]:
    """`body` as the service compares it with another one: null for an optional field is none."""
    return {name: value for name, value in body.items() if value is not None}


def _keyed(match: str, key: str) -> dict[str, str]:
    return {"If-Match": match, "Idempotency-Key": key} if key else {"If-Match": match}


def _version(response: Response) -> int:
    return int(response.tag.partition("-")[0])
