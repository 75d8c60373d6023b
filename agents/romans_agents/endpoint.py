"""A server that is sent JSON: it gets so much time and no more, and what is sent to it goes nowhere else."""

from __future__ import annotations

import contextlib
import functools
import http.client
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from romans_env.errors import error_line, in_one_line

MOST_BYTES = 2**24
"""Of an answer."""
_ADDRESS = re.compile(
    r"https?://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?(/[!-~]*)?", re.IGNORECASE | re.ASCII
)


class EndpointError(RuntimeError):
    """A server that does not answer as it should; one line says how.

    Attributes:
        status: the HTTP status; None where there is none.
    """

    def __init__(self, message: str, status: int | None = None):
        super().__init__(message)
        self.status = status


class Endpoint:
    """The address of a server.

    No redirect is followed: it would take the headers, and a key among them, to a place that nobody named. Proxies that
    the environment names (``https_proxy``) are used.

    Args:
        url: ``http://`` or ``https://``, a host, perhaps a port, and a path.

    Raises:
        ValueError: another text, also one with a name and a password, a query or a fragment.
    """

    def __init__(self, url: str):
        found = _ADDRESS.fullmatch(url)
        # The text is not quoted: it may hold a password.
        if not url.lower().startswith(("http://", "https://")):
            raise ValueError("url begins with http:// or https://")
        if found is None or "?" in url or "#" in url or int(found["port"] or 0) > 65535:
            raise ValueError("url is a host with at most a port and a path, such as http://127.0.0.1:11434/v1")
        self.url = url.rstrip("/")

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody on the way reads what is sent."""
        return self.url.lower().startswith("https://")

    def post(self, path: str, body: bytes, headers: Mapping[str, str], seconds: float) -> bytes:
        """Send a body to a path below the address; the body of the answer.

        Raises:
            TimeoutError: the answer is not there after ``seconds``, however slowly it comes.
            EndpointError: there is none, it is no answer, or its status is not of success.
        """
        request = urllib.request.Request(f"{self.url}{path}", body, dict(headers))
        call = _Call(request, time.monotonic() + seconds)
        # A thread of its own: resolving a name, and headers that come a letter at a time, have no other limit.
        thread = threading.Thread(target=call.run, daemon=True, name="endpoint")
        thread.start()
        try:
            thread.join(max(seconds, 0.0))
            # What it makes of a connection that is closed below is no answer.
            answer, error = call.answer, call.error
        finally:
            call.end()
        if answer is not None:
            return answer
        if error is None or isinstance(error, TimeoutError):
            raise TimeoutError
        raise _as_endpoint_error(error) from None


class _Call:
    """A request that is being answered.

    Attributes:
        answer: the body of the answer; None before it is whole.
        error: what went wrong.
    """

    def __init__(self, request: urllib.request.Request, end: float):
        self._request, self._end = request, end
        self._lock, self._has_ended = threading.Lock(), False
        self._sockets: list[socket.socket] = []
        self.answer: bytes | None = None
        self.error: BaseException | None = None

    def run(self) -> None:
        """Send the request, and read the answer."""
        try:
            left = self._end - time.monotonic()
            if left <= 0.0:
                raise TimeoutError
            with _opener(self._opened).open(self._request, timeout=left) as response:
                content = response.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise EndpointError(f"gives more than {MOST_BYTES // 2**20} MB")
            self.answer = content
        except Exception as error:  # whatever a server's answer leads to: the caller says it in one line
            reason = getattr(error, "reason", None)
            self.error = reason if isinstance(reason, TimeoutError) else error

    def _opened(self, connection: socket.socket) -> socket.socket:
        """Note a connection before anything is sent; TimeoutError where nobody waits for it any longer."""
        with self._lock:
            if self._has_ended:
                connection.close()
                raise TimeoutError
            # A socket of its own, as encryption takes the other one over.
            self._sockets.append(connection.dup())
        return connection

    def end(self) -> None:
        """Close the connection, so that the thread ends soon and sends nothing more."""
        with self._lock:
            self._has_ended = True
        for connection in self._sockets:
            with contextlib.suppress(OSError), connection:
                connection.shutdown(socket.SHUT_RDWR)


def _opener(opened: Callable[[socket.socket], socket.socket]) -> urllib.request.OpenerDirector:
    """What opens addresses of HTTP and nothing else: it follows no redirect, and reads no file.

    Args:
        opened: called with the socket of every connection, and gives it back.
    """

    def watched(kind: Any) -> Any:
        def make(*place: Any, **options: Any) -> Any:
            connection = kind(*place, **options)
            create = connection._create_connection
            connection._create_connection = lambda *given, **more: opened(create(*given, **more))
            return connection

        return make

    class Handler(urllib.request.AbstractHTTPHandler):
        http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

        def http_open(self, request: urllib.request.Request) -> Any:
            return self.do_open(watched(http.client.HTTPConnection), request)

        def https_open(self, request: urllib.request.Request) -> Any:
            return self.do_open(watched(http.client.HTTPSConnection), request, context=_certificates())

    director = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        Handler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        director.add_handler(handler)
    return director


@functools.cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


def _as_endpoint_error(error: BaseException) -> EndpointError:
    if isinstance(error, EndpointError):
        return error
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        if 300 <= error.code < 400:
            return EndpointError("answers with a redirect, which is not followed: name the final address", error.code)
        return EndpointError(f"answers with status {error.code}", error.code)
    if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
        return EndpointError(f"gives no answer of HTTP: {in_one_line(error_line(error), 200)}")
    if isinstance(error, OSError):
        return EndpointError(f"does not answer: {in_one_line(getattr(error, 'reason', error), 200)}")
    # Its text may hold the address of a proxy with a password.
    return EndpointError(
        f"cannot be asked ({type(error).__name__}): look at url=, and at the proxies of the environment"
    )
