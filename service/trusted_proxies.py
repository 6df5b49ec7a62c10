"""Parses the setting TRUSTED_PROXIES, and finds out which client a request comes from."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

UNIX = "unix"
"""The word for a proxy that connects through a Unix socket, which has no address."""

_WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([^:]*):\d+").fullmatch

_LONGEST = 64
"""The longest text that may be an address."""

Address = IPv4Address | IPv6Address


def parse_proxies(text: str) -> TrustedProxies:
    """The proxies in `text`: addresses, networks and `unix`, separated by commas; none if empty.

    Raises `ValueError` that says what `text` must be, and names the first value that is wrong.
    """
    networks: list[IPv4Network | IPv6Network] = []
    unix = False
    for value in filter(None, (each.strip() for each in text.split(","))):
        if value == UNIX:
            unix = True
            continue
        try:
            networks.append(ip_network(value))
        except ValueError:
            raise ValueError(
                f"must be addresses and networks separated by commas, such as 10.0.0.0/8, or "
                f"{UNIX} for a Unix socket: {value!r}"
            ) from None
    return TrustedProxies(tuple(networks), unix=unix)


class TrustedProxies:
    """The proxies in `networks`, and with `unix` those that connect through a Unix socket.

    Nobody else can say which client a request comes from.
    """

    def __init__(self, networks: tuple[IPv4Network | IPv6Network, ...], *, unix: bool) -> None:
        self._networks = networks
        self._unix = unix
        self._known = lru_cache(4096)(self._look_up)

    def client(self, peer: str, forwarded: str) -> str:
        """The client of a request from `peer` ("" for a Unix socket) with this X-Forwarded-For.

        Each proxy appends the address that it was connected to by, so the list is read from the
        right: the client is the first address that isn't a trusted proxy. What lies to the left of
        it may be forged. An IPv6 client is its network of 64 bits, since it can take any address
        there. If a trusted proxy appended no valid address, or none but trusted ones are there, the
        client is the last proxy that was found.
        """
        client, trusted = self._known(peer) if peer else ("", self._unix)
        while trusted and forwarded:
            forwarded, _, nearest = forwarded.rpartition(",")
            found, trusted = self._known(nearest[:_LONGEST].strip())
            client = found or client
        return client

    def _look_up(self, text: str) -> tuple[str, bool]:
        """The client at an address ("" if it is none), and whether that is a trusted proxy."""
        address = _address(text)
        if address is None:
            return "", False
        trusted = any(address in network for network in self._networks)
        if address.version == 6:
            return str(IPv6Network((address, 64), strict=False)), trusted
        return str(address), trusted


def _address(text: str) -> Address | None:
    """The address in `text`, which may have a port; None if there is none."""
    parts = _WITH_PORT(text)
    try:
        address = ip_address((parts[1] or parts[2] or "") if parts else text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or IPv6Address(int(address))  # without a zone
    return address
