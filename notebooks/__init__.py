"""Notebooks, and the modules that they import from beside them."""

import sys
from pathlib import Path

# A notebook finds the modules beside it, and so do those modules where they are imported as a package.
sys.path.append(str(Path(__file__).parent))
