"""Checks that the service on this machine answers: `python -m service.cli.healthcheck`.

For containers: the exit status is 0 if it answers. It connects directly and ignores proxies in the
environment.
"""

from __future__ import annotations

import socket
import sys
from http.client import HTTPConnection
from ipaddress import ip_address

from service.settings import Settings


def reachable_host(bind_address: str) -> str:
    """The IP address on this machine of a service that listens on `bind_address`.

    A service that listens on every address (0.0.0.0 or ::) answers on the loopback address of the
    same family. Like gunicorn, this resolves a name to IPv4. Raises `OSError` for an unknown name.
    """
    family = socket.AF_INET6 if ":" in bind_address else socket.AF_INET
    addresses = socket.getaddrinfo(bind_address, None, family, socket.SOCK_STREAM)
    host = str(addresses[0][4][0])
    if ip_address(host).is_unspecified:
        return "::1" if family == socket.AF_INET6 else "127.0.0.1"
    return host


def main() -> int:
    """Returns 0 if `/livez` answers with 200 within two seconds, otherwise 1."""
    settings = Settings.from_environment()
    try:
        connection = HTTPConnection(reachable_host(settings.bind_address), settings.port, timeout=2)
        try:
            connection.request("GET", "/livez")
            return int(connection.getresponse().status != 200)
        finally:
            connection.close()
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
