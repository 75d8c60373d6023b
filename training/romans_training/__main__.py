"""``python -m romans_training``: the command ``romans``, where its folder is not on the PATH."""

import os
import sys

# As the command does, it imports nothing of the folder in which a user happens to be.
if not getattr(sys.flags, "safe_path", False) and sys.path[0] == os.getcwd():
    del sys.path[0]

from romans_training.cli.main import start

start()
