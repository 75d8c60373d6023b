"""The toy game is known here, too."""

from tests.toy.conftest import registered as registered
