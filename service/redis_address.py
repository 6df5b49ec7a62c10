"""What a Redis URL says, checked before anything is connected.

Knows nothing of the client library: settings are read, and URLs checked, in every process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

_PORTS = {"redis": 6379, "sentinel": 26379, "cluster": 6379}
_TLS_OPTIONS = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}
_SENTINEL_OPTIONS = {"sentinel_username", "sentinel_password"}
FORMS = (
    "redis://host:6379/0, rediss:// for TLS, unix:///path/to/socket, "
    "redis+sentinel://host:26379,host2:26379/master_name/0 or redis+cluster://host:6379,host2:6379"
)


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where a Redis is, and as whom to use it."""

    kind: str
    """`redis`, `unix`, `sentinel` or `cluster`."""
    tls: bool = False
    hosts: tuple[tuple[str, int], ...] = ()
    path: str = ""
    master: str = ""
    database: int = 0
    username: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    options: dict[str, str] = field(default_factory=dict, repr=False)


def check(url: str) -> str:
    """The `url`, if it can be used.

    Raises `ValueError` with what it must be; the message holds no part of the URL, which may have
    a password.
    """
    address(url)
    return url


def address(url: str) -> RedisAddress:
    """What `url` says; raises `ValueError` as `check` does."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(f"must be a URL such as {FORMS}") from None
    secure, _, kind = parts.scheme.partition("+")
    if kind == "":
        kind = "unix" if secure == "unix" else "redis"
    elif kind not in ("sentinel", "cluster") or secure == "unix":
        raise ValueError(f"must start as one of {FORMS}")
    if secure not in ("redis", "rediss", "unix"):
        raise ValueError(f"must start as one of {FORMS}")
    if parts.fragment:
        raise ValueError("must have no #; write %23 where a name or a password has one")
    tls = secure == "rediss"
    options = _options(parts.query, kind, tls)
    login, _, places = parts.netloc.rpartition("@")
    name, _, password = login.partition(":")
    username = unquote(name) or None
    secret = unquote(password) or None
    if kind == "unix":
        path = unquote(parts.path)
        if places or path in ("", "/"):
            raise ValueError("must have three slashes before a socket's path: unix:///path")
        database = _database(options.pop("db", "0"))
        return RedisAddress(kind, False, (), path, "", database, username, secret, options)
    hosts = tuple(_host(place, _PORTS[kind]) for place in places.split(","))
    if kind == "redis" and len(hosts) > 1:
        raise ValueError("must have one host; for several: redis+sentinel:// or redis+cluster://")
    words = [unquote(word) for word in parts.path.split("/") if word]
    master = ""
    if kind == "sentinel":
        if not words:
            raise ValueError(
                "must name the master that the sentinels watch: redis+sentinel://host:26379/name"
            )
        master, *words = words
    if len(words) > 1 or (words and kind == "cluster"):
        raise ValueError(
            "must have no database: a Redis Cluster has only one"
            if kind == "cluster"
            else "must end with one database number, or none"
        )
    database = _database(words[0] if words else "0")
    return RedisAddress(kind, tls, hosts, "", master, database, username, secret, options)


def _host(place: str, default: int) -> tuple[str, int]:
    host, colon, port = place.rpartition(":")
    if not colon or port.endswith("]"):  # no port; an IPv6 address stands in brackets
        host, port = place, str(default)
    bare = host.removeprefix("[").removesuffix("]")
    number = int(port) if port.isascii() and port.isdigit() else 0
    if not bare or not 1 <= number <= 65535 or (":" in bare and not host.startswith("[")):
        raise ValueError("must have hosts as host:port, with ports from 1 to 65535")
    try:
        bare.encode("idna")  # as it is looked up
    except UnicodeError:
        raise ValueError(
            "must have names of hosts that can be: parts of 1 to 63 characters, with a dot between"
        ) from None
    return bare, number


def _database(word: str) -> int:
    if not (word.isascii() and word.isdigit()):
        raise ValueError("must have a whole number as its database")
    return int(word)


def _options(query: str, kind: str, tls: bool) -> dict[str, str]:
    """The options after `?`.

    Others that redis-py knows are refused: it would take timeouts and retries from there, which
    this service sets itself.
    """
    known: set[str] = set()
    if kind == "unix":
        known |= {"db"}
    if kind == "sentinel":
        known |= _SENTINEL_OPTIONS
    if tls:
        known |= _TLS_OPTIONS
    options = dict(parse_qsl(query, keep_blank_values=True))
    for name in options:
        if name not in known:
            may = f"only {', '.join(sorted(known))}" if known else "nothing"
            raise ValueError(f"must have {may} after ?, not {name!r}")
    return options
