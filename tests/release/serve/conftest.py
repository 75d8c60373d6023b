"""The toy game is served here, too."""

from tests.serve.conftest import toy_game as toy_game
