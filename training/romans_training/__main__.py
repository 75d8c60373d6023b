"""``python -m romans_training``: the command ``romans`` for when its folder is not on the PATH."""

import os
import sys

# Like the command, this imports nothing from the current folder.
if not getattr(sys.flags, "safe_path", False) and sys.path[0] == os.getcwd():
    del sys.path[0]

from romans_training.cli.main import start

start()
