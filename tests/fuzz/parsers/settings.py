"""Settings: whatever the environment holds, they are read, or refused with a `ValueError` that
keeps secrets; what is accepted can be used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from ipaddress import ip_address, ip_network

from service.api.http.cors import Cors
from service.redis_address import parse_address
from service.sessions.store.connect import connect
from service.settings import Settings, parse_endpoint
from service.trusted_proxies import parse_proxies

SECRET = "s3cret"

DICTIONARY = (
    *b"redis:// rediss:// unix:// redis+sentinel:// redis+cluster:// user:s3cret@".split(),
    *b"rediss+sentinel:// ?ssl_ca_certs=/a &sentinel_password=s3cret ?db=1 /0 # [::1]:6379".split(),
    *b"[ ] %2F % @ xn-- https:// :65536 10.0.0.0/8 ::/0 fe80::1%eth0 unix ::ffff:1.2.3.4 *".split(),
    *b"off PEER= FORWARDED= ORIGIN=".split(),
    *(b"\xc3\xa9", b", ", b"\n"),
    *(each.name.upper().encode() + b"=" for each in fields(Settings)),
)


def seeds() -> Iterator[bytes]:
    """Lines such as `PORT=80`; PEER, FORWARDED and ORIGIN are of a request."""
    yield b"REDIS_URL=redis://user:s3cret@localhost:6379/0\nWAIT_REPLICAS=1"
    yield b"REDIS_URL=rediss://:s3cret@[::1]:6379/1?ssl_ca_certs=/a"
    yield b"REDIS_URL=unix://user:s3cret@/tmp/a?db=2"
    yield b"REDIS_URL=redis+sentinel://a:1,b/name/3?sentinel_username=a&sentinel_password=s3cret"
    yield b"REDIS_URL=redis+cluster://u:s3cret@a:1,b:2"
    yield b"ALLOW_ORIGINS=https://a.example:443, http://[::1]:80\nORIGIN=https://a.example"
    yield b"TRUSTED_PROXIES=10.0.0.0/8, ::1, unix\nPEER=10.1.1.1\nFORWARDED=1.2.3.4:5, [::1]:80"
    yield b"METRICS=/a/b\nPORT=80\nTHREADS=3"
    yield b"METRICS=9000\nPORT=9000"


def check(data: bytes) -> None:
    """Reads the settings, and uses them."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    environment = {name: value for name, _, value in (line.partition("=") for line in lines)}
    _check_secret(environment.get("REDIS_URL", ""))
    try:
        settings = Settings.from_environment(environment)
    except ValueError:
        return
    if settings.redis_url:
        connect(settings.redis_url)
    parse_endpoint(settings.metrics)
    headers: list[tuple[str, str]] = []
    Cors(settings.allow_origins).add_to(headers, environment.get("ORIGIN", ""))
    peer = environment.get("PEER", "")
    proxies = parse_proxies(settings.trusted_proxies)
    client_of = proxies.client(peer, environment.get("FORWARDED", ""))
    if client_of:
        ip_network(client_of) if "/" in client_of else ip_address(client_of)


def _check_secret(url: str) -> None:
    """Fails if the error for a URL quotes the password."""
    said = ""
    try:
        parse_address(url)
    except ValueError as error:
        said = str(error)
    assert SECRET not in said
