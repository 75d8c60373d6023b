"""Fast, batched PettingZoo and Gymnasium environments for *Romans Go Home!*, *Roma* and *Struggle for Rome*.

The environment ids are ``"RomansGoHome-v0"``, ``"Roma-v0"`` and ``"Struggle-v0"``. ``pettingzoo.make("aec", id)``
creates a PettingZoo environment, ``gymnasium.make(id)`` a single-agent one and ``gymnasium.make_vec(id)`` a vector
environment. `Game` is one game in progress; `replay` recreates a game from its record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from romans_env.core.game import Game, View
from romans_env.core.games import GameSpec
from romans_env.core.lazy_names import lazy_names as _lazy_names
from romans_env.core.moved_modules import install as _install_moved_modules
from romans_env.core.record_playback import replay
from romans_env.core.records import Record, RecordError, load_record, save_record
from romans_env.core.registration import register
from romans_env.core.registration import register_all as _register_all
from romans_env.errors import GameOverError, IllegalActionError
from romans_env.render.draw import draw
from romans_env.render.replay_page import Opinion, replay_page

if TYPE_CHECKING:
    from romans_env.roma import Roma
    from romans_env.romans_go_home import RomansGoHome, Table
    from romans_env.struggle import StruggleForRome, StruggleSetup

__version__ = "0.2.0"
# Games are imported on first access: importing all three takes longer than importing the rest of the library.
__getattr__, __dir__ = _lazy_names(
    __name__,
    {
        "Roma": "romans_env.roma.rules",
        "RomansGoHome": "romans_env.romans_go_home.rules",
        "Table": "romans_env.romans_go_home.setup",
        "StruggleForRome": "romans_env.struggle.rules",
        "StruggleSetup": "romans_env.struggle.setup",
    },
)

_register_all()
_install_moved_modules()


__all__ = [
    "Game",
    "GameOverError",
    "GameSpec",
    "IllegalActionError",
    "Opinion",
    "Record",
    "RecordError",
    "Roma",
    "RomansGoHome",
    "StruggleForRome",
    "StruggleSetup",
    "Table",
    "View",
    "draw",
    "load_record",
    "register",
    "replay",
    "replay_page",
    "save_record",
]
