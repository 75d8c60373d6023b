"""An HTTP client for one server: a request has a time limit, and no redirect takes it to another server."""

from __future__ import annotations

import asyncio
import functools
import re
import ssl
import threading
from collections.abc import Mapping
from concurrent import futures
from typing import TYPE_CHECKING

from romans_env.errors import error_line, in_one_line

if TYPE_CHECKING:
    import httpx2

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
        """Send a body to a path below the address, and return the body of the answer.

        Raises:
            TimeoutError: the answer is not there after ``seconds``, however slowly it comes.
            EndpointError: there is none, it is no answer, or its status is not of success.
        """
        asked = _answer(f"{self.url}{path}", body, {**headers, "Accept-Encoding": "identity"})
        answer: futures.Future[bytes] = futures.Future()

        def ask() -> None:
            try:
                answer.set_result(asyncio.run(asyncio.wait_for(asked, seconds)))
            except BaseException as error:
                answer.set_exception(error)

        # A thread of its own: an event loop may run in this one, and resolving a name cannot be interrupted.
        threading.Thread(target=ask, daemon=True, name="endpoint").start()
        try:
            return answer.result(max(seconds, 0.0))
        except (TimeoutError, asyncio.TimeoutError, futures.TimeoutError):  # three classes before Python 3.11
            raise TimeoutError from None


async def _answer(url: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the body of the answer to a request; see `Endpoint.post`."""
    import httpx2  # Imported here: few who import agents ask a server.

    try:
        # Hooks are called before the address of a redirect is looked at, and before a body is read.
        client = httpx2.AsyncClient(verify=_certificates(), timeout=None, event_hooks={"response": [_refuse]})
        async with client, client.stream("POST", url, content=body, headers=headers) as response:
            content = bytearray()
            # As it was sent: what is compressed may be of any size.
            async for piece in response.aiter_raw():
                content += piece
                if len(content) > MOST_BYTES:
                    raise EndpointError(f"gives more than {MOST_BYTES // 2**20} MB")
            return bytes(content)
    except EndpointError:
        raise
    except httpx2.ProtocolError as error:
        raise EndpointError(f"gives no answer of HTTP: {in_one_line(error_line(error), 200)}") from None
    except (httpx2.TransportError, OSError) as error:
        raise EndpointError(f"does not answer: {in_one_line(error_line(error), 200)}") from None
    except Exception as error:
        # Its text may hold the address of a proxy with a password.
        raise EndpointError(
            f"cannot be asked ({type(error).__name__}): look at url=, and at the proxies of the environment"
        ) from None


async def _refuse(response: httpx2.Response) -> None:
    """Raise EndpointError for an answer that does not report success."""
    status = response.status_code
    if 300 <= status < 400:
        raise EndpointError("answers with a redirect, which is not followed: name the final address", status)
    if not response.is_success:
        raise EndpointError(f"answers with status {status}", status)
    if response.headers.get("content-encoding", "identity") != "identity":
        raise EndpointError("compresses its answer, which was not asked for")


@functools.cache
def _certificates() -> ssl.SSLContext:
    # Of the system, where an own authority can be added.
    return ssl.create_default_context()
