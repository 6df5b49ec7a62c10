"""One request, parsed while it arrives: its head, then its body into a temporary file."""

from __future__ import annotations

import re
from collections.abc import Hashable
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO
from urllib.parse import quote, unquote_to_bytes, urlsplit

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from service.worker.chunks import BrokenChunks, Chunks
from service.worker.hooks import Hooks
from service.worker.refusal import Refusal, unparsable

HEAD_BYTES = 1 << 16
"""The longest head of a request: its first line and its headers."""

MEMORY_BYTES = 1 << 20
"""The longest body that is kept in memory; a longer one goes to a temporary file."""

SMALL_BYTES = 1 << 16
"""The longest body that doesn't make a request `large`."""

SMALL_CHUNKS = 256
"""The most chunks that don't make a request `large`: parsing a chunk takes as long as parsing
hundreds of bytes."""

_METHOD = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+(?= )").match

_REQUEST_LINE = re.compile(rb"([^\s]+) ([^\s]+) HTTP/1\.([01])").fullmatch

_UPGRADE = re.compile(rb"\r\nupgrade:[^\r\n]*", re.IGNORECASE)

_PART = r"(?:[A-Za-z0-9_~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}){1,63}"
_HOST = re.compile(rf"(\[[0-9A-Fa-f:.]+\]|(?:{_PART}(?:\.{_PART})*\.?)?)(:[0-9]*)?").fullmatch
"""`uri-host [ ":" port ]`, RFC 9110, 7.2; Flask takes no name that no resolver would look up."""

_LINE_END = b"\r\n"

JOINT = ", "
"""What joins the values of a header that is sent several times (RFC 9110, 5.3). A value that can't
hold a space, such as an Idempotency-Key, thus can't be made of two."""


class Request:
    """A request, as far as it has arrived.

    `headers` are pairs of the name, in upper case, and the value. `path_info` is the unquoted path
    in the form that WSGI prescribes: each character is a byte. `body` holds `received` bytes, and
    the head has `head_bytes`.
    The request is `complete` when nothing of it is missing, or when the body is `too_long`: then
    the rest is not received. `keep_alive` says whether the connection is kept for another request.
    """

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks
        self.method = self.target = self.path = self.path_info = self.query = ""
        self.version = "HTTP/1.1"
        self.headers: list[tuple[str, str]] = []
        self.keep_alive = self.complete = self.too_long = self.expects_continue = False
        self.body: IO[bytes] = BytesIO()
        self.head_bytes = self.received = 0
        self._chunks: Chunks | None = None
        self._length = 0
        self._id = ""
        self.work: Hashable = None
        self._most = 0
        self._always_large = False
        self._parser: HttpRequestParser | None = HttpRequestParser(self)

    def read_method(self, head: bytes) -> None:
        """Reads the method that `head` begins with, if all of it has arrived.

        A response to HEAD has no body, whatever is wrong with the rest of the head.
        """
        method = _METHOD(head)
        self.method = method[0].decode() if method else ""

    def parse_head(self, head: bytes) -> None:
        """Parses `head`, which ends with an empty line. Raises `Refusal`."""
        self.read_method(head)
        self.head_bytes = len(head)
        line, _, fields = head.partition(_LINE_END)
        if len(line) > self._hooks.line_bytes:
            self._parse_refused(head)
            raise unparsable(
                f"the request line is too long ({len(line)} > {self._hooks.line_bytes} bytes)",
                "uri-too-long",
            )
        words = _REQUEST_LINE(line)
        if not words:
            raise unparsable(f"invalid request line {line.decode('latin-1')!r}")
        self.method, self.target, minor = (word.decode("latin-1") for word in words.groups())
        self.version = f"HTTP/1.{minor}"
        try:
            self._split_target()
            self._check_size(fields)
        except Refusal:
            self._parse_refused(head)
            raise
        if b"\r\nupgrade:" in head.lower():
            head = _UPGRADE.sub(b"", head)  # there is nothing to upgrade to (RFC 9110, 7.8)
        self._parse(head)
        self._check_headers()
        self._parser = None  # it refers to the request and would keep it in memory

    def take(self, data: bytes) -> bytes:
        """Takes the part of the body that `data` begins with, and returns the rest of `data`.

        The rest belongs to the next request, or can't be parsed before more arrives. Raises
        `Refusal`.
        """
        if self.complete:
            return data
        if self._chunks is not None:
            try:
                rest = self._chunks.take(data)
            except BrokenChunks:
                raise Refusal("bad-chunks") from None
            self.complete = self.complete or self._chunks.ended
            return rest
        missing = self._length - self.received
        self._keep(data[:missing])
        self.complete = self.received == self._length
        return data[missing:]

    def drop_body(self) -> None:
        """Frees the body, which the app has had and won't read again."""
        if self.received:
            self.close()
            self.body = BytesIO()

    def close(self) -> None:
        """Closes the body. What couldn't be written to a full disk doesn't matter any more."""
        with suppress(OSError):
            self.body.close()

    @property
    def missing_bytes(self) -> int:
        """How many bytes of the body are missing, or of the current chunk."""
        if self._chunks is not None:
            return self._chunks.missing_bytes
        return self._length - self.received

    @property
    def chunked(self) -> bool:
        """Whether the body comes in chunks."""
        return self._chunks is not None

    @property
    def large(self) -> bool:
        """Whether its kind is, or it has a body of more than `SMALL_BYTES` or `SMALL_CHUNKS`."""
        return (
            self._always_large
            or max(self._length, self.received) > SMALL_BYTES
            or (self._chunks is not None and self._chunks.count > SMALL_CHUNKS)
        )

    @property
    def instance(self) -> str:
        """The path as a URI reference, empty if it couldn't be parsed."""
        return quote(self.path_info.encode("latin-1"))

    @property
    def id(self) -> str:
        """The id of the request, which the client may have chosen.

        It needs the headers: nothing reads it before these are parsed or can't be parsed.
        """
        if not self._id:
            self._id = self._hooks.request_id(self.header(self._hooks.id_header))
        return self._id

    def header(self, name: str) -> str:
        """The value of the header `name`, empty without one; several are joined, as for the app."""
        return JOINT.join(value for each, value in self.headers if each == name)

    def ended_early(self) -> Refusal:
        """The refusal of a request whose connection ended within the body."""
        if self.chunked:
            return Refusal("bad-chunks")
        return Refusal("body-ended", count=self.received, length=self._length)

    # Callbacks of the parser.

    def on_header(self, name: bytes, value: bytes) -> None:
        """Appends a header. The parser keeps white space after a value (RFC 9110, 5.5)."""
        self.headers.append((_upper(name), value.decode("latin-1").strip(" \t")))

    def on_headers_complete(self) -> None:
        """Notes whether the connection is kept."""
        if self._parser is not None:
            self.keep_alive = self._parser.should_keep_alive()

    def on_message_complete(self) -> None:
        """Notes the end of a request without a body."""
        self.complete = True

    def _keep(self, data: bytes) -> None:
        """Writes a piece of the body to its file."""
        self.received += len(data)
        if self.received > self._most:
            self._give_up_body()
        else:
            self.body.write(data)

    def _parse(self, data: bytes) -> None:
        assert self._parser is not None
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:  # CONNECT, which no path of the app takes
            self.keep_alive = False
        except HttpParserError as error:
            self._check_coding()
            raise unparsable(error) from None

    def _parse_refused(self, head: bytes) -> None:
        """Parses as much as it can of a `head` that is refused: the response needs its headers."""
        with suppress(Refusal):
            self._parse(head)

    def _split_target(self) -> None:
        if self.target.startswith("/"):
            path, _, query = self.target.partition("#")[0].partition("?")
        elif "://" in self.target:  # for a proxy
            try:
                parts = urlsplit(self.target)
            except ValueError:
                raise unparsable(f"invalid target {self.target!r}") from None
            path, query = parts.path or "/", parts.query
        elif self.target == "*" and self.method == "OPTIONS":  # the service (RFC 9110, 9.3.7)
            path, query = "*", ""
        else:  # such as the host and port of CONNECT
            raise unparsable(f"invalid target {self.target!r}")
        self.path, self.query = path, query
        self.path_info = path  # bytes that should have been quoted stay as they are
        if "%" in path:
            self.path_info = unquote_to_bytes(path.encode("latin-1")).decode("latin-1")
        self.work = self._hooks.work_of(self.method, self.path_info)
        kind = self._hooks.kinds[self.work]
        self._most, self._always_large = kind.body_bytes, kind.large

    def _check_size(self, fields: bytes) -> None:
        if fields.count(_LINE_END) - 1 > self._hooks.headers:
            why = f"there are more than {self._hooks.headers} headers"
            raise unparsable(why, "headers-too-large")
        longest = self._hooks.header_bytes
        if len(fields) > longest and max(map(len, fields.split(_LINE_END))) > longest:
            raise unparsable(f"a header has more than {longest} bytes", "headers-too-large")

    def _check_headers(self) -> None:
        """Reads the length or coding of the body. Raises `Refusal` for headers that are invalid.

        HTTP/1.1 needs exactly one valid Host (RFC 9112, 3.2).
        """
        hosts = []
        for name, value in self.headers:
            if name == "HOST":
                hosts.append(value)
            elif name == "CONTENT-LENGTH":
                self._length = int(value)
            elif name == "TRANSFER-ENCODING":
                self._chunks = Chunks(self._keep)
            elif name == "EXPECT":
                if value.lower() != "100-continue":
                    raise unparsable(f"unknown expectation {value!r}", "unknown-expectation")
                self.expects_continue = self.version == "HTTP/1.1"
        if self._chunks is not None:
            self._check_coding()
            if self.version == "HTTP/1.0":
                raise unparsable("HTTP/1.0 has no Transfer-Encoding")
        if (
            len(hosts) > 1
            or not all(map(_HOST, hosts))
            or (not hosts and self.version == "HTTP/1.1")
        ):
            raise Refusal("no-host")
        if self._length > self._most:
            self._give_up_body()
        elif self._chunks is not None or self._length > MEMORY_BYTES:
            self.body = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115  # `close` closes it

    def _check_coding(self) -> None:
        """Raises `Refusal` for a transfer coding other than chunked."""
        for name, value in self.headers:
            if name == "TRANSFER-ENCODING" and value.lower() != "chunked":
                raise unparsable(f"unknown transfer coding {value!r}", "unknown-coding")

    def _give_up_body(self) -> None:
        """Stops receiving a body that is too long.

        Whether the rest is valid doesn't matter then, even if it has arrived with this part.
        """
        if self._chunks is not None:
            self._chunks.stop()
        self.complete = self.too_long = True
        self.keep_alive = False


@lru_cache(1024)
def _upper(name: bytes) -> str:
    return name.decode("latin-1").upper()
