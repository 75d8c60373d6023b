"""The games of romans-env through OpenEnv: the types of messages, and a client.

The server is in `romans_openenv.environment` and `romans_openenv.app`.
"""

from romans_openenv.client import RomansEnv
from romans_openenv.models import RomansAction, RomansObservation, RomansState

__all__ = ["RomansAction", "RomansEnv", "RomansObservation", "RomansState"]
