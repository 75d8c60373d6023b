"""The games that are served: those of the library, and the toy game, which has neither drawing nor words."""

import pytest

from romans_env.core import games
from tests.serve.servers import browsers
from tests.toy.dice_race_v0 import SPEC


@pytest.fixture(autouse=True, scope="module")
def toy_game():
    """Known while the tests of a file of this folder run; its environments are not."""
    games.register(SPEC)
    yield
    games.unregister(SPEC.name)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
async def browser(anyio_backend):
    """Clients of a new server: each call makes a browser of its own."""
    async with browsers() as made:
        yield made
