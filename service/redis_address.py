"""What REDIS_URL may hold, checked before the service starts.

One server has the URL that redis-py reads by itself. redis-py has no URL for Sentinel, and one for
a single host of a cluster; `redis+sentinel://` and `redis+cluster://` list several hosts.
This module doesn't import redis-py, because every process reads the settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

FORMS = (
    "redis://host:6379/0, rediss:// for TLS, unix:///path/to/socket, "
    "redis+sentinel://host:26379,host2:26379/master_name/0 or redis+cluster://host:6379,host2:6379"
)
_SCHEMES = {
    "unix",
    *("redis", "redis+sentinel", "redis+cluster"),
    *("rediss", "rediss+sentinel", "rediss+cluster"),
}
_TLS_OPTIONS = {"ssl_ca_certs", "ssl_certfile", "ssl_keyfile"}
_SENTINEL_OPTIONS = {"sentinel_username", "sentinel_password"}


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where a Redis is and how to log in."""

    url: str = field(repr=False)
    """For redis-py: the server, or the first host of several, with all that applies to it."""
    kind: str = ""
    """`sentinel` or `cluster`; empty for one server."""
    hosts: tuple[tuple[str, int], ...] = ()
    """All hosts of a Sentinel or Cluster URL, as (host, port)."""
    master: str = ""
    """The name of the master that the sentinels watch."""
    sentinel_login: dict[str, str] = field(default_factory=dict, repr=False)
    """`username` and `password` for the sentinels themselves."""


def parse_address(url: str) -> RedisAddress:
    """Parses `url`.

    Raises `ValueError` saying what the URL must be. The message quotes no value of the URL, which
    may contain a password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(f"must be a URL such as {FORMS}") from None
    # redis-py takes neither redis:host nor REDIS://host
    if parts.scheme not in _SCHEMES or not url.startswith(f"{parts.scheme}://"):
        raise ValueError(f"must be a URL such as {FORMS}")
    if parts.fragment:
        raise ValueError("must have no #; write %23 for one in a name or password")
    scheme, _, kind = parts.scheme.partition("+")
    options = _options(parts.query, scheme, kind)
    login, at, places = parts.netloc.rpartition("@")
    if scheme == "unix":
        if places or not parts.path.strip("/"):
            raise ValueError("must have three slashes before the path of a socket: unix:///path")
        _check_database(options.get("db", ""))
        return RedisAddress(url)

    first, *others = places.split(",")
    hosts = tuple(_host(place, 26379 if kind == "sentinel" else 6379) for place in (first, *others))
    master, database = "", parts.path.strip("/")
    if kind == "sentinel":
        master, _, database = database.partition("/")
        if not master:
            raise ValueError(
                "must name the master that the sentinels watch: redis+sentinel://host:26379/name"
            )
    if kind == "cluster" and database:
        raise ValueError("must have no database: a Redis Cluster has only one")
    _check_database(database)
    if not kind:
        if others:
            raise ValueError(
                "must have one host; for several: redis+sentinel:// or redis+cluster://"
            )
        return RedisAddress(url)
    sentinel_login = {
        name.removeprefix("sentinel_"): options.pop(name)
        for name in _SENTINEL_OPTIONS & options.keys()
    }
    plain = urlunsplit((scheme, f"{login}{at}{first}", database, urlencode(options), ""))
    return RedisAddress(plain, kind, hosts, unquote(master), sentinel_login)


def _options(query: str, scheme: str, kind: str) -> dict[str, str]:
    """The options after `?`.

    redis-py knows more of them, such as timeouts and retries, which this service sets itself.
    """
    known = {"db"} if scheme == "unix" else _TLS_OPTIONS if scheme == "rediss" else set()
    if kind == "sentinel":
        known = known | _SENTINEL_OPTIONS
    options = dict(parse_qsl(query, keep_blank_values=True))
    if not options.keys() <= known:  # an unknown name may be the end of a password with a ?
        allowed = f"only {', '.join(sorted(known))}" if known else "nothing"
        raise ValueError(f"must have {allowed} after ?; write %3F for one in a name or password")
    return options


def _host(place: str, default: int) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{place}")
        host, port = parts.hostname or "", parts.port or default
        host.encode("idna")  # as the resolver does
    except ValueError:
        host, port = "", 0
    if not host:
        raise ValueError("must have hosts as host:port, with names or IP addresses that can exist")
    return host, port


def _check_database(word: str) -> None:
    """redis-py would silently use database 0 for a word, and 12 for `1/2`."""
    if word and not (word.isascii() and word.isdigit()):
        raise ValueError("must end with one database number, or none")
