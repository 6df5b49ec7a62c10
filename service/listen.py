"""Checks that the service can listen where it is to, before anything else is started."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from service.settings import IN_JSON, Settings, parse_endpoint

_NOT_OURS = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
_MOST_TRIES = 100
_TRY = " Try: "


def addresses_of(settings: Settings) -> list[tuple[str, int]]:
    """The host and the port of each address in `settings`."""
    ports = (settings.port, parse_endpoint(settings.metrics).port)
    return [(settings.bind_address, port) for port in ports if port]


def check(
    settings: Settings, addresses: Sequence[tuple[str, int] | str], command: str = ""
) -> None:
    """Exits with one line if the service can't listen at all of `addresses`, as gunicorn has them:
    a host and a port, or the path of a Unix socket. What it says to try ends with `command`.
    """
    why = _why_not(settings, addresses)
    if _TRY in why:
        why = f"{why} {command}".rstrip()
    if why and settings.log_format == IN_JSON:
        from service.operator_log import notice  # slow to import, and not needed otherwise

        notice(why, settings.log_format)
        sys.exit(1)
    if why:
        sys.exit(why)


def _why_not(settings: Settings, addresses: Sequence[tuple[str, int] | str]) -> str:
    """Why the service can't listen at all of `addresses`, and what to try; "" if it can."""
    with ExitStack() as held:  # or one would be free for two of them
        for number, address in enumerate(addresses):
            others = addresses[:number]
            if isinstance(address, str):
                why = f"{address} is to be two sockets." if address in others else ""
                why = why or _why_no_socket(address)
            else:
                ports = {other[1] for other in others if not isinstance(other, str)}
                why = _why_no_port(settings, *address, ports, held)
            if why:
                return why
    return ""


def _why_no_port(settings: Settings, host: str, port: int, ports: set[int], held: ExitStack) -> str:
    """Why nobody can listen there, and what to try; "" if the service can: then the port is `held`.
    The service already holds `ports`, at other addresses or the same.
    """
    try:
        held.enter_context(_bound(host, port))
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE and port in ports:
            return f"Port {port} is in use: the service is to listen there at several addresses."
        if number == errno.EADDRINUSE:
            return f"Port {port} is in use.{_other_port(settings, host, port, port + 1)}"
        if number == errno.EACCES:
            free = _other_port(settings, host, port, Settings.port)
            return f"Port {port} is reserved for root.{free}"
        if number in _NOT_OURS or isinstance(error, socket.gaierror | UnicodeError):
            remedy = f"{_TRY}BIND_ADDRESS={Settings.bind_address}"
            ours = host == settings.bind_address
            return f"{host} is not an address of this machine.{remedy if ours else ''}"
        return f"The service can't listen at {host}, port {port}: {error}"
    return ""


def _other_port(settings: Settings, host: str, port: int, first: int) -> str:
    """What to try instead of `port`: a free one from `first` on, if there is one nearby."""
    taken = [port for _, port in addresses_of(settings)]
    if port not in taken:  # gunicorn's own settings have chosen it
        return ""
    for other in range(first, min(first + _MOST_TRIES, 65536)):
        try:
            _bound(host, other).close()
        except OSError:
            continue
        if other not in taken:
            variable = "PORT" if port == settings.port else "METRICS"
            return f"{_TRY}{variable}={other}"
    return ""


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens at a port, so that no other can. Like gunicorn's, it isn't kept from
    that by connections of a service that has just stopped. Raises `OSError`, and `UnicodeError` for
    what is no host name.
    """
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen()
    except BaseException:
        bound.close()
        raise
    return bound


def _why_no_socket(path: str) -> str:
    """Why no Unix socket can be made at `path`; "" if it can. gunicorn replaces one that is there,
    even if another service listens on it.
    """
    if not os.access(os.path.dirname(path) or ".", os.W_OK | os.X_OK):
        return f"The folder of the socket {path} is missing, or can't be written."
    if os.path.lexists(path) and not Path(path).is_socket():
        return f"{path} is not a socket."
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):  # nobody listens there, any more or yet
            return ""
        except BlockingIOError:  # somebody does, and is too busy to accept connections
            pass
        except OSError as error:  # such as a path that is too long
            return f"The service can't listen at {path}: {error}"
    return f"The socket {path} is in use."
