"""The response to a request that never reaches the app: the service says what it has."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import formatdate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.worker.hooks import Hooks
    from service.worker.request import Request


class Refusal(Exception):
    """Raised for a request that can't be parsed or doesn't arrive in full.

    `cause` is a code, and `values` are those in the sentence that the service has for it.
    """

    def __init__(self, cause: str, **values: object) -> None:
        super().__init__(cause)
        self.cause, self.values = cause, values


def unparsable(why: object, cause: str = "unparsable") -> Refusal:
    """The refusal of a request that can't be parsed, and why."""
    return Refusal(cause, message=str(why))


@dataclass(frozen=True)
class RefusalResponse:
    """A complete response, after which the connection closes. `body` is empty for HEAD."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def sent(self) -> int:
        """The length of the body in bytes."""
        return len(self.body)

    def encode(self) -> bytes:
        """The response as it is sent."""
        lines = (f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in self.headers))
        head = "".join(f"{line}\r\n" for line in lines)
        return f"{head}\r\n".encode("latin-1") + self.body


def refusal_response(refusal: Refusal, request: Request, hooks: Hooks) -> RefusalResponse:
    """The response to a `request` that is refused, as far as it could be parsed."""
    status, headers, body = hooks.problem(refusal, request)
    headers = [
        ("Date", formatdate(usegmt=True)),
        ("Connection", "close"),
        ("Content-Length", str(len(body))),
        *headers,
    ]
    status_line = f"{int(status)} {status.phrase}"
    return RefusalResponse(status_line, headers, b"" if request.method == "HEAD" else body)
