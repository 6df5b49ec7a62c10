"""Why the service refuses a request, or can't answer it: every cause, in one table.

The codes, the statuses, the pages under `/problems`, the contract and docs/errors.md come from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique
from http import HTTPStatus
from typing import Any

from service.api.http.problem_details import Problem
from service.rules.breaches import Breach, TooMuch
from service.rules.sentences import Wording
from service.sessions.store.scripts import LONG
from service.tables import NotYet


@unique
class Staleness(Wording):
    """Why the conditions of a request don't fit the version of a session."""

    NOT_NAMED = "which If-Match doesn't name"
    NAMED_BY_NONE_MATCH = "which If-None-Match names"
    OLDER = "and If-Match names only later ones"
    REPLACED = "but not in the state that If-Match names, which may have been lost"
    MALFORMED = (
        'and If-Match names none: send the number in quotes, "{version}", or the ETag as the '
        "service sent it, which a proxy that compresses changes"
    )


_FIRST = "{count}{count:? violations; the first: }{pointer}{body:?The body} {why}."


@unique
class Cause(Enum):
    """A cause: the status, what the problem says (a template of `fill_in`), and what to do.

    The contract fills in the values of the example.
    """

    # What the server can't parse
    UNPARSABLE = (
        HTTPStatus.BAD_REQUEST,
        "The request can't be parsed: {message}.",
        "Send HTTP/1.1 as RFC 9112 defines it; an HTTP library does.",
        {"message": "invalid request line"},
    )
    NO_HOST = (
        HTTPStatus.BAD_REQUEST,
        "A request must have one Host header: a host, and perhaps a port.",
        "Send one Host header; an HTTP library does.",
    )
    HEAD_ENDED = (
        HTTPStatus.BAD_REQUEST,
        "The connection ended within the head of the request.",
        "Send the whole request.",
    )
    BODY_ENDED = (
        HTTPStatus.BAD_REQUEST,
        "The body ended after {count} of {length} bytes.",
        "Send the whole body, or its true length. If a proxy cut it off, raise its limits.",
        {"count": 100, "length": 200},
    )
    BAD_CHUNKS = (
        HTTPStatus.BAD_REQUEST,
        "The body ended early, or its chunked encoding is invalid.",
        "Send the whole body, in chunks as RFC 9112 defines them.",
    )
    URI_TOO_LONG = (
        HTTPStatus.REQUEST_URI_TOO_LONG,
        "The request can't be parsed: {message}.",
        "Send values in the body rather than in the URL.",
        {"message": "the request line is too long (9000 > 8190 bytes)"},
    )
    HEADERS_TOO_LARGE = (
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "The request can't be parsed: {message}.",
        "Send fewer or shorter headers, such as cookies, which the service doesn't need.",
        {"message": "a header has more than 8190 bytes"},
    )
    UNKNOWN_EXPECTATION = (
        HTTPStatus.EXPECTATION_FAILED,
        "The request can't be parsed: {message}.",
        "Leave out the Expect header, or send 100-continue.",
        {"message": "unknown expectation '200-maybe'"},
    )
    UNKNOWN_CODING = (
        HTTPStatus.NOT_IMPLEMENTED,
        "The request can't be parsed: {message}.",
        "Send the body with a Content-Length, or chunked.",
        {"message": "unknown transfer coding 'gzip'"},
    )
    HEAD_STALLED = (
        HTTPStatus.REQUEST_TIMEOUT,
        "The head of the request did not arrive within {seconds} seconds.",
        "Send the request at once. On a slow line, try again.",
        {"seconds": 5},
    )
    BODY_STALLED = (
        HTTPStatus.REQUEST_TIMEOUT,
        "The body stalled for {seconds} seconds, or came slower than 1 KiB a second.",
        "Send the body without pauses. On a slow line, send less at once.",
        {"seconds": 5},
    )
    OVERTAKEN = (
        HTTPStatus.REQUEST_TIMEOUT,
        "Other requests were waiting, and this one took more than {seconds} seconds.",
        "Send it again, or in smaller parts.",
        {"seconds": 60},
    )
    IN_EXCESS = (
        HTTPStatus.REQUEST_TIMEOUT,
        "Another client was waiting, and yours sends many large requests at once. Send it again.",
        "Send large requests one after another.",
    )
    BODIES_TOO_LARGE = (
        HTTPStatus.REQUEST_TIMEOUT,
        "Large bodies took up more than {limit} MiB in all, and this one the most: {count} bytes "
        "had arrived. Send it again later, or in smaller parts.",
        "Send large batches one after another, or in smaller parts.",
        {"limit": 256, "count": 67_108_864},
    )

    # What a proxy before the service says (deploy/nginx.conf)
    SERVICE_AWAY = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The service is unavailable. Send the request again, with the same Idempotency-Key.",
        "Repeat the request as Retry-After says, with the same Idempotency-Key: it is done only "
        "once.",
    )
    TOO_MANY_CONNECTIONS = (
        HTTPStatus.TOO_MANY_REQUESTS,
        "Your address has too many requests under way at once.",
        "Send fewer requests at once, and try again as Retry-After says.",
    )
    UNKNOWN_VERSION = (
        HTTPStatus.HTTP_VERSION_NOT_SUPPORTED,
        "The proxy speaks HTTP/1.0 and HTTP/1.1.",
        "Send HTTP/1.1.",
    )

    # Paths, methods and media types
    NOT_FOUND = (
        HTTPStatus.NOT_FOUND,
        "There is nothing at this path. /v1/variants lists the variants and their links; "
        "/openapi.yaml describes every path.",
        "Take paths from the links of the catalogue, or from the contract.",
    )
    NO_SUCH_VARIANT = (
        HTTPStatus.NOT_FOUND,
        "There is no such variant. The variants are: {allowed}.",
        "Take the id of a variant from /v1/variants.",
        {"allowed": ["dice-poker", "poker-dice"]},
    )
    NO_SUCH_OPERATION = (
        HTTPStatus.NOT_FOUND,
        "{variant} has no such operation. Its operations are: {allowed}.",
        "Take the path of an operation from the links of the catalogue.",
        {"variant": "poker-dice", "allowed": ["evaluate", "rank"]},
    )
    METHOD_NOT_ALLOWED = (
        HTTPStatus.METHOD_NOT_ALLOWED,
        "{method} is not allowed here; allowed: {allowed}.",
        "Use one of the methods in the Allow header.",
        {"method": "PUT", "allowed": ["GET", "HEAD"]},
    )
    NOT_ACCEPTABLE = (
        HTTPStatus.NOT_ACCEPTABLE,
        "The response is {offered:any}; Accept allows: {accepted}.",
        "Allow one of these media types in Accept, or leave the header out.",
        {"offered": ["application/json"], "accepted": "image/png"},
    )
    WRONG_MEDIA_TYPE = (
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be {allowed:any}; text must be in UTF-8. Content-Type is "
        "{sent}{missing:?missing}.",
        "Declare the body as what it is, in Content-Type.",
        {"allowed": ["application/json"], "sent": "text/plain"},
    )
    ENCODED = (
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must not be encoded; Content-Encoding is {sent}.",
        "Send the body as it is.",
        {"sent": "gzip"},
    )
    UNKNOWN_ENCODING = (
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        "The body must be uncompressed or a gzip; Content-Encoding is {sent}.",
        "Send the batch as it is, or as a gzip.",
        {"sent": "br"},
    )

    # Bodies
    INVALID = (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        _FIRST,
        "Correct each value that `errors` names by its pointer; nothing was done.",
        {"pointer": "/dice/3", "why": Breach.OUT_OF_RANGE(minimum=1, maximum=6)},
    )
    NOT_JSON = (
        HTTPStatus.BAD_REQUEST,
        "The body is not valid JSON: {message}.",
        "Send JSON as RFC 8259 defines it, without NaN and with each key once in an object.",
        {"message": "Expecting property name enclosed in double quotes, at line 1, column 2"},
    )
    LINE_NOT_JSON = (
        HTTPStatus.BAD_REQUEST,
        "The line is not valid JSON: {message}.",
        "Correct the line, and send it again; the other lines are answered.",
        {"message": "Expecting value, at line 1, column 1"},
    )
    NOT_A_GZIP = (
        HTTPStatus.BAD_REQUEST,
        "The body is not a valid gzip, although Content-Encoding says so.",
        "Compress the whole body as one gzip member, or leave out Content-Encoding.",
    )
    GZIP_ENDED = (HTTPStatus.BAD_REQUEST, "The body ended within its gzip.", "Send the whole gzip.")
    BEHIND_GZIP = (
        HTTPStatus.BAD_REQUEST,
        "The body must be one gzip member, with nothing after it.",
        "Compress the whole body as one gzip member.",
    )
    SHORT_BODY = (
        HTTPStatus.BAD_REQUEST,
        "The body is shorter than its Content-Length.",
        "Send the whole body.",
    )
    NOT_ARROW = (
        HTTPStatus.BAD_REQUEST,
        "The body is not an Arrow stream of hands: {message}.",
        "Send an Arrow IPC stream with the column `dice`.",
        {"message": "it ends within a message"},
    )
    TOO_LARGE = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body may hold at most {limit} bytes.",
        "Send less at once, for example a batch in several requests.",
        {"limit": 1 << 20},
    )
    REST_TOO_LARGE = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "Apart from the hands, the body may have at most {limit} bytes.",
        "Send only the hands and the house rules.",
        {"limit": 65_536},
    )
    LINE_TOO_LARGE = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "A line may hold at most {limit} bytes.",
        "Send one request per line.",
        {"limit": 65_536},
    )
    TOO_MANY_HANDS = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "One request may hold at most {limit} hands.",
        "Send the hands in several requests.",
        {"limit": 1_000_000},
    )
    TOO_MUCH_WORK = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The searches of one request may take {limit} steps, and those of the first {count} hands "
        "used them up. Send these hands in one request, and those from {other} on in another.",
        "Send the hands in several requests.",
        {"limit": 100_000, "count": 20, "other": "/hands/20"},
    )
    LINES_TOO_MUCH_WORK = (
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "The batch ends here, after {count} lines: all lines of a request may take {limit} steps, "
        "and those lines used them up. Send this line and those after it in another request.",
        "Send the lines that have no answer in another request.",
        {"limit": 100_000, "count": 20},
    )
    TOO_MANY_FAILED = (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "The batch ends here: {failed} of the first {count} lines failed, and a request may have "
        "at most {limit} such lines. Correct them, and send this line and those after it in "
        "another request.",
        "Correct the lines that failed.",
        {"limit": 1_000, "failed": 1_001, "count": 1_001},
    )

    # Sessions: tokens
    NO_TOKEN = (
        HTTPStatus.UNAUTHORIZED,
        "A token of the session is needed: Authorization: Bearer … The response that created the "
        "session has the table token and each player's token.",
        "Send a token of the session.",
    )
    WRONG_TOKEN = (
        HTTPStatus.FORBIDDEN,
        "The token doesn't belong to this session.",
        "Send a token of this session; that of another one is of no use.",
    )
    OTHER_PLAYERS_TOKEN = (
        HTTPStatus.FORBIDDEN,
        "The token belongs to {owner}, but the action is for {player}.",
        "Send the token of that player or of the table, or leave `player` out.",
        {"owner": "player 2", "player": "player 1"},
    )
    TABLE_TOKEN_NEEDED = (
        HTTPStatus.FORBIDDEN,
        "Only the table token can delete a session.",
        "Send the table token, which the response that created the session has.",
    )
    GAME_NOT_OVER = (
        HTTPStatus.FORBIDDEN,
        "The game isn't over. Until then, only the table token gets the review.",
        "Ask again when the game is over.",
    )

    # Sessions: which one, and what it has
    NO_SUCH_SESSION = (
        HTTPStatus.NOT_FOUND,
        "There is no such session: it never existed, was deleted, or expired because nobody acted "
        "in it before expires_at.",
        "Create another session.",
    )
    NO_REVIEW = (
        HTTPStatus.NOT_FOUND,
        "There are no reviews of this game: only score cards have them.",
        "Ask for the review of a score card.",
    )
    ADVICE_NOT_AGREED = (
        HTTPStatus.CONFLICT,
        "This session was created without advice. Only the request that creates a session can ask "
        'for it: "advice": true.',
        "Create a session with advice, or call advise without a session.",
    )
    NOTHING_TO_DECIDE = (
        HTTPStatus.CONFLICT,
        "There is nothing to advise on now: nobody has to decide on dice that this token may see.",
        "Ask again when it is this player's turn.",
    )
    NO_ADVICE_HERE = (
        HTTPStatus.CONFLICT,
        "There is no advice or forecast for this position: {pointer}{body:?the body} {why}.",
        "Play on; a later position may have advice.",
        {"pointer": "/card", "why": Breach.TOO_MANY_OPEN(why=TooMuch.OPEN_BOXES(count=20))},
    )
    NEWER_RELEASE = (
        HTTPStatus.CONFLICT,
        "A newer release of the service wrote this session, and this one can't read it; use an "
        "up-to-date one.",
        "Try again: behind a load balancer, an up-to-date process may answer.",
    )

    OLDER_RELEASE = (
        HTTPStatus.CONFLICT,
        "An older release of the service wrote this session in a form that this one doesn't read "
        "any more; nothing was done.",
        "Create another session.",
    )

    # Sessions: actions and conditions
    ILLEGAL_ACTION = (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        _FIRST,
        "Choose one of `actions`, which are legal now.",
        {"pointer": "/action", "why": Breach.ILLEGAL_ACTION(allowed=["roll"])},
    )
    NOT_YOUR_TURN = (
        HTTPStatus.FORBIDDEN,
        "The token belongs to {owner}, but only {allowed:any} can act now.",
        "Wait until the session changes; it says who can act.",
        {"owner": "ben", "allowed": ["ann"]},
    )
    NO_VERSION = (
        HTTPStatus.PRECONDITION_REQUIRED,
        "If-Match must name the version that this action is for, by its number in quotes: "
        'If-Match: "7".',
        "Send If-Match with the version that the action was chosen for.",
    )
    STALE_VERSION = (
        HTTPStatus.PRECONDITION_FAILED,
        "The session is at version {version}, {why}; read it again and decide again.",
        "Read the session, and decide again: somebody else has acted.",
        {"version": 2, "why": Staleness.NOT_NAMED()},
    )
    NO_SESSION_YET = (  # RFC 9110, 13.1.1
        HTTPStatus.PRECONDITION_FAILED,
        "There is no session yet that If-Match could name; nothing was done. Leave the header out.",
        "Create sessions without If-Match.",
    )
    TOO_MANY_EVENTS = (
        HTTPStatus.CONFLICT,
        "This session has as many events as it may have; nothing was done. It can be read until it "
        "expires. Create another session to play on.",
        "Create another session.",
    )
    TOO_MANY_AT_ONCE = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "Too many clients act in this session at once, and another one came first each time; "
        "nothing was done. Try again.",
        "Try again with the same Idempotency-Key.",
    )

    # Sessions: idempotency keys
    BAD_KEY = (
        HTTPStatus.BAD_REQUEST,
        "Idempotency-Key must be one value of {minimum} to {maximum} visible ASCII characters.",
        "Send one key, such as a random UUID.",
        {"minimum": 1, "maximum": 255},
    )
    SHORT_KEY = (
        HTTPStatus.BAD_REQUEST,
        "Idempotency-Key must be one value of {minimum} to {maximum} visible ASCII characters, "
        "such as a random UUID: whoever repeats the request gets the tokens.",
        "Send one key that nobody can guess, such as a random UUID.",
        {"minimum": 16, "maximum": 255},
    )
    KEY_USED_OTHERWISE = (
        HTTPStatus.CONFLICT,
        "This Idempotency-Key was used for another action of this session; nothing was done. Use a "
        "new key for each action.",
        "Use a new key for each action, and the same one only to repeat it.",
    )
    KEY_USED_WITH_OTHER_BODY = (
        HTTPStatus.CONFLICT,
        "This Idempotency-Key was used with another body; nothing was done. Use a new key for each "
        "session, such as a random UUID.",
        "Use a new key for each session, and the same one only to repeat the request.",
    )
    CREATED_SESSION_GONE = (
        HTTPStatus.CONFLICT,
        "The session that this Idempotency-Key created was deleted or has expired; nothing was "
        "done. Use a new key for each session, such as a random UUID.",
        "Use a new key.",
    )

    # Limits
    RATE_LIMITED = (
        HTTPStatus.TOO_MANY_REQUESTS,
        "You have used up your {quota} units a minute. A request costs one unit, and one more for "
        "each millisecond that it computes. Try again in {seconds} s.",
        "Wait as long as Retry-After says.",
        {"quota": 60, "seconds": 1},
    )
    TOO_MANY_SESSIONS = (
        HTTPStatus.TOO_MANY_REQUESTS,
        "You can create {quota} sessions in an hour, and have done so; nothing was done. Existing "
        "sessions continue. Try again in {seconds} s.",
        "Wait as long as Retry-After says, or play on in an existing session.",
        {"quota": 600, "seconds": 6},
    )

    # The service itself
    TABLE_IN_THE_MAKING = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The table of this game under these house rules is not ready: {why}. Try again in "
        "{seconds} {seconds:second|seconds}.",
        "Try again as Retry-After says. Each table is made once.",
        {"why": NotYet.BEGUN(), "seconds": 2},
    )
    NO_STORE = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions {message}.",
        "Whoever runs the service has to start its store, or to correct REDIS_URL.",
        {"message": "can't be reached (Connection refused)"},
    )
    STORE_AWAY = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions is unavailable{changes:?; nothing was done}. Try again.",
        "Try again as Retry-After says, with the same Idempotency-Key if the request has one.",
        {"changes": True},
    )
    STORE_UNUSABLE = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions can't be used; nothing was done. Whoever runs the service finds the "
        "reason in its log, and at /readyz?store.",
        "Tell whoever runs the service.",
    )
    SESSION_DAMAGED = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions has this session in a form that nobody can read; nothing was done. "
        "Whoever runs the service finds out more in its log.",
        "Tell whoever runs the service; create another session.",
    )
    NOT_REPLICATED = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions has performed the request, but too few of its replicas have it yet, "
        "so it may still be lost. Try again, with the same Idempotency-Key if the request has one.",
        "Repeat the request with the same Idempotency-Key: it is done only once.",
    )
    OUTCOME_UNKNOWN = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions doesn't answer; nobody knows whether the request was performed. Try "
        "again, with the same Idempotency-Key if the request has one.",
        "Repeat the request with the same Idempotency-Key: it is done only once.",
    )
    STORE_FULL = (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The store of sessions is nearly full: it takes no new session, and no action in one of "
        "{limit:,} events; nothing was done. Sessions make room when they expire. Try again later.",
        "Try again later. Whoever runs the service can give the store more memory.",
        {"limit": LONG},
    )
    UNEXPECTED = (
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "An unexpected error occurred; the log has it under this X-Request-ID.",
        "Tell whoever runs the service, with the X-Request-ID.",
    )

    def __init__(
        self,
        status: HTTPStatus,
        template: str,
        remedy: str,
        example: Mapping[str, Any] | None = None,
    ) -> None:
        self.status, self.template, self.remedy = status, template, remedy
        self.example = example or {}

    @property
    def code(self) -> str:
        """What follows `/problems/` in the type of the problem."""
        return self.name.lower().replace("_", "-")

    def problem(self, headers: Mapping[str, str] | None = None, /, **values: Any) -> Problem:
        """The problem to raise, with `headers` and `values`; those that are None are left out."""
        given = {name: value for name, value in values.items() if value is not None}
        return Problem(self, given, headers)
