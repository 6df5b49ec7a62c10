"""Parses requests to sessions strictly: a new session of a variant, an action, and headers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import request

from service.api.http.causes import Cause
from service.api.http.conditional import read_tags
from service.api.operations.advising import STRENGTH
from service.api.operations.registry import API_KINDS
from service.api.schemas import shapes
from service.api.schemas.fields import (
    MAX_ID_LENGTH,
    StrictField,
    by_player,
    flag,
    player_id,
    whole,
    word,
)
from service.api.schemas.requests import RequestSchema, request_schema
from service.api.schemas.shapes import Shape
from service.engine.actions import ActionKind, optional_values
from service.engine.game import Game
from service.kinds.registry import GAMES
from service.rules.breaches import Breach
from service.rules.house_rules import for_typed_dice
from service.rules.variant import OTHER_LANGUAGES, Variant
from service.rules.violations import InvalidInput, Violation, read_each, refuse
from service.sessions.fair import LONGEST_CLIENT_SEED
from service.sessions.requests import ACTIONS, ActionRequest
from service.sessions.view import TAG_DIGITS, Versions
from service.settings import Settings
from service.texts import ENGLISH

WAIT = "wait"
MAX_WAIT = 60
"""The longest that `?wait=` may ask for, in seconds."""

KEEP_SECONDS = "keep_seconds"
COMPUTERS = "computers"
LEAST_SECONDS = 60
"""The shortest time for which a client can have a session kept, in seconds."""

MAX_KEY_LENGTH = 255
"""The longest idempotency key, in characters."""

MIN_CREATION_KEY_LENGTH = 16
"""The shortest idempotency key of a new session, in characters."""

MAX_SESSION_PLAYERS = 100
"""The most players in one session of a variant without a limit of its own."""

SERVER, CLIENT = "server", "client"
"""Who rolls the dice of a session: the service, or the players, who type them in."""

WHO_ROLLS = shapes.named_enum("WhoRolls", (SERVER, CLIENT))

_TAG = re.compile(
    rf"(.*-[0-9a-f]{{{TAG_DIGITS}}})(?:-({'|'.join(OTHER_LANGUAGES)}))?(-.*)?"
).fullmatch
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_LENGTH}}}\Z").match


def most_players(variant: Variant) -> int:
    """The most players of `variant` in one session."""
    return variant.players[1] or MAX_SESSION_PLAYERS


def new_session(variant: Variant, max_seconds: int) -> RequestSchema:
    """A request for a session of `variant`, which is kept for at most `max_seconds`."""
    least, most = variant.players[0], most_players(variant)
    return request_schema(
        variant,
        "SessionRequest",
        {
            "variant": word(Shape(type="string", enum=[variant.id]), required=True),
            "players": _players(least, most),
            "dice": word(
                WHO_ROLLS,
                load_default=SERVER,
                description="Who rolls: the service, from a seed that it commits to, or the "
                f"players, who type in their dice. Default: `{SERVER}`.",
            ),
            "seed": _seed(),
            "advice": flag(
                load_default=False,
                description="Whether players may ask for advice. Default: `false`.",
            ),
            GAMES.of(variant).paper: paper_field(variant),
            KEEP_SECONDS: _keep_seconds(max_seconds),
            COMPUTERS: by_player(word(STRENGTH), most, "Players for whom the service plays."),
        },
    )


def _players(least: int, most: int) -> StrictField:
    """The names of the players."""
    name = player_id()

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise InvalidInput(
                Violation((), Breach.NOT_A_LIST_BETWEEN(minimum=least, maximum=most, of="players"))
            )
        names: set[str] = set()

        def read_name(given: object) -> str:
            found: str = name.read(given)
            if found in names:
                detail = Breach.NAME_TAKEN(other=f"/players/{value.index(found)}")
                raise InvalidInput(Violation((), detail))
            names.add(found)
            return found

        return tuple(read_each(value, read_name))

    shape = shapes.list_of(  # without uniqueItems: generators make that a set, which has no order
        name.json_schema, "Different names in seat order, clockwise.", minItems=least, maxItems=most
    )
    return StrictField(read, shape, required=True)


def _seed() -> StrictField:
    """The client's seed."""

    def read(value: object) -> str:
        if not isinstance(value, str) or len(value) > LONGEST_CLIENT_SEED:
            raise InvalidInput(Violation((), Breach.TOO_LONG(maximum=LONGEST_CLIENT_SEED)))
        return value

    shape = Shape(type="string", maxLength=LONGEST_CLIENT_SEED)(
        "The client's part in the dice of the service. Default: empty."
    )
    return StrictField(read, shape, load_default="")


def _keep_seconds(most: int) -> StrictField:
    """How long the session is kept. The contract doesn't have the limit, as it is a setting."""
    bounded = whole(LEAST_SECONDS, most)
    shape = Shape(type="integer", minimum=LEAST_SECONDS)(
        "How long to keep the session after its last action, up to the limit of the service, by "
        "default 30 days. Default: a day, unless the service has another."
    )
    return StrictField(bounded.read, shape)


class NewSession:
    """Parses requests for new sessions of any of `variants`; `schemas` has one for each. A session
    is kept for at most `max_seconds`.
    """

    def __init__(
        self, variants: Iterable[Variant], max_seconds: int = Settings.max_session_seconds
    ) -> None:
        self.schemas = {variant: new_session(variant, max_seconds) for variant in variants}
        self._by_id = {variant.id: variant for variant in self.schemas}

    def read(self, body: object) -> tuple[Variant, Mapping[str, Any]]:
        """The variant and the fields of a decoded body.

        Raises `InvalidInput` for what is wrong; for an unknown variant, only that.
        """
        if not isinstance(body, dict):
            raise InvalidInput(Violation((), Breach.NOT_AN_OBJECT()))
        named = body.get("variant")
        variant = self._by_id.get(named) if isinstance(named, str) else None
        if variant is None:
            known = [*self._by_id]
            raise InvalidInput(
                Violation(
                    ("variant",),
                    Breach.NOT_ONE_OF(allowed=known)
                    if "variant" in body
                    else Breach.CHOICE_MISSING(allowed=known),
                )
            )
        given = self.schemas[variant].load(body)
        if given["dice"] == CLIENT:
            chosen = self.schemas[variant].without_nulls(body).get("house_rules", {})
            given["house_rules"] = for_typed_dice(given["house_rules"], chosen)
        refuse(
            Violation((COMPUTERS, name), Breach.NOT_ONE_OF(allowed=[*given["players"]]))
            for name in given.get(COMPUTERS, ())
            if name not in given["players"]
        )
        written = given.get(GAMES.of(variant).paper)
        given["paper"] = paper_of(variant, given["players"], written)
        return variant, given

    def without_nulls(self, variant: Variant, body: object) -> object:
        """A valid `body` without the nulls that mean the same as leaving out the field."""
        return self.schemas[variant].without_nulls(body)


def paper_field(variant: Variant) -> StrictField:
    """What each player has in a game that goes on from paper, by player."""
    own, most = API_KINDS.of(variant).on_paper(variant), most_players(variant)
    return by_player(own, most, "To go on with a game from paper.")


def paper_of(
    variant: Variant, players: Sequence[str], written: Mapping[str, Any] | None
) -> tuple[Any, ...]:
    """What each of `players` has, as `paper_field` parsed it; empty without it.

    Raises `InvalidInput` naming each of them who is missing, and each other player.
    """
    if written is None:
        return ()
    unknown = Breach.UNKNOWN_FIELD(allowed=[*players])
    refuse(
        Violation((GAMES.of(variant).paper, name), unknown if name in written else Breach.MISSING())
        for name in sorted({*players} ^ written.keys())
    )
    return tuple([written[player] for player in players])


class Actions:
    """Parses actions in the games of `variants`.

    Null for a value that is optional in one of these games means the same as leaving it out in all
    of them: the contract has one schema for all actions of the same name.
    """

    def __init__(self, variants: Iterable[Variant]) -> None:
        kinds: dict[str, list[ActionKind]] = {}
        for variant in variants:
            for kind in GAMES.of(variant).actions(variant):
                kinds.setdefault(kind.name, []).append(kind)
        self._optional = {name: optional_values(found) for name, found in kinds.items()}

    def read(self, body: object, token: str, versions: Versions, key: str) -> ActionRequest:
        """Parses the action in a decoded body, or the list of actions.

        `token`, `versions` and `key` come from the headers. Raises `InvalidInput` for what no game
        could allow; the game checks the rest.
        """
        if isinstance(body, dict) and ACTIONS in body:
            given: Mapping[str, Any] = self._listed(body)
        else:
            given = self._read(body)
        return ActionRequest.of(given, token, versions, key)

    def _read(self, body: object) -> Mapping[str, Any]:
        """An action without the nulls that mean the same as leaving out the field."""
        action = _action(body)
        optional = self._optional.get(action["action"], frozenset())
        return {
            name: value
            for name, value in action.items()
            if value is not None or name not in optional
        }

    def _listed(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """A body with a list of actions."""
        listed, unknown = body[ACTIONS], Breach.UNKNOWN_FIELD(allowed=[ACTIONS])
        violations = [Violation((name,), unknown) for name in body if name != ACTIONS]
        if not isinstance(listed, list) or not 1 <= len(listed) <= Game.most_actions:
            wrong = Breach.NOT_A_LIST_BETWEEN(minimum=1, maximum=Game.most_actions, of="actions")
            raise InvalidInput(*violations, Violation((ACTIONS,), wrong))
        refuse(violations)
        try:
            return {ACTIONS: read_each(listed, self._read)}
        except InvalidInput as refused:
            raise refused.within(ACTIONS) from None


def _action(body: object) -> Mapping[str, Any]:
    """`body`, an object with the name of an action, and maybe of a player.

    Raises `InvalidInput` for anything else.
    """
    if not isinstance(body, dict):
        raise InvalidInput(Violation((), Breach.NOT_AN_OBJECT()))
    violations = []
    action, player = body.get("action"), body.get("player")
    if not isinstance(action, str):
        wrong = Breach.NOT_AN_ACTION() if "action" in body else Breach.ACTION_MISSING()
        violations.append(Violation(("action",), wrong))
    if player is not None and not isinstance(player, str):
        wrong = Breach.NOT_A_STRING(minimum=1, maximum=MAX_ID_LENGTH)
        violations.append(Violation(("player",), wrong))
    refuse(violations)
    return body


def none_match(language: str = "") -> frozenset[str] | None:
    """The tags in If-None-Match as the session has them, None for `*`.

    Those of responses in other languages than `language` are left out, unless it is empty. A proxy
    that compresses may have added an ending, such as -gzip.
    """
    tags = read_tags(request.environ.get("HTTP_IF_NONE_MATCH", ""))
    if tags.star:
        return None
    parts = [(tag, _TAG(tag)) for tag in tags.all]
    return frozenset(
        [
            found[1] if found else tag
            for tag, found in parts
            if not (found and language) or language == (found[2] or ENGLISH.code)
        ]
    )


def read_token() -> str:
    """The token of the request. Raises `Problem` 401 without one."""
    scheme, _, token = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Cause.NO_TOKEN.problem({"WWW-Authenticate": "Bearer"})
    return str(token.strip())


WAIT_OUT_OF_RANGE = Breach.SECONDS_OUT_OF_RANGE(minimum=0, maximum=MAX_WAIT)


def read_wait() -> int:
    """How many seconds the client wants to wait. Raises `InvalidInput` for an invalid `wait`."""
    given = request.args.get(WAIT, "0")
    if not (given.isascii() and given.isdigit() and len(given) < 4 and int(given) <= MAX_WAIT):
        raise InvalidInput(Violation((WAIT,), WAIT_OUT_OF_RANGE))
    return int(given)


def read_versions(*, required: bool = True) -> Versions:
    """The versions that If-Match and If-None-Match allow (RFC 9110, 13.1).

    Tags name the same version in all languages. If-None-Match has a weak comparison, so it forbids
    more. Raises `Problem` 428 if If-Match is missing, but `required`.
    """
    given = request.environ.get("HTTP_IF_MATCH", None if required else "*")
    if given is None:
        raise Cause.NO_VERSION.problem()
    tags = read_tags(given)
    strong = [(tag, _TAG(tag)) for tag in tags.strong]
    match = frozenset([found[1] if found and not found[3] else tag for tag, found in strong])
    return Versions(None if tags.star else match, none_match())


def read_key(*, creates: bool = False) -> str:
    """The idempotency key, "" without one. Raises `Problem` 400 if it is malformed, or too short
    for a new session, or if there are several: the server joins them with a space.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    least = MIN_CREATION_KEY_LENGTH if creates else 1
    if key is not None and not (_KEY(key) and len(key) >= least):
        cause = Cause.SHORT_KEY if creates else Cause.BAD_KEY
        raise cause.problem(minimum=least, maximum=MAX_KEY_LENGTH)
    return key or ""
